/** The page of the account: its sessions, its password, and its deletion. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Bot, Languages, LogOut, MonitorSmartphone } from 'lucide-react';
import { useRef } from 'react';

import { accountEvents } from '#contract/endpoints/account-events';
import { type Answer } from '#contract/endpoints/endpoint';
import { accountLanguage } from '#contract/endpoints/language';
import { reminders } from '#contract/endpoints/reminders';
import { type listSessions, sessionEnd } from '#contract/endpoints/session';
import { isLanguage } from '#contract/languages';
import { ApiError, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useFocusKept, useLostFocus } from '#lib/focus';
import { automatic } from '#lib/language';
import { languageMenu, siteLanguages } from '#lib/language-menu';
import { automaticTexts } from '#lib/language-texts';
import { askToLogout } from '#lib/logout';
import { useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { LanguageSelect } from '#ui/language-select';
import { Page } from '#ui/page';
import { Cell, Section } from '#ui/section';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import { DeletionSection, ExportSection } from './export-section.tsx';
import { EventSection, ReminderSection } from './lists.tsx';
import { PasskeySection, PasswordSection } from './password-section.tsx';
import {
  accountQueries,
  sessionQueries,
  useEndOneSession,
  useEndOtherSessions,
  useSetLanguage,
} from './queries.ts';
import {
  formatDayAndTime,
  Loading,
  type Outcome,
  OutcomeNotice,
  type SettleProps,
  useConfirmation,
  useOutcome,
} from './section.tsx';
import { accountTexts, sessionTexts } from './texts.ts';

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
  const { has } = useCapabilities();
  const isOffered = has('auth.sessions');
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
      <PasskeySection />
      {languageMenu.offered.length > 1 && (
        <Section>
          <Cell
            before={<Languages />}
            title={accountTexts.language}
            after={<LanguageSelect label={accountTexts.language} {...languageMenu} />}
          />
          <BotLanguage />
        </Section>
      )}
      {has(reminders) === true && <ReminderSection />}
      {has(accountEvents) === true && <EventSection />}
      <ExportSection />
      <Section>
        <Cell tone="danger" before={<LogOut />} title={accountTexts.logout} onClick={askToLogout} />
      </Section>
      <DeletionSection />
    </>
  );
}

/** The language of the bot's messages: one of the site's, or that of the user's Telegram. */
function BotLanguage() {
  const { mutate } = useSetLanguage();
  const isOffered = useCapabilities().has(accountLanguage) === true;
  const { data: chosen } = useQuery({ ...accountQueries.language(), enabled: isOffered });
  if (chosen === undefined) {
    return null;
  }

  const label = accountTexts.botLanguage;
  const choose = (tag: string) =>
    mutate(isLanguage(tag) ? tag : null, {
      onError: (error) =>
        useNotices.getState().show({
          id: 'bot-language',
          tone: 'error',
          text: errorText(error, accountTexts.botLanguageFailed),
        }),
    });
  return (
    <Cell
      before={<Bot />}
      title={label}
      after={
        <LanguageSelect
          label={label}
          value={chosen ?? automatic}
          offered={[{ tag: automatic, name: automaticTexts.telegram }, ...siteLanguages]}
          onChange={choose}
        />
      }
    />
  );
}

type SessionList = Answer<typeof listSessions>;
type Session = SessionList['sessions'][number];

type SessionSectionProps = { readonly list: UseQueryResult<SessionList> };

function SessionSection({ list }: SessionSectionProps) {
  const { data } = list;

  if (data) {
    return <Sessions sessions={data.sessions} />;
  }
  return (
    <Section heading={sessionTexts.title}>
      <Loading query={list} texts={sessionTexts} />
    </Section>
  );
}

function Sessions({ sessions }: { readonly sessions: readonly Session[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { outcome, settle } = useOutcome();
  const canEndOne = useCapabilities().has(sessionEnd) === true;
  // The row of a session that was ended takes its button with it.
  useFocusKept(heading, sessions.length);

  return (
    <Section
      heading={sessionTexts.title}
      headingRef={heading}
      className={styles.sessions}
      foot={sessionTexts.endOthersText}
    >
      <ul aria-label={sessionTexts.label}>
        {sortCurrentFirst(sessions).map((session) => (
          <SessionRow key={session.id} {...{ session, settle, canEndOne, heading }} />
        ))}
      </ul>
      <EndOthers
        isPossible={sessions.some(({ is_current: isCurrent }) => !isCurrent)}
        {...{ heading, outcome, settle }}
      />
      <OutcomeNotice outcome={outcome} />
    </Section>
  );
}

type SessionRowProps = SettleProps & { readonly session: Session; readonly canEndOne: boolean };

function SessionRow({ session, canEndOne, ...settling }: SessionRowProps) {
  const { is_current: isCurrent } = session;
  return (
    <li>
      <Cell
        before={<MonitorSmartphone />}
        title={session.device_translated ?? session.device}
        subtitle={describeUse(session)}
        after={
          isCurrent ? (
            <span className={styles.badge}>{sessionTexts.thisDevice}</span>
          ) : (
            canEndOne && <EndOne session={session} {...settling} />
          )
        }
      />
    </li>
  );
}

/** When the session was last used, and where from as far as the server knows. */
function describeUse({ last_seen_at: lastSeenAt, address }: Session) {
  const lastSeen = formatDayAndTime(lastSeenAt);
  if (lastSeen === undefined) {
    return undefined;
  }
  const time = <time dateTime={lastSeenAt}>{lastSeen}</time>;
  return address === ''
    ? fillSlots(sessionTexts.lastSeen, { time })
    : fillSlots(sessionTexts.lastSeenFrom, { time, address: <bdi>{address}</bdi> });
}

function EndOne({ session, settle, heading }: SettleProps & { readonly session: Session }) {
  const { mutateAsync, isPending, isError } = useEndOneSession();
  const device = session.device_translated ?? session.device;
  // The button loses the focus when it is disabled.
  useLostFocus(heading, isError && !isPending);
  const confirm = useConfirmation({
    title: sessionTexts.endOneLabel(device),
    message: sessionTexts.endOneText(device),
    confirm: sessionTexts.confirm,
  });

  async function end(): Promise<void> {
    if (isPending || !(await confirm())) {
      return;
    }
    settle(undefined);
    try {
      await mutateAsync(session.id);
      settle({ tone: 'success', text: sessionTexts.endedOne(device) });
    } catch (error) {
      settle({ tone: 'error', text: errorText(error, sessionTexts.endOneFailed) });
    }
  }

  return (
    <Button
      kind="quiet"
      isBusy={isPending}
      aria-label={sessionTexts.endOneLabel(device)}
      onClick={() => void end()}
    >
      {sessionTexts.endOne}
    </Button>
  );
}

type EndOthersProps = SettleProps & {
  readonly isPossible: boolean;
  readonly outcome: Outcome | undefined;
};

function EndOthers({ isPossible, outcome, settle, heading }: EndOthersProps) {
  const { mutate, isPending, isRunning } = useEndOtherSessions();
  const confirm = useConfirmation({
    title: sessionTexts.endOthers,
    message: sessionTexts.endOthersText,
    confirm: sessionTexts.confirm,
  });

  // The button loses the focus when it is disabled: during the call, and when no other session is left.
  const isOver = outcome?.tone === 'success' ? !isPossible : outcome !== undefined;
  useLostFocus(heading, isOver && !isPending);

  async function end(): Promise<void> {
    if (isRunning() || !(await confirm())) {
      return;
    }
    settle(undefined);
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
    <Cell
      tone="accent"
      title={sessionTexts.endOthers}
      isDisabled={isPending || !isPossible}
      after={isPending && <Spinner size="small" />}
      onClick={() => void end()}
    />
  );
}

function sortCurrentFirst(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
}
