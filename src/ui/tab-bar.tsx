/** A row of tabs at the bottom of the screen. */
import { AppRoot, Tabbar } from '@telegram-apps/telegram-ui';
import { type ReactNode } from 'react';

import '@telegram-apps/telegram-ui/dist/styles.css';
import styles from './tab-bar.module.css';

type Tab = {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly isCurrent: boolean;
  readonly select: () => void;
};

type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly appearance: 'light' | 'dark';
};

/**
 * The library's `AppRoot` is only needed here. Both of its props are set, as it looks for Telegram's
 * script when one is missing.
 */
export function BottomTabs({ label, tabs, appearance }: TabsProps) {
  // The library has these shapes in its scripts, not in its style sheet.
  const platform = document.documentElement.dataset['platform'] === 'ios' ? 'ios' : 'base';
  return (
    <AppRoot appearance={appearance} platform={platform} className={styles.root}>
      <nav aria-label={label} className={styles.tabs}>
        <Tabbar className={styles.bar}>
          {tabs.map(({ id, label: text, icon, isCurrent, select }) => (
            <Tabbar.Item
              key={id}
              text={text}
              selected={isCurrent}
              aria-current={isCurrent ? 'page' : undefined}
              onClick={select}
            >
              {icon}
            </Tabbar.Item>
          ))}
        </Tabbar>
      </nav>
    </AppRoot>
  );
}
