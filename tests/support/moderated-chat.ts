/** A server with a bot in a managed chat, the messages that people write there, and what moderation did. */
import { onTestFinished } from 'vitest';

import { type MessageType, settingName } from '#contract/chats/message-types';
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { setSetting } from '#contract/endpoints/chats';

import { type BotApi, startBotApi } from './bot-api-server.ts';
import { giveChats } from './chats.ts';
import { createTestServer, type TestServer } from './test-server.ts';

export const chatId = -1_001_000_000_042;
export const topicId = 7;

export const people = { owner: 1001, administrator: 1002, member: 1003 } as const;

type Content = Readonly<Record<string, unknown>>;

export type ModeratedChat = {
  readonly api: BotApi;
  readonly server: TestServer;
  /** Lets the owner block or allow types, by the same call as the dashboard. */
  readonly block: (types: readonly MessageType[], options?: BlockOptions) => Promise<void>;
  readonly allow: (types: readonly MessageType[], options?: BlockOptions) => Promise<void>;
  /** A message that a member writes in General, unless `content` says otherwise. */
  readonly message: (content: Content) => Content & { readonly message_id: number };
  /** Hands in messages at the same time and waits until they are handled; returns their ids. */
  readonly write: (...contents: readonly Content[]) => Promise<readonly number[]>;
  /** Ids that Telegram was asked to delete in the chat, in the order of the calls. */
  readonly deleted: () => readonly number[];
};

/** Sorts ids whose order does not matter. */
export function inOrder(ids: readonly (number | undefined)[]): readonly (number | undefined)[] {
  return ids.toSorted((one, other) => (one ?? 0) - (other ?? 0));
}

type BlockOptions = { readonly chat?: number; readonly topic?: number };

type Options = Parameters<typeof createTestServer>[0] & {
  /** How the chat differs from a forum with an owner, an administrator and a member. */
  readonly chat?: Partial<Parameters<BotApi['addChat']>[0]>;
  /** That of another bot than the usual one. */
  readonly botToken?: string;
  /** The database already has the chat. */
  readonly isRestart?: boolean;
  /** What the answers of the stand-in wait for. */
  readonly line?: NonNullable<Parameters<typeof startBotApi>[0]>['line'];
};

/** The bot does not receive updates unless `variables` say so: `write` hands in the messages. */
export async function moderatedChat({
  chat,
  variables,
  isRestart = false,
  line,
  botToken,
  ...options
}: Options = {}): Promise<ModeratedChat> {
  let clock = Date.now;
  const api = await startBotApi({
    clock: () => clock(),
    ...(line === undefined ? {} : { line }),
    ...(botToken === undefined ? {} : { token: botToken }),
  });
  api.addChat({
    id: chatId,
    title: 'Otters',
    creator: people.owner,
    administrators: [people.administrator],
    members: [people.member],
    ...chat,
  });
  const server = await createTestServer({
    bot: { api },
    variables: { BOT_MODE: 'off', ...variables },
    ...options,
  });
  clock = server.now;
  onTestFinished(async () => {
    await server.close();
    await api.close();
  });
  if (!isRestart) {
    await addOwner(server);
    await giveChats(server, people.owner, [{ id: chatId, topics: [0, topicId], isDemo: false }]);
  }
  const token = (
    await server.services.sessions.start(people.owner, { address: '', userAgent: 'Test' })
  ).token;

  async function set(
    types: readonly MessageType[],
    value: boolean,
    { chat: chat_id = chatId, topic = 0 }: BlockOptions = {},
  ): Promise<void> {
    for (const type of types) {
      // In order, as on the dashboard.
      const { status } = await server.call(
        setSetting,
        {
          chat_id: String(chat_id),
          topic_id: String(topic),
          setting_name: settingName(type),
          value,
        },
        { token },
      );
      if (status !== 200) {
        throw new Error(`The setting was refused with ${status}`);
      }
    }
  }

  let lastId = 100;
  function message(content: Content) {
    lastId += 1;
    return {
      message_id: lastId,
      date: Math.floor(server.now() / 1000),
      chat: { id: chatId, type: 'supergroup', title: 'Otters', is_forum: true },
      from: { id: people.member, is_bot: false, first_name: 'Mo' },
      ...content,
    };
  }

  return {
    api,
    server,
    block: (types, where) => set(types, true, where),
    allow: (types, where) => set(types, false, where),
    message,
    write: async (...contents) => {
      const messages = contents.map(message);
      await Promise.all(messages.map((one) => server.services.moderation.handleMessage(one)));
      return messages.map(({ message_id }) => message_id);
    },
    deleted: () => api.deletions.of(chatId),
  };
}

/** Adds the owner's account directly; registering would need a code by Telegram. */
async function addOwner({ db, now }: TestServer): Promise<void> {
  await db
    .insertInto('people')
    .values({
      telegram_id: people.owner,
      email: 'owner@example.org',
      password_hash: '',
      first_name: 'Olga',
      username: null,
      photo_url: null,
      created_at: now(),
    })
    .execute();
}

/** The kinds of all events about the chat from now on. */
export function listen({ server }: ModeratedChat): readonly ChatEvent['kind'][] {
  const kinds: ChatEvent['kind'][] = [];
  server.services.chatEvents.followAll(({ kind }) => kinds.push(kind));
  return kinds;
}

export async function readBotPlace({ server }: ModeratedChat) {
  return server.db
    .selectFrom('bot_chats')
    .select(['is_in', 'may_delete'])
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
}

/** Stores that the bot is in the chat with all rights. */
export async function seenBot({ server }: ModeratedChat): Promise<void> {
  await server.db
    .insertInto('bot_chats')
    .values({
      chat_id: chatId,
      chat_name: 'Otters',
      is_in: 1,
      may_delete: 1,
      is_forum: 1,
      added_by: null,
      added_at: null,
      updated_at: server.now(),
    })
    .execute();
}

/** Deletions that are saved. */
export const waitingRows = ({ server }: ModeratedChat) =>
  server.db.selectFrom('due_deletions').selectAll().execute();

export async function later(chat: ModeratedChat, ms: number): Promise<void> {
  chat.server.wait(ms);
  await chat.server.services.deletions.deleteDue();
}
