/** Step 2: adds a chat by its ID, after which its owner gets a code, or by picking it in Telegram. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { chatPick, preparePick } from '#contract/endpoints/chat-activity';
import { addChat, type Chat } from '#contract/endpoints/chats';
import { call, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useMainButton } from '#lib/main-button';
import { dashboardPaths } from '#lib/paths';
import { getPlatform, type Platform, usePlatform } from '#lib/platform';
import { Button, ButtonLink, SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { LinkedText } from './linked-text.tsx';
import { chatQueries, requestCode } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

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
  return (
    <>
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      <PickGroup />
      <div className={styles.columns}>
        <AddById />
        <Card title={texts.before}>
          <ol className={styles.hints}>
            <li>{texts.botIsAdmin}</li>
            <li>{texts.findId}</li>
            <li>{texts.ownerStarted}</li>
          </ol>
        </Card>
      </div>
      {data?.chats.length === 0 && below}
    </>
  );
}

function AddById() {
  const navigate = useNavigate();
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
  const hasMainButton = useMainButton({
    text: chatTexts.proceed,
    isEnabled: true,
    isBusy,
    press: run,
  });

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
        <Actions isBusy={isBusy} isElsewhere={hasMainButton} />
      </form>
    </Card>
  );
}

function Actions({ isBusy, isElsewhere }: Record<'isBusy' | 'isElsewhere', boolean>) {
  const navigate = useNavigate();
  return (
    <div className={styles.actions}>
      <Button kind="quiet" onClick={() => void navigate(dashboardPaths.list)}>
        {chatTexts.backToList}
      </Button>
      <SubmitButton
        text={chatTexts.proceed}
        isBusy={isBusy}
        isElsewhere={isElsewhere}
        isWide={false}
      />
    </div>
  );
}

/** Shown where the Telegram client can list groups and the server has a bot. */
function PickGroup() {
  const { pickChat } = usePlatform();
  const isOffered = useCapabilities({ isWanted: pickChat !== undefined }).has(chatPick) === true;
  return pickChat && isOffered ? <PickCard pickChat={pickChat} /> : null;
}

type PickCardProps = { readonly pickChat: NonNullable<Platform['pickChat']> };
type Message = {
  readonly tone: 'info' | 'error';
  readonly text: string;
  readonly action?: ReactNode;
};

function PickCard({ pickChat }: PickCardProps) {
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
          text: pickTexts.managed(chatTexts.chatTitle(arrived.managed)),
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
    <Card title={pickTexts.heading}>
      <p>{pickTexts.hint}</p>
      {message && (
        <Notice tone={message.tone} action={message.action}>
          <LinkedText text={message.text} />
        </Notice>
      )}
      {isWaiting && <Spinner label={pickTexts.waiting} />}
      <Button isWide isBusy={isBusy} icon={<UsersRound aria-hidden size={18} />} onClick={run}>
        {pickTexts.open}
      </Button>
    </Card>
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
