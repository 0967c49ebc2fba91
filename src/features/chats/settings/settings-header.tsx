/** Which chat it is, the way back to the list, and reading the settings again. */
import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';

import { IconButton } from '#ui/button';

import { BackToList } from '../back-to-list.tsx';
import { showFailure } from '../failed-writes.ts';
import { refreshChat } from '../queries.ts';
import { StepHeading } from '../step-heading.tsx';
import { chatTexts } from '../texts.ts';
import { useAction } from '../use-action.ts';

import styles from './settings.module.css';

const texts = chatTexts.settings;

/** Long enough to be seen: a person who pressed wants to know that something happened. */
const shortestRefreshMs = 800;

type SettingsHeaderProps = {
  readonly chatId: string;
  readonly title: string;
  readonly isDemo: boolean;
  readonly hasMoved: boolean;
};

export function SettingsHeader({ chatId, title, isDemo, hasMoved }: SettingsHeaderProps) {
  const client = useQueryClient();

  const { isBusy, run } = useAction(async (signal) => {
    const [outcome] = await Promise.allSettled([
      refreshChat(client, chatId),
      new Promise((resolve) => setTimeout(resolve, shortestRefreshMs)),
    ]);
    if (outcome.status === 'rejected' && !signal.aborted) {
      showFailure('refresh-failed', texts.refreshFailed);
    }
  });

  return (
    <header className={styles.header}>
      <BackToList />
      <div className={styles.chat}>
        <div className={styles.name}>
          <StepHeading hasMoved={hasMoved}>{title}</StepHeading>
          <p className={styles.id}>
            {chatTexts.chatId(chatId)}
            {isDemo && <span className={styles.badge}>{chatTexts.demo}</span>}
          </p>
        </div>
        <IconButton
          label={texts.refresh}
          className={isBusy ? styles.turning : undefined}
          icon={<RefreshCw aria-hidden size={20} />}
          aria-busy={isBusy || undefined}
          onClick={run}
        />
        <output className="visually-hidden">{isBusy ? texts.refreshing : ''}</output>
      </div>
    </header>
  );
}
