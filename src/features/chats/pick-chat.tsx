/** Picking a group from the list of the Telegram client, and finding the chat that has arrived. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { preparePick } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { call, errorText } from '#lib/api';
import { dashboardPaths } from '#lib/paths';
import { type Platform, usePlatform } from '#lib/platform';
import { Button, ButtonLink } from '#ui/button';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { StepHint } from './first-run.tsx';
import { LinkedText } from './linked-text.tsx';
import { chatTitle } from './names.ts';
import { chatQueries } from './queries.ts';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

const { pick: pickTexts } = chatTexts;

type PickProps = {
  readonly pickChat: NonNullable<Platform['pickChat']>;
  readonly hint: string;
};
type Message = {
  readonly tone: 'info' | 'error';
  readonly text: string;
  readonly action?: ReactNode;
};

export function Pick({ pickChat, hint }: PickProps) {
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
export function findNew({ newest, unverified }: ChatList, before: ChatList): string | undefined {
  if (newest !== undefined && newest.added_at > (before.newest?.added_at ?? 0)) {
    return newest.chat_id;
  }
  const known = new Set(before.unverified.map(({ chat_id }) => chat_id));
  return unverified.find(({ chat_id }) => !known.has(chat_id))?.chat_id;
}
