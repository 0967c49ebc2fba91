/** Where the person is logged in, and the way to log out everywhere else. */
import { type UseQueryResult } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';

import { type Answer } from '#contract/endpoints/endpoint';
import { type listSessions } from '#contract/endpoints/session';
import { errorText } from '#lib/api';
import { useLostFocus } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { Button, passFocusOn } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';

import { useConfirmation } from './confirmation.ts';
import { dayAndTime } from './day-and-time.ts';
import { useEndOtherSessions } from './queries.ts';
import { Section } from './section.tsx';
import { sessionTexts as texts, settingsTexts } from './texts.ts';

import styles from './settings.module.css';

type SessionList = Answer<typeof listSessions>;
type Session = SessionList['sessions'][number];

type SessionSectionProps = { readonly list: UseQueryResult<SessionList> };

export function SessionSection({ list }: SessionSectionProps) {
  const { data, error, isFetching, refetch } = list;
  const heading = useRef<HTMLHeadingElement>(null);

  if (data) {
    return (
      <Section title={texts.title} headingRef={heading}>
        <ul className={styles.sessions} aria-label={texts.label}>
          {thisOneFirst(data.sessions).map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
        <EndOthers
          isPossible={data.sessions.some(({ is_current: isCurrent }) => !isCurrent)}
          heading={heading}
        />
      </Section>
    );
  }
  return (
    <Section title={texts.title}>
      {error && !isFetching ? (
        <EmptyState
          mood="surprised"
          title={texts.failed}
          action={
            <Button ref={passFocusOn} onClick={() => void refetch()}>
              {settingsTexts.retry}
            </Button>
          }
        >
          {errorText(error, '')}
        </EmptyState>
      ) : (
        <Skeleton shape="rows" label={texts.loading} />
      )}
    </Section>
  );
}

function SessionRow({ session }: { readonly session: Session }) {
  const lastSeen = dayAndTime(session.last_seen_at);
  return (
    <li className={styles.session}>
      <span className={styles.mark}>
        <MonitorSmartphone aria-hidden size={20} />
      </span>
      <div className={styles.device}>
        <p className={styles.name}>{session.device}</p>
        <p className={styles.details}>
          {lastSeen !== undefined && (
            <span>
              {texts.lastSeen} <time dateTime={session.last_seen_at}>{lastSeen}</time>
            </span>
          )}
          {session.is_current && <span className={styles.badge}>{texts.thisDevice}</span>}
        </p>
      </div>
    </li>
  );
}

type Outcome = { readonly tone: 'success' | 'error'; readonly text: string };
type EndOthersProps = {
  readonly isPossible: boolean;
  readonly heading: RefObject<HTMLElement | null>;
};

function EndOthers({ isPossible, heading }: EndOthersProps) {
  const platform = usePlatform();
  const { mutate, isPending, isRunning } = useEndOtherSessions();
  const [outcome, setOutcome] = useState<Outcome>();
  const confirm = useConfirmation({
    title: texts.endOthers,
    message: texts.endOthersText,
    confirm: texts.confirm,
  });

  // The button is disabled while it works, and for good when no other session is left.
  const isOver = outcome?.tone === 'success' ? !isPossible : outcome !== undefined;
  useLostFocus(heading, isOver && !isPending);

  function settle(settled: Outcome): void {
    setOutcome(settled);
    platform.haptic(settled.tone);
  }

  async function end(): Promise<void> {
    if (isRunning() || !(await confirm())) {
      return;
    }
    setOutcome(undefined);
    mutate(
      {},
      {
        onSuccess: ({ ended }) => settle({ tone: 'success', text: texts.ended(ended) }),
        onError: (error) => settle({ tone: 'error', text: errorText(error, texts.endFailed) }),
      },
    );
  }

  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Button isWide isBusy={isPending} disabled={!isPossible} onClick={() => void end()}>
        {texts.endOthers}
      </Button>
    </>
  );
}

function thisOneFirst(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
}
