/**
 * Step 2: adds a chat by adding the bot to it, which begins the first run, or by its ID, after which its
 * owner gets a code.
 */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import {
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { chatPick, preparePick } from '#contract/endpoints/chat-activity';
import { addChat, chatClaim, type Chat } from '#contract/endpoints/chats';
import { ApiError, errorText, call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useMainButton } from '#lib/main-button';
import { dashboardPaths } from '#lib/paths';
import { getPlatform, usePlatform, type Platform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { Button, SubmitButton, ButtonLink } from '#ui/button';
import { Card } from '#ui/card';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import {
  AddBotButton,
  FirstRunSteps,
  isCodeNeeded,
  StepHint,
  useLaunchProof,
  useWatchedList,
} from './first-run.tsx';
import { LinkedText } from './linked-text.tsx';
import { UnverifiedChats } from './list-step.tsx';
import { chatTitle } from './names.ts';
import { chatQueries, requestCode, verifyWithLaunch } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';

import styles from './chats.module.css';

const { add: texts, pick: pickTexts } = chatTexts;

/** Why the chat ID was refused, and by which side. */
type Problem = { readonly by: 'form' | 'server'; readonly text: string };

type AddStepProps = {
  readonly hasMoved: boolean;
  /** What the list shows below the chats. Without chats the dashboard begins here and shows it, too. */
  readonly below: ReactNode;
};

export function AddStep({ hasMoved, below }: AddStepProps) {
  const { data } = useQuery({ ...chatQueries.list(), enabled: false });
  const { has, isKnown } = useCapabilities();
  const isLed = has(chatClaim) === true;
  const byIdHeading = useId();

  return (
    <>
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      {isKnown ? (
        <div className={isLed ? styles.columns : styles.stack}>
          {isLed ? (
            <div className={styles.stack}>
              <AddToGroup />
              {data && <UnverifiedChats chats={data.unverified} />}
            </div>
          ) : (
            <PickGroup />
          )}
          <section
            className={isLed ? styles.byId : styles.columns}
            aria-labelledby={isLed ? byIdHeading : undefined}
          >
            {isLed && <h3 id={byIdHeading}>{chatTexts.firstRun.byId}</h3>}
            <AddById isLed={isLed} />
            <Card title={texts.before}>
              <ol className={styles.hints}>
                <li>{texts.botIsAdmin}</li>
                <li>{texts.findId}</li>
                <li>{texts.ownerStarted}</li>
              </ol>
            </Card>
          </section>
        </div>
      ) : (
        // What is shown depends on what the server offers, and must not move when it has answered.
        <Skeleton shape="rows" label={chatTexts.firstRun.loading} />
      )}
      {data?.chats.length === 0 && below}
    </>
  );
}

/** The first step of the first run. When the bot has been added, the next step follows by itself. */
function AddToGroup() {
  const { pickChat } = usePlatform();
  const canPick = useCapabilities().has(chatPick) === true;
  useArrival();
  return (
    <FirstRunSteps current="add">
      {pickChat && canPick ? (
        <Pick pickChat={pickChat} hint={chatTexts.firstRun.pickHint} />
      ) : (
        <>
          <StepHint>{chatTexts.firstRun.addHint}</StepHint>
          <AddBotButton isWide>{chatTexts.firstRun.addAction}</AddBotButton>
        </>
      )}
    </FirstRunSteps>
  );
}

/** Goes on with a group to which the user adds the bot, here or on another device. */
function useArrival(): void {
  const navigate = useNavigate();
  const { data } = useWatchedList(true);
  const [before, setBefore] = useState(data);
  if (before === undefined && data !== undefined) {
    setBefore(data);
  }
  const newId = data && before && findNew(data, before);
  const isUnverified = data?.unverified.some(({ chat_id }) => chat_id === newId) === true;

  const goOn = useEffectEvent(() => {
    if (newId !== undefined) {
      getPlatform().haptic('success');
      // Replaced, so that Back does not lead to a step that is done.
      void navigate(dashboardPaths.verify(newId), { replace: true });
    }
  });
  useEffect(() => {
    if (isUnverified) {
      goOn();
    }
  }, [isUnverified]);
}

function AddById({ isLed }: { readonly isLed: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const initData = useLaunchProof();
  const field = useRef<HTMLInputElement>(null);
  const refusalId = useId();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const isRefused = problem?.by === 'server';

  function refuse(next: Problem): void {
    setProblem(next);
    getPlatform().haptic('error');
    field.current?.focus();
  }

  const { isBusy, run } = useAction(async (signal) => {
    setProblem(undefined);
    const checked = v.safeParse(addChat.input, { chat_id: typed }, { abortPipeEarly: true });
    if (!checked.success) {
      refuse({ by: 'form', text: checked.issues[0].message });
      return;
    }
    const { chat_id } = checked.output;
    try {
      if (initData !== undefined) {
        const ownId = await claimIfOwn(client, { chatId: chat_id, initData }, signal);
        if (ownId !== undefined) {
          void navigate(dashboardPaths.presets(ownId), { replace: true });
          return;
        }
      }
      const sent = await requestCode(chat_id, signal);
      // Replaced, so that Back does not lead to a step that is done.
      void navigate(dashboardPaths.verify(chat_id), {
        replace: true,
        state: { sent, sentAt: Date.now() },
      });
    } catch (error) {
      if (!signal.aborted) {
        refuse({ by: 'server', text: errorText(error, texts.failed) });
      }
    }
  });
  // Before an ID is typed, the button of the first run is the one that matters.
  const isMain = !isLed || typed !== '';
  const hasMainButton = useMainButton(
    isMain ? { text: chatTexts.proceed, isEnabled: true, isBusy, press: run } : undefined,
  );

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    run();
  }

  return (
    <Card>
      <form className={styles.form} noValidate onSubmit={submit}>
        <Field
          ref={field}
          label={texts.field}
          placeholder={texts.example}
          value={typed}
          error={isRefused ? undefined : problem?.text}
          isInvalid={isRefused}
          describedBy={isRefused ? refusalId : undefined}
          // Phones have no minus sign on their number keyboards.
          inputMode="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          dir="ltr"
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(undefined);
          }}
        />
        {isRefused && (
          <Notice tone="error" id={refusalId}>
            <LinkedText text={problem.text} />
          </Notice>
        )}
        <Actions isBusy={isBusy} isElsewhere={hasMainButton} isMain={isMain} />
      </form>
    </Card>
  );
}

/** Returns the chat's current ID, or undefined when the chat needs a code of its owner. */
async function claimIfOwn(
  client: QueryClient,
  chat: { readonly chatId: string; readonly initData: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await verifyWithLaunch(client, chat, signal);
  } catch (error) {
    if (error instanceof ApiError && isCodeNeeded(error.code)) {
      return undefined;
    }
    throw error;
  }
}

function Actions({
  isBusy,
  isElsewhere,
  isMain,
}: Record<'isBusy' | 'isElsewhere' | 'isMain', boolean>) {
  const navigate = useNavigate();
  return (
    <div className={styles.actions}>
      <Button kind="quiet" onClick={() => void navigate(dashboardPaths.list)}>
        {chatTexts.backToList}
      </Button>
      {isMain ? (
        <SubmitButton
          text={chatTexts.proceed}
          isBusy={isBusy}
          isElsewhere={isElsewhere}
          isWide={false}
        />
      ) : (
        <Button type="submit" isBusy={isBusy}>
          {chatTexts.proceed}
        </Button>
      )}
    </div>
  );
}

/** Shown where the Telegram client can list groups and the server has a bot. */
function PickGroup() {
  const { pickChat } = usePlatform();
  const isOffered = useCapabilities({ isWanted: pickChat !== undefined }).has(chatPick) === true;
  return pickChat && isOffered ? (
    <Card title={pickTexts.heading}>
      <Pick pickChat={pickChat} hint={pickTexts.hint} />
    </Card>
  ) : null;
}

type PickProps = {
  readonly pickChat: NonNullable<Platform['pickChat']>;
  readonly hint: string;
};
type Message = {
  readonly tone: 'info' | 'error';
  readonly text: string;
  readonly action?: ReactNode;
};

function Pick({ pickChat, hint }: PickProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const platform = usePlatform();
  const [message, setMessage] = useState<Message>();
  const [isWaiting, setIsWaiting] = useState(false);

  const { isBusy, run } = useAction(async (signal) => {
    setMessage(undefined);
    const fail = (text: string) => {
      setMessage({ tone: 'error', text });
      platform.haptic('error');
    };
    try {
      const [before, { request_id: id }] = await Promise.all([
        refetchList(client),
        call(preparePick, {}, signal),
      ]);
      const picked = await pickChat(id);
      if (signal.aborted || picked === 'declined') {
        return;
      }
      if (picked === 'failed') {
        fail(pickTexts.failed);
        return;
      }
      setIsWaiting(true);
      const arrived = await pollForPicked(client, before, signal);
      if (signal.aborted) {
        return;
      }
      if (arrived === undefined) {
        setMessage({
          tone: 'info',
          text: pickTexts.notYet,
          action: <ButtonLink to={dashboardPaths.list}>{chatTexts.backToList}</ButtonLink>,
        });
      } else if (arrived.managed !== undefined) {
        setMessage({
          tone: 'info',
          text: pickTexts.managed(chatTitle(arrived.managed)),
          action: (
            <ButtonLink to={dashboardPaths.chat(arrived.chatId)}>{pickTexts.manage}</ButtonLink>
          ),
        });
      } else {
        platform.haptic('success');
        // Replaced, so that Back does not lead to a step that is done.
        void navigate(dashboardPaths.verify(arrived.chatId), { replace: true });
      }
    } catch (error) {
      if (!signal.aborted) {
        fail(errorText(error, pickTexts.failed));
      }
    } finally {
      setIsWaiting(false);
    }
  });

  return (
    <>
      <StepHint>{hint}</StepHint>
      {message && (
        <Notice tone={message.tone} action={message.action}>
          <LinkedText text={message.text} />
        </Notice>
      )}
      {isWaiting && <Spinner label={pickTexts.waiting} />}
      <Button
        kind="primary"
        isWide
        isBusy={isBusy}
        icon={<UsersRound aria-hidden size={18} />}
        onClick={run}
      >
        {pickTexts.open}
      </Button>
    </>
  );
}

/** How long to wait before each read of the list; about 15 seconds together. */
const waitsMs = [300, 700, 1000, 1500, 2000, 3000, 3000, 4000] as const;

type ChatList = Awaited<ReturnType<typeof refetchList>>;

/** `managed` is set if the user manages the picked chat already; otherwise it is verified next. */
type PickedChat = { readonly chatId: string; readonly managed: Chat | undefined };

/** Rejects when the list cannot be read. */
function refetchList(client: QueryClient) {
  return client.fetchQuery({ ...chatQueries.list(), staleTime: 0, retry: false });
}

/** A picked group arrives through the bot a moment later. Returns undefined when none has arrived in time. */
async function pollForPicked(
  client: QueryClient,
  before: ChatList,
  signal: AbortSignal,
): Promise<PickedChat | undefined> {
  for (const ms of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (signal.aborted) {
      return undefined;
    }
    // The next read may succeed where this one fails.
    const now = await refetchList(client).catch(() => before);
    const chatId = findNew(now, before);
    if (chatId !== undefined) {
      return { chatId, managed: now.chats.find(({ chat_id }) => chat_id === chatId) };
    }
  }
  return undefined;
}

/** A chat of the list may be picked again: then only the time in `newest` shows it, on servers that send it. */
function findNew({ newest, unverified }: ChatList, before: ChatList): string | undefined {
  if (newest !== undefined && newest.added_at > (before.newest?.added_at ?? 0)) {
    return newest.chat_id;
  }
  const known = new Set(before.unverified.map(({ chat_id }) => chat_id));
  return unverified.find(({ chat_id }) => !known.has(chat_id))?.chat_id;
}
