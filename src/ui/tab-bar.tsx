/** A row of tabs at the bottom of the screen. */
import { Tabbar } from '@telegram-apps/telegram-ui';
import { type ReactNode } from 'react';

import styles from './tab-bar.module.css';

type Tab = {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly isCurrent: boolean;
  readonly select: () => void;
};

type TabsProps = { readonly label: string; readonly tabs: readonly Tab[] };

export function BottomTabs({ label, tabs }: TabsProps) {
  return (
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
  );
}
