/** What an open chat does with the events of the server: others' changes show, and what is wished here stays. */
import { type QueryClient } from '@tanstack/react-query';

import { type ChatEvent, followChat } from '#contract/endpoints/chat-activity';
import { followEvents } from '#lib/event-stream';
import { useNotices } from '#lib/notices';
import { getSession } from '#lib/session';

import { showInfo, useLostChat } from '../failed-writes.ts';
import { changesOf } from '../history/queries.ts';
import { personName } from '../people.ts';
import { chatQueries, isNotManaged, keyOfSetting, settingWrites } from '../queries.ts';
import { liveTexts } from './texts.ts';

type SettingsEvent = Extract<ChatEvent, { kind: 'settings' }>;

const noticeId = 'chat-changed';

/** What was read so recently is not read again when the connection is made for the first time. */
const freshMs = 2000;

/** Follows the chat until the returned function is called. */
export function followLiveChat(client: QueryClient, chatId: string): () => void {
  const chatKey = chatQueries.one(chatId).queryKey;
  const tell = createTeller();
  let isFirst = true;

  const parts = {
    one: chatQueries.one(chatId),
    health: chatQueries.health(chatId),
    changes: changesOf(chatId),
  };
  const readAgain = (...names: readonly (keyof typeof parts)[]) => {
    for (const name of names) {
      void client.invalidateQueries({ queryKey: parts[name].queryKey });
    }
  };

  return followEvents(
    followChat,
    { chat_id: chatId },
    {
      onOpen: () => {
        const readAt = client.getQueryState(chatKey)?.dataUpdatedAt ?? 0;
        if (!isFirst || Date.now() - readAt > freshMs) {
          readAgain('one', 'health', 'changes');
        }
        isFirst = false;
      },
      onRefused: (error) => {
        if (isNotManaged(error)) {
          // The read says so, too, and then the settings are left.
          readAgain('one');
        }
      },
      onEvent: (event) => {
        switch (event.kind) {
          case 'settings':
            takeSettings(client, chatId, event);
            readAgain('changes');
            tell(event);
            break;
          case 'topics':
          case 'upgraded':
            readAgain('one');
            break;
          case 'health':
            readAgain('health', 'one');
            break;
          case 'lost':
            useLostChat.setState({ chatId });
            break;
        }
      },
    },
  );
}

/** Every setting of the event, one by one. */
function settingsOf({ topics }: SettingsEvent) {
  return Object.entries(topics).flatMap(([topicId, settings]) =>
    Object.entries(settings).map(([name, value]) => ({ topicId, name, value })),
  );
}

function isOwn({ by }: SettingsEvent): boolean {
  const session = getSession();
  return session.status === 'member' && session.telegramId === by.telegram_id;
}

function takeSettings(client: QueryClient, chatId: string, event: SettingsEvent): void {
  const { queryKey } = chatQueries.one(chatId);
  const { getPending, subscribe } = settingWrites(client, chatId);
  const chat = client.getQueryData(queryKey);
  const settings = settingsOf(event);
  const readAgain = () => void client.invalidateQueries({ queryKey });

  if (isOwn(event)) {
    // This page's own changes come back, maybe late: what differs was changed on another device.
    const isElsewhere = settings.some(({ topicId, name, value }) => {
      const shown = getPending(keyOfSetting({ topicId, name })) ?? chat?.topics[topicId]?.[name];
      return shown !== value;
    });
    if (isElsewhere) {
      readAgain();
    }
    return;
  }

  const isReading = client.isFetching({ queryKey, exact: true }) > 0;
  client.setQueryData(queryKey, (now) => {
    const changed = Object.entries(event.topics).map(
      ([topicId, values]) => [topicId, { ...now?.topics[topicId], ...values }] as const,
    );
    return now && { ...now, topics: { ...now.topics, ...Object.fromEntries(changed) } };
  });
  const isTopicNew = settings.some(({ topicId }) => chat?.topics[topicId] === undefined);
  if (isReading || isTopicNew) {
    // The answer that is on its way may be older than the event.
    readAgain();
  }
  const contested = settings.map(keyOfSetting).filter((key) => getPending(key) !== undefined);
  if (contested.length > 0) {
    // Both wrote the same setting: once ours is through, the server says who was the last.
    const stop = subscribe(() => {
      if (contested.every((key) => getPending(key) === undefined)) {
        stop();
        readAgain();
      }
    });
  }
}

/** Says who changed how much. Changes of one person that come quickly are counted together. */
function createTeller(): (event: SettingsEvent) => void {
  let told: { readonly by: string; readonly keys: Set<string> } | undefined;

  return (event) => {
    if (isOwn(event)) {
      return;
    }
    const isShown = useNotices.getState().notices.some(({ id }) => id === noticeId);
    if (!isShown || told?.by !== event.by.telegram_id) {
      told = { by: event.by.telegram_id, keys: new Set() };
    }
    for (const setting of settingsOf(event)) {
      told.keys.add(keyOfSetting(setting));
    }
    showInfo(noticeId, liveTexts.changed(personName(event.by), told.keys.size));
  };
}
