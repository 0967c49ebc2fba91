/** The channel to which the bot writes what was done, and how one is chosen. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Megaphone, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { type ChatValues } from '#contract/chats/values';
import { logChannelPick, pickLogChannel } from '#contract/endpoints/chat-values';
import { call, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { type Platform, usePlatform } from '#lib/platform';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { useChooseValue } from '../choose-value.ts';
import { handleLostAccess } from '../failed-writes.ts';
import { useAction } from '../use-action.ts';
import { valueLine } from '../value-lines.ts';
import { isSame, readShown, valueQuery } from '../value-writes.ts';
import { logTexts } from './texts.ts';

import sections from '../sections/sections.module.css';
import styles from './log.module.css';

const texts = logTexts.channel;

type Channel = ChatValues['log_channel'];

type LogChannelProps = { readonly chatId: string; readonly channel: Channel | undefined };

export function LogChannel({ chatId, channel }: LogChannelProps) {
  const { pickChat } = usePlatform();
  const canPick = useCapabilities().has(logChannelPick) === true && pickChat !== undefined;
  const choose = useChooseValue(chatId);

  return (
    <Section heading={texts.heading} headingLevel={3} remark={texts.about}>
      <Cell
        before={<Megaphone size={20} />}
        title={channel === undefined ? texts.none : <bdi>{channel.title}</bdi>}
        subtitle={channel === undefined ? texts.noneAbout : texts.chosen}
      />
      {canPick ? (
        <Pick chatId={chatId} pickChat={pickChat} isAnother={channel !== undefined} />
      ) : (
        channel === undefined && <Steps />
      )}
      {channel !== undefined && (
        <Cell
          tone="danger"
          before={<Trash2 size={20} />}
          title={texts.remove}
          onClick={() =>
            choose({
              name: 'log_channel',
              value: null,
              text: valueLine('log_channel', null),
            })
          }
        />
      )}
    </Section>
  );
}

/** Where Telegram has no list of channels. */
function Steps() {
  return (
    <ol className={styles.steps} aria-label={texts.steps}>
      <li>{texts.addBot}</li>
      <li>{fillSlots(texts.write, { command: <code>/setlog</code> })}</li>
      <li>{texts.forward}</li>
    </ol>
  );
}

type PickProps = {
  readonly chatId: string;
  readonly pickChat: NonNullable<Platform['pickChat']>;
  readonly isAnother: boolean;
};
type Message = { readonly tone: 'info' | 'error'; readonly text: string };

/** Chooses a channel from the list of the Telegram client. */
function Pick({ chatId, pickChat, isAnother }: PickProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const [message, setMessage] = useState<Message>();

  const { isBusy, run } = useAction(async (signal) => {
    setMessage(undefined);
    const fail = (text: string) => {
      setMessage({ tone: 'error', text });
      platform.haptic('error');
    };
    try {
      const before = readChannel(client, chatId);
      const { request_id: id } = await call(pickLogChannel, { chat_id: chatId }, signal);
      const picked = await pickChat(id);
      if (signal.aborted || picked === 'declined') {
        return;
      }
      if (picked === 'failed') {
        fail(texts.failed);
      } else if (await waitForChannel(client, { chatId, before, signal })) {
        platform.haptic('success');
      } else if (!signal.aborted) {
        setMessage({ tone: 'info', text: texts.notYet });
      }
    } catch (error) {
      if (!signal.aborted && !handleLostAccess(chatId, error)) {
        fail(errorText(error, texts.failed));
      }
    }
  });

  return (
    <>
      <Cell
        tone="accent"
        before={<Plus />}
        title={isAnother ? texts.another : texts.choose}
        subtitle={isBusy ? texts.waiting : texts.chooseHint}
        after={isBusy ? <Spinner size="small" /> : undefined}
        onClick={run}
      />
      {message && (
        <div className={sections.inset}>
          <Notice tone={message.tone}>{message.text}</Notice>
        </div>
      )}
    </>
  );
}

/** How long to wait before each read of the values; about 15 seconds together. */
const waitsMs = [300, 700, 1000, 1500, 2000, 3000, 3000, 4000] as const;

const readChannel = (client: QueryClient, chatId: string): unknown =>
  readShown(client, chatId, { place: 'chat', name: 'log_channel' });

type Waiting = {
  readonly chatId: string;
  readonly before: unknown;
  readonly signal: AbortSignal;
};

/** A picked channel arrives through the bot a moment later. Resolves to whether it has arrived in time. */
async function waitForChannel(
  client: QueryClient,
  { chatId, before, signal }: Waiting,
): Promise<boolean> {
  for (const ms of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (signal.aborted) {
      return false;
    }
    // The next read may succeed where this one fails.
    await client
      .fetchQuery({ ...valueQuery(chatId), staleTime: 0, retry: false })
      .catch(() => undefined);
    if (!isSame(readChannel(client, chatId), before)) {
      return true;
    }
  }
  return false;
}
