/** What the person is listening to, on a card that fills the page and follows the music. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { ApiError, errorText } from '#lib/api';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { connectionQueries } from './queries.ts';
import { playingTexts as texts } from './texts.ts';
import { TrackCard } from './track-card.tsx';

import styles from './connections.module.css';

const pollEveryMs = 20_000;

export function NowPlayingScreen() {
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{texts.heading}</h1>
      <Person />
    </div>
  );
}

/** Finds out whose music it is. */
function Person() {
  const session = useSession();
  const telegramId = session.status === 'member' ? session.telegramId : undefined;
  const isNameless = session.status === 'member' && telegramId === undefined;
  const me = useQuery({ ...connectionQueries.me(), enabled: isNameless });
  const meError = useLastError(me);

  if (telegramId !== undefined) {
    return <Music key={telegramId} telegramId={telegramId} />;
  }
  if (session.status === 'guest') {
    return (
      <EmptyState
        mood="happy"
        title={texts.loginNeeded}
        action={
          <ButtonLink
            kind="primary"
            to={session.isNewcomer ? paths.signup : paths.login}
            state={{ from: paths.nowPlaying }}
          >
            {texts.login}
          </ButtonLink>
        }
      />
    );
  }
  if (meError) {
    return (
      <Problem title={texts.notStarted} retry={me.refetch}>
        {errorText(meError, '')}
      </Problem>
    );
  }
  return <Spinner label={texts.loading} />;
}

function Music({ telegramId }: { readonly telegramId: string }) {
  const playing = useQuery({
    ...connectionQueries.playing(telegramId),
    // Counts from the last answer, and stands still while nobody looks.
    refetchInterval: ({ state }) => Math.max(pollEveryMs, pauseMs(state.error)),
    // One look at once for whoever comes back, unless the service has asked for a pause.
    refetchOnWindowFocus: ({ state }) => (pauseMs(state.error) > 0 ? false : 'always'),
    refetchOnMount: 'always',
  });
  const { data, dataUpdatedAt, refetch } = playing;
  const error = useLastError(playing);
  const reason = errorText(error?.cause, '');

  const isUnlinked = isAboutLink(error?.cause);
  if (data === undefined || isUnlinked) {
    return error ? (
      <Problem title={texts.failed} retry={refetch} leadsToAccounts={isUnlinked}>
        {reason}
      </Problem>
    ) : (
      <Spinner label={texts.loading} />
    );
  }
  return (
    <>
      {data ? (
        <TrackCard track={data} readAt={dataUpdatedAt} />
      ) : (
        <EmptyState mood="sleepy" title={texts.nothing}>
          {texts.nothingHint}
        </EmptyState>
      )}
      {error && (
        <Notice tone="error">
          {texts.failed}
          {reason !== '' && `. ${reason}`}
        </Notice>
      )}
    </>
  );
}

type ProblemProps = {
  readonly title: string;
  readonly retry: () => Promise<unknown>;
  /** The account has to be linked first. */
  readonly leadsToAccounts?: boolean;
  readonly children: ReactNode;
};

function Problem({ title, retry, leadsToAccounts = false, children }: ProblemProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function tryAgain(): Promise<void> {
    setIsBusy(true);
    await retry();
    setIsBusy(false);
  }

  return (
    <div role="alert">
      <EmptyState
        mood="surprised"
        title={title}
        action={
          leadsToAccounts ? (
            <ButtonLink kind="primary" to={paths.dashboard}>
              {texts.toAccounts}
            </ButtonLink>
          ) : (
            <Button kind="primary" isBusy={isBusy} onClick={() => void tryAgain()}>
              {texts.retry}
            </Button>
          )
        }
      >
        {children}
      </EmptyState>
    </div>
  );
}

/** Why the last look failed; also while the next one is under way, as what is said must not blink. */
function useLastError({ error, isSuccess }: Pick<UseQueryResult, 'error' | 'isSuccess'>) {
  const [last, setLast] = useState<Error | null>(null);
  const now = error ?? (isSuccess ? null : last);
  if (now !== last) {
    setLast(now);
  }
  return now;
}

/** How long the server has asked us to wait, in ms; 0 when it has not. */
function pauseMs(error: Error | null): number {
  const cause = error?.cause;
  return cause instanceof ApiError ? (cause.retryAfterS ?? 0) * 1000 : 0;
}

function isAboutLink(cause: unknown): boolean {
  return cause instanceof ApiError && ['not_linked', 'connection_lost'].includes(cause.code);
}
