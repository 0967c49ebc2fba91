/** The dashboard. Its step is in the address, so that Back, a reload and a link keep the place. */
import { useQueryClient } from '@tanstack/react-query';
import {
  LogOut,
  UserRound,
  CircleCheck,
  Image,
  type LucideIcon,
  Megaphone,
  Moon,
  SlidersHorizontal,
  Type,
  Unlink,
} from 'lucide-react';
import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
  useRef,
} from 'react';
import { useLocation, useSearchParams, Navigate, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { getPresetSettings, type Preset, presets } from '#contract/chats/presets';
import { chatMoreTypes } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { chatId as chatIdSchema, topicId as topicIdSchema } from '#contract/endpoints/endpoint';
import { brand } from '#lib/brand';
import { useCapabilities } from '#lib/capabilities';
import { askToLogout } from '#lib/logout';
import { type ChatSection, chatSections, paths, dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { type ScreenProps } from '#lib/route';
import { useUndoKey } from '#lib/undo';
import { useAction } from '#lib/use-action';
import { Avatar } from '#ui/avatar';
import { Button, ButtonLink } from '#ui/button';
import { Page } from '#ui/page';
import { Cell, Section } from '#ui/section';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import { AddStep } from './add-step.tsx';
import { reportFailedWrite } from './failed-writes.ts';
import { ListStep } from './list-step.tsx';
import { useManagedChat } from './managed-chat.ts';
import { presetTexts } from './message-type-texts.ts';
import { chatTitle } from './names.ts';
import { Pending } from './pending.tsx';
import { settingWrites } from './setting-writes.ts';
import { applyChange, offerUndo } from './settings-change.ts';
import { SettingsStep } from './settings/settings-step.tsx';
import { BackButton, StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { VerifyStep } from './verify-step.tsx';
import { listWaitingChats, type WaitingKind } from './waiting.ts';

import styles from './chats.module.css';
import runStyles from './first-run.module.css';

export { readAhead } from './queries.ts';

/** Few users open the history or the numbers, so they are loaded on demand. */
const HistoryStep = lazy(() =>
  import('./history/history-step.tsx').then(({ HistoryStep: step }) => ({ default: step })),
);

const NumbersStep = lazy(() =>
  import('./numbers/numbers-step.tsx').then(({ NumbersStep: step }) => ({ default: step })),
);

type Step =
  | { readonly name: 'list' }
  | { readonly name: 'add' }
  | { readonly name: 'verify'; readonly chatId: string }
  | { readonly name: 'history'; readonly chatId: string }
  | { readonly name: 'numbers'; readonly chatId: string }
  | { readonly name: 'presets'; readonly chatId: string }
  | {
      readonly name: 'settings';
      readonly chatId: string;
      readonly topicId: string | undefined;
      readonly section: ChatSection;
    };

export function ChatsScreen({ loadSlot }: ScreenProps) {
  const [search] = useSearchParams();
  const { key } = useLocation();
  const [firstKey] = useState(key);
  useUndoKey();
  useWaitingSent();

  const step = readStep(search);
  // A chat has a bar of its own.
  const isInChat = step.name === 'settings' || step.name === 'history' || step.name === 'numbers';

  return (
    <Page className={styles.screen}>
      {isInChat ? (
        <h1 tabIndex={-1} className="visually-hidden">
          {chatTexts.heading(brand.name)}
        </h1>
      ) : (
        <header className={styles.header}>
          <h1 tabIndex={-1}>{chatTexts.heading(brand.name)}</h1>
          <div className={styles.links}>
            <AccountLink />
            <Button
              kind="quiet"
              className={styles.logout}
              icon={<LogOut aria-hidden size={18} />}
              onClick={askToLogout}
            >
              {chatTexts.logout}
            </Button>
          </div>
        </header>
      )}
      <CurrentStep step={step} hasMoved={key !== firstKey} below={<Slot load={loadSlot} />} />
    </Page>
  );
}

/** Sends what an earlier page could not send without a network. */
function useWaitingSent(): void {
  const client = useQueryClient();
  useEffect(() => {
    const queues = {
      settings: async () => settingWrites,
      values: async () => (await import('./value-writes.ts')).valueWrites,
    } as const satisfies Record<WaitingKind, unknown>;
    for (const { chatId, kind } of listWaitingChats()) {
      // A queue begins with what is stored for it. Without its chunk it does so at the next visit.
      queues[kind]().then(
        (open) => open(client, chatId),
        () => undefined,
      );
    }
  }, [client]);
}

/** Its place is kept, so that the button beside it does not move when the server has responded. */
function AccountLink() {
  const isOffered = useCapabilities().has('auth.sessions') === true;
  return (
    <div className={styles.account}>
      {isOffered && (
        <ButtonLink
          kind="quiet"
          className={styles.accountLink}
          icon={<UserRound aria-hidden size={18} />}
          to={paths.account}
        >
          <span className={styles.accountText}>{chatTexts.account}</span>
        </ButtonLink>
      )}
    </div>
  );
}

/** The part of another feature below the chats. If it cannot be loaded, the next visit tries again. */
function Slot({ load }: { readonly load: ScreenProps['loadSlot'] }) {
  const [part, setPart] = useState<{ readonly type: ComponentType }>();

  useEffect(() => {
    let isMounted = true;
    load?.().then(
      (type) => isMounted && setPart({ type }),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [load]);

  return part ? createElement(part.type) : null;
}

type CurrentStepProps = {
  readonly step: Step;
  readonly hasMoved: boolean;
  /** Shown below the list of chats. */
  readonly below: ReactNode;
};

function CurrentStep({ step, hasMoved, below }: CurrentStepProps) {
  if (step.name === 'settings') {
    const { name: _name, ...place } = step;
    return <SettingsStep key={place.chatId} {...place} hasMoved={hasMoved} />;
  }
  if (step.name === 'history') {
    return (
      <Suspense fallback={<Skeleton shape="sections" label={chatTexts.settings.loadingChanges} />}>
        <HistoryStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />
      </Suspense>
    );
  }
  if (step.name === 'numbers') {
    return (
      <Suspense fallback={<Skeleton shape="sections" label={chatTexts.settings.loadingNumbers} />}>
        <NumbersStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />
      </Suspense>
    );
  }
  if (step.name === 'presets') {
    return <PresetsStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />;
  }
  if (step.name === 'verify') {
    return <VerifyStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />;
  }
  return step.name === 'add' ? (
    <AddStep hasMoved={hasMoved} below={below} />
  ) : (
    <ListStep hasMoved={hasMoved} below={below} />
  );
}

/** An address that cannot be read leads to the list. */
function readStep(search: URLSearchParams): Step {
  const verified = v.safeParse(chatIdSchema, search.get('verify'));
  const opened = v.safeParse(chatIdSchema, search.get('chat'));
  const topic = v.safeParse(topicIdSchema, search.get('topic'));
  if (opened.success && search.get('view') === 'history') {
    return { name: 'history', chatId: opened.output };
  }
  if (opened.success && search.get('view') === 'numbers') {
    return { name: 'numbers', chatId: opened.output };
  }
  if (opened.success && search.get('view') === 'presets') {
    return { name: 'presets', chatId: opened.output };
  }
  if (opened.success) {
    return {
      name: 'settings',
      chatId: opened.output,
      topicId: topic.success ? topic.output : undefined,
      section: chatSections.find((name) => name === search.get('section')) ?? 'locks',
    };
  }
  if (verified.success) {
    return { name: 'verify', chatId: verified.output };
  }
  return { name: search.get('step') === 'add' ? 'add' : 'list' };
}

const runTexts = chatTexts.firstRun;

type PresetsStepProps = { readonly chatId: string; readonly hasMoved: boolean };

function PresetsStep({ chatId, hasMoved }: PresetsStepProps) {
  const query = useManagedChat(chatId);
  const chat = query.data;

  if (query.refusal !== undefined && chat === undefined) {
    return (
      <Navigate to={dashboardPaths.verify(chatId)} replace state={{ refusal: query.refusal }} />
    );
  }
  // A preset would replace what was chosen before.
  if (chat && blocksSomething(chat)) {
    return <Navigate to={dashboardPaths.chat(chat.chat_id)} replace />;
  }
  return (
    <>
      <BackButton />
      <StepHeading hasMoved={hasMoved}>{runTexts.presetHeading}</StepHeading>
      {chat ? (
        <>
          <Section className={runStyles.choice}>
            <Cell
              before={<Avatar id={chat.chat_id} title={chatTitle(chat)} />}
              title={chatTitle(chat)}
              subtitle={runTexts.ready}
              after={<CircleCheck aria-hidden className={runStyles.tick} />}
            />
          </Section>
          <Section className={runStyles.choice} foot={runTexts.presetHint}>
            <Choices chat={chat} />
          </Section>
        </>
      ) : (
        <Pending
          query={query}
          shape="rows"
          loading={chatTexts.settings.loading}
          failed={chatTexts.settings.loadFailed}
        />
      )}
    </>
  );
}

function blocksSomething({ topics }: Chat): boolean {
  return Object.values(topics).some((settings) => Object.values(settings).includes(true));
}

const icons = {
  announcements_only: Megaphone,
  text_only: Type,
  photos_and_text: Image,
  no_links_or_forwards: Unlink,
  quiet_night: Moon,
} as const satisfies Record<Preset, LucideIcon>;

function ChoiceIcon({ type: Icon }: { readonly type: LucideIcon }) {
  return (
    <span className={runStyles.icon}>
      <Icon aria-hidden size={20} />
    </span>
  );
}

function Choices({ chat }: { readonly chat: Chat }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { chat_id: chatId, topics } = chat;
  const withMore = useCapabilities().has(chatMoreTypes) === true;
  const pressed = useRef<Preset>(undefined);
  const [applied, setApplied] = useState<Preset>();
  const openSettings = () => void navigate(dashboardPaths.chat(chatId), { replace: true });

  const { isBusy, run } = useAction(async (signal) => {
    const preset = pressed.current;
    if (preset === undefined) {
      return;
    }
    setApplied(preset);
    const wanted = getPresetSettings(preset, { withMore });
    try {
      const change = await applyChange(client, {
        chatId,
        kind: 'preset',
        preset,
        topics: Object.fromEntries(Object.keys(topics).map((topicId) => [topicId, wanted])),
      });
      getPlatform().haptic('success');
      if (change) {
        offerUndo(client, [{ chatId, change }], (count) =>
          runTexts.applied(presetTexts.name[preset], count),
        );
      }
      if (!signal.aborted) {
        openSettings();
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  });

  return (
    <ul aria-label={runTexts.presetHeading}>
      {presets.map((preset) => (
        <li key={preset}>
          <Cell
            before={<ChoiceIcon type={icons[preset]} />}
            title={presetTexts.name[preset]}
            subtitle={presetTexts.about[preset]}
            after={isBusy && preset === applied ? <Spinner size="small" /> : undefined}
            isDisabled={isBusy}
            onClick={() => {
              pressed.current = preset;
              run();
            }}
          />
        </li>
      ))}
      <li>
        <Cell
          before={<ChoiceIcon type={SlidersHorizontal} />}
          title={runTexts.decide}
          subtitle={runTexts.decideHint}
          isDisabled={isBusy}
          onClick={openSettings}
        />
      </li>
    </ul>
  );
}
