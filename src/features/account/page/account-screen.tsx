/** The page of the account: its sessions, its password, and its deletion. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Languages, LogOut, MonitorSmartphone } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';

import { type Answer } from '#contract/endpoints/endpoint';
import { type listSessions } from '#contract/endpoints/session';
import { ApiError, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { formatDay, formatTime } from '#lib/dates';
import { useLostFocus } from '#lib/focus';
import { joinList } from '#lib/format';
import { languageMenu } from '#lib/language-menu';
import { askToLogout } from '#lib/logout';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { EmptyState, passFocusOn } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { LanguageSelect } from '#ui/language-select';
import { Notice } from '#ui/notice';
import { Page } from '#ui/page';
import { Cell, Section } from '#ui/section';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import { DeletionSection } from './deletion-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { sessionQueries, useEndOtherSessions } from './queries.ts';
import { useConfirmation } from './section.tsx';
import { accountTexts, sessionTexts } from './texts.ts';
import { EventSection } from './event-section.tsx';
import { ExportSection } from './export-section.tsx';
import { PasskeySection } from './passkey-section.tsx';

import styles from './page.module.css';

export function AccountScreen() {
  const session = useSession();
  return (
    <Page className={styles.screen}>
      <header>
        <h1 tabIndex={-1}>{accountTexts.title}</h1>
        {session.status === 'member' && session.telegramId !== undefined && (
          <p className={styles.who}>{accountTexts.who(session.telegramId)}</p>
        )}
      </header>
      <Content />
    </Page>
  );
}

function Content() {
  const isOffered = useCapabilities().has('auth.sessions');
  const list = useQuery({ ...sessionQueries.list(), enabled: isOffered !== false });
  const isMissing = list.error instanceof ApiError && list.error.status === 404;

  if (isOffered === false || isMissing) {
    return (
      <EmptyState
        mood="sleepy"
        title={accountTexts.notOffered}
        action={
          <ButtonLink kind="primary" to={paths.dashboard}>
            {accountTexts.back}
          </ButtonLink>
        }
      />
    );
  }
  if (isOffered === undefined && list.isPending) {
    return <Skeleton shape="sections" label={accountTexts.loading} />;
  }
  return (
    <>
      <SessionSection list={list} />
      <PasswordSection />
      {languageMenu.offered.length > 1 && (
        <Section>
          <Cell
            before={<Languages />}
            title={accountTexts.language}
            after={<LanguageSelect label={accountTexts.language} {...languageMenu} />}
          />
        </Section>
      )}
      <Section>
        <Cell tone="danger" before={<LogOut />} title={accountTexts.logout} onClick={askToLogout} />
      <PasskeySection />
      </Section>
      <DeletionSection />
    </>
  );
}

type SessionList = Answer<typeof listSessions>;
type Session = SessionList['sessions'][number];

type SessionSectionProps = { readonly list: UseQueryResult<SessionList> };

function SessionSection({ list }: SessionSectionProps) {
  const { data, error, isFetching, refetch } = list;
  const heading = useRef<HTMLHeadingElement>(null);

  if (data) {
    return (
      <Section
        heading={sessionTexts.title}
        headingRef={heading}
        className={styles.sessions}
        foot={sessionTexts.endOthersText}
      >
        <ul aria-label={sessionTexts.label}>
          {sortCurrentFirst(data.sessions).map((session) => (
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
    <Section heading={sessionTexts.title}>
      {error && !isFetching ? (
        <EmptyState
          mood="surprised"
          title={sessionTexts.failed}
          action={
            <Button ref={passFocusOn} onClick={() => void refetch()}>
              {accountTexts.retry}
            </Button>
          }
        >
          {errorText(error, '')}
        </EmptyState>
      ) : (
        <Skeleton shape="rows" label={sessionTexts.loading} />
      )}
    </Section>
  );
}

function SessionRow({ session }: { readonly session: Session }) {
  const lastSeen = formatDayAndTime(session.last_seen_at);
  return (
    <li>
      <Cell
        before={<MonitorSmartphone />}
        title={session.device_translated ?? session.device}
        subtitle={
          lastSeen !== undefined &&
          fillSlots(sessionTexts.lastSeen, {
            time: <time dateTime={session.last_seen_at}>{lastSeen}</time>,
          })
        }
        after={
          session.is_current && <span className={styles.badge}>{sessionTexts.thisDevice}</span>
        }
      />
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
    title: sessionTexts.endOthers,
    message: sessionTexts.endOthersText,
    confirm: sessionTexts.confirm,
  });

  // The button loses the focus when it is disabled: during the call, and when no other session is left.
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
        onSuccess: ({ ended }) => settle({ tone: 'success', text: sessionTexts.ended(ended) }),
        onError: (error) =>
          settle({ tone: 'error', text: errorText(error, sessionTexts.endFailed) }),
      },
    );
  }

  return (
    <>
      <Cell
        tone="accent"
        title={sessionTexts.endOthers}
        isDisabled={isPending || !isPossible}
        after={isPending && <Spinner size="small" />}
        onClick={() => void end()}
      />
      {outcome && (
        <div className={styles.outcome}>
          <Notice tone={outcome.tone}>{outcome.text}</Notice>
        </div>
      )}
    </>
  );
}

function sortCurrentFirst(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
}

/** "Today, 14:05", "3 days ago, 22:10", "21 Nov 2026, 14:05"; undefined if `moment` is not ISO 8601. */
function formatDayAndTime(moment: string): string | undefined {
  const at = Date.parse(moment);
  return Number.isNaN(at)
    ? undefined
    : joinList([formatDay(at, { datesFrom: 7, style: 'medium' }), formatTime(at)]);
}
