/** Applies the server's events to an open chat: others' changes are shown, and pending values stay. */
import { type QueryClient } from '@tanstack/react-query';

import { type ChatEvent, followChat } from '#contract/endpoints/chat-activity';
import { followEvents } from '#lib/event-stream';
import { useNotices } from '#lib/notices';
import { getSession } from '#lib/session';

import { readAgainWhenWritten } from './contested.ts';
import { isReadRefused, showInfo, useLostChat } from './failed-writes.ts';
import { userName } from './names.ts';
import { type ChatPart, chatQueries, partKey, readAgain } from './queries.ts';
import { createSettingReader, settingKey, settingWrites } from './setting-writes.ts';
import { chatTexts } from './texts.ts';

type SettingsEvent = Extract<ChatEvent, { kind: 'settings' }>;
type ValuesEvent = Extract<ChatEvent, { kind: 'values' }>;

const noticeId = 'chat-changed';

/** Follows the chat until the returned function is called. */
export function followLiveChat(client: QueryClient, chatId: string): () => void {
  const announce = createAnnouncer();

  const readQueriesAgain = (...parts: readonly ('one' | 'health' | 'changes')[]) => {
    for (const part of parts) {
      void readAgain(client, chatQueries[part](chatId).queryKey);
    }
  };

  const readPartsAgain = (...parts: readonly ChatPart[]) => {
    for (const part of parts) {
      void readAgain(client, partKey(part, chatId));
    }
  };

  return followEvents(
    followChat,
    { chat_id: chatId },
    {
      onOpen: () => {
        // What was read before may be older than what is told from now on.
        readQueriesAgain('one', 'health', 'changes');
        readPartsAgain('values', 'actions', 'warnings', 'approvals', 'joins');
      },
      onRefused: (error) => {
        if (isReadRefused(error)) {
          // This read is refused, too, which makes the page leave the chat.
          readQueriesAgain('one');
        }
      },
      onEvent: (event) => {
        switch (event.kind) {
          case 'settings':
            applySettings(client, chatId, event);
            readQueriesAgain('changes');
            announce(event, toSettings(event).map(settingKey));
            break;
          case 'values':
            applyValues(client, chatId, event);
            readQueriesAgain('changes');
            announce(event, namesIn(event));
            break;
          case 'action':
            readPartsAgain('actions', 'warnings');
            break;
          case 'approvals':
            readPartsAgain('approvals');
            break;
          case 'join':
            readPartsAgain('joins');
            break;
          case 'language':
            readQueriesAgain('one', 'changes');
            break;
          case 'topics':
          case 'upgraded':
            readQueriesAgain('one');
            break;
          case 'health':
            readQueriesAgain('health', 'one');
            break;
          case 'lost':
            useLostChat.setState({ chatId });
            break;
        }
      },
    },
  );
}

function toSettings({ topics }: SettingsEvent) {
  return Object.entries(topics).flatMap(([topicId, settings]) =>
    Object.entries(settings).map(([name, value]) => ({ topicId, name, value })),
  );
}

function namesIn({ values }: ValuesEvent): readonly string[] {
  return Object.entries(values).flatMap(([place, named]) =>
    Object.keys(named).map((name) => `${place}/${name}`),
  );
}

function isOwn({ by }: SettingsEvent | ValuesEvent): boolean {
  const session = getSession();
  return session.status === 'member' && session.telegramId === by.telegram_id;
}

function applySettings(client: QueryClient, chatId: string, event: SettingsEvent): void {
  const { queryKey } = chatQueries.one(chatId);
  const writes = settingWrites(client, chatId);
  const read = createSettingReader(client, chatId);
  const chat = client.getQueryData(queryKey);
  const settings = toSettings(event);
  const readNow = () => void readAgain(client, queryKey);

  if (isOwn(event)) {
    // This page's own changes come back, maybe late. Other values were set on another device.
    if (settings.some((setting) => read(setting) !== setting.value)) {
      readNow();
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
    // The read in flight may be older than the event.
    readNow();
  }
  readAgainWhenWritten(writes, settings.map(settingKey), readNow);
}

/** What knows the values is loaded with the tabs that show them. Until they are read, there is nothing to change. */
function applyValues(client: QueryClient, chatId: string, event: ValuesEvent): void {
  const queryKey = partKey('values', chatId);
  const readNow = () => void readAgain(client, queryKey);
  if (client.getQueryData(queryKey) === undefined) {
    readNow();
    return;
  }
  const apply = async () => {
    const { applyValuesEvent } = await import('./value-writes.ts');
    applyValuesEvent(client, chatId, { values: event.values, isOwn: isOwn(event) });
  };
  apply().catch(readNow);
}

/** Shows who changed how many settings and values. Quick changes of one user are counted in one notice. */
function createAnnouncer(): (event: SettingsEvent | ValuesEvent, keys: readonly string[]) => void {
  let shown: { readonly by: string; readonly keys: Set<string> } | undefined;

  return (event, keys) => {
    if (isOwn(event)) {
      return;
    }
    const isShown = useNotices.getState().notices.some(({ id }) => id === noticeId);
    if (!isShown || shown?.by !== event.by.telegram_id) {
      shown = { by: event.by.telegram_id, keys: new Set() };
    }
    for (const key of keys) {
      shown.keys.add(key);
    }
    showInfo(noticeId, chatTexts.changedBy(userName(event.by), shown.keys.size));
  };
}
