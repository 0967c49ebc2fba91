/** The tab "Log and commands": the log channel, reports, how the bot answers, and commands for members. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { Megaphone, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import {
  type ChatValues,
  type LogCategory,
  logCategories,
  offName,
  readValue,
  switchableCommands,
  wholeChat,
} from '#contract/chats/values';
import { commandTable } from '#contract/commands/index';
import { commandTexts } from '#contract/commands/titles';
import { logChannelPick, pickLogChannel } from '#contract/endpoints/chat-values';
import { type Chat } from '#contract/endpoints/chats';
import { call, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useIsOffered } from '#lib/offered-commands';
import { type Platform, usePlatform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { useChooseValue } from '../choose-value.ts';
import { handleLostAccess } from '../failed-writes.ts';
import { Pending } from '../pending.tsx';
import { PlaceChoice, usePlace } from '../rule-rows.tsx';
import { valueLine } from '../value-lines.ts';
import { SwitchCell } from '../value-rows.tsx';
import { valueTexts } from '../value-texts.ts';
import { isSame, readShown, useShownValues, valueQuery } from '../value-writes.ts';
import { logTexts as texts } from './texts.ts';

import styles from '../sections/sections.module.css';

const names = [
  'log_channel',
  'log_categories',
  'reports',
  'quiet_actions',
  'trust_anonymous',
] as const;

export function LogSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const query = useQuery(valueQuery(chatId));
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);
  const channel = readValue(shown, 'log_channel');

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <LogChannel chatId={chatId} channel={channel} />
        <Categories
          chosen={readValue(shown, 'log_categories')}
          hasChannel={channel !== undefined}
          onChoose={(value) => choose({ name: 'log_categories', value })}
        />
      </div>
      <div className={styles.column}>
        <Section heading={texts.reports.heading} headingLevel={3}>
          <SwitchCell
            title={texts.reports.title}
            about={texts.reports.about}
            isOn={readValue(shown, 'reports')}
            onChange={(value) => choose({ name: 'reports', value })}
          />
        </Section>
        <Section heading={texts.answers.heading} headingLevel={3}>
          <SwitchCell
            title={texts.answers.quiet}
            about={texts.answers.quietAbout}
            isOn={readValue(shown, 'quiet_actions')}
            onChange={(value) => choose({ name: 'quiet_actions', value })}
          />
          <SwitchCell
            title={texts.answers.trust}
            about={texts.answers.trustAbout}
            isOn={readValue(shown, 'trust_anonymous')}
            onChange={(value) => choose({ name: 'trust_anonymous', value })}
          />
        </Section>
        <MemberCommands chat={chat} />
      </div>
    </div>
  );
}

type CategoriesProps = {
  readonly chosen: readonly LogCategory[];
  readonly hasChannel: boolean;
  readonly onChoose: (chosen: readonly LogCategory[]) => void;
};

function Categories({ chosen, hasChannel, onChoose }: CategoriesProps) {
  return (
    <Section
      heading={texts.categories.heading}
      headingLevel={3}
      {...(!hasChannel && { remark: texts.categories.noChannel })}
    >
      {logCategories.map((category) => (
        <SwitchCell
          key={category}
          title={valueTexts.categories[category]}
          about={texts.categories.about[category]}
          isOn={chosen.includes(category)}
          isDisabled={!hasChannel}
          onChange={(isOn) =>
            onChoose(
              logCategories.filter((name) => (name === category ? isOn : chosen.includes(name))),
            )
          }
        />
      ))}
    </Section>
  );
}

type Channel = ChatValues['log_channel'];

type LogChannelProps = { readonly chatId: string; readonly channel: Channel | undefined };

/** The channel to which the bot writes what was done. */
function LogChannel({ chatId, channel }: LogChannelProps) {
  const { pickChat } = usePlatform();
  const canPick = useCapabilities().has(logChannelPick) === true && pickChat !== undefined;
  const choose = useChooseValue(chatId);

  return (
    <Section heading={texts.channel.heading} headingLevel={3} remark={texts.channel.about}>
      <Cell
        before={<Megaphone size={20} />}
        title={channel === undefined ? texts.channel.none : <bdi>{channel.title}</bdi>}
        subtitle={channel === undefined ? texts.channel.noneAbout : texts.channel.chosen}
      />
      {canPick ? (
        <Pick chatId={chatId} pickChat={pickChat} isAnother={channel !== undefined} />
      ) : (
        <>
          {channel !== undefined && <Cell title={texts.channel.another} />}
          <Steps />
        </>
      )}
      {channel !== undefined && (
        <Cell
          tone="danger"
          before={<Trash2 size={20} />}
          title={texts.channel.remove}
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

/** As it is typed. */
const setLog = '/setlog';

/** Where Telegram has no list of channels. */
function Steps() {
  return (
    <ol className={styles.steps} aria-label={texts.channel.steps}>
      <li>{texts.channel.addBot}</li>
      <li>{fillSlots(texts.channel.write, { command: <code>{setLog}</code> })}</li>
      <li>{texts.channel.forward}</li>
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
        fail(texts.channel.failed);
      } else if (await waitForChannel(client, { chatId, before, signal })) {
        platform.haptic('success');
      } else if (!signal.aborted) {
        setMessage({ tone: 'info', text: texts.channel.notYet });
      }
    } catch (error) {
      if (!signal.aborted && !handleLostAccess(chatId, error)) {
        fail(errorText(error, texts.channel.failed));
      }
    }
  });

  return (
    <>
      <Cell
        tone="accent"
        before={<Plus />}
        title={isAnother ? texts.channel.another : texts.channel.choose}
        subtitle={isBusy ? texts.channel.waiting : texts.channel.chooseHint}
        after={isBusy ? <Spinner size="small" /> : undefined}
        onClick={run}
      />
      {message && (
        <div className={styles.inset}>
          <Notice tone={message.tone}>{message.text}</Notice>
        </div>
      )}
    </>
  );
}

/** How long to wait before each read of the values; about 15 seconds together. */
const waitsMs = [300, 700, 1000, 1500, 2000, 3000, 3000, 4000] as const;

const readChannel = (client: QueryClient, chatId: string): unknown =>
  readShown(client, chatId, { place: wholeChat, name: 'log_channel' });

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

const offNames = switchableCommands.map(offName);

/** Which commands members may use: in the whole chat, or in one of its topics. */
function MemberCommands({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const [place, setPlace] = usePlace(chat);
  const here = useShownValues({ chatId, place, names: offNames });
  const inChat = useShownValues({ chatId, names: offNames });
  const choose = useChooseValue(chatId);
  const isOffered = useIsOffered();

  return (
    <Section heading={texts.commands.heading} headingLevel={3} foot={texts.commands.about}>
      <PlaceChoice chat={chat} place={place} onChoose={setPlace} />
      {switchableCommands.filter(isOffered).map((id) => {
        const name = offName(id);
        const isOffInChat = place !== wholeChat && inChat[name] === true;
        const { title, description } = commandTexts[id];
        return (
          <SwitchCell
            key={`${place} ${id}`}
            title={title}
            about={
              isOffInChat
                ? texts.commands.offInChat
                : texts.commands.line(`/${commandTable[id].names[0]}`, description)
            }
            isOn={!isOffInChat && here[name] !== true}
            isDisabled={isOffInChat}
            onChange={(isOn) => choose({ place, name, value: isOn ? null : true })}
          />
        );
      })}
    </Section>
  );
}
