/** A server with a bot, chats behind it, and logged-in people; the settings of chats and their history. */
import * as v from 'valibot';
import { onTestFinished } from 'vitest';

import { changeSettings, listChanges, revertChange } from '#contract/endpoints/chat-changes';
import {
  addChat,
  type Chat,
  readChat,
  setSetting,
  type Settings,
  verifyChat,
} from '#contract/endpoints/chats';
import { type Database } from '#server/db/client';
import { connectTelegram } from '#server/upstream/telegram/telegram';
import { createSessions } from '#services/accounts';

import { type BotApi, startBotApi } from './bot-api-server.ts';
import { createTestServer, type Reply, type TestServer } from './test-server.ts';

export const owner = 111;
export const friend = 222;
export const stranger = 333;
export const chatId = -1001234567890;

/** A person who is signed in on the server. */
export type SignedIn = { readonly telegramId: number; readonly token: string };

type World = { readonly server: TestServer; readonly bot: BotApi };

/** A server with a bot that is administrator in one chat, which `owner` owns and `friend` is in. */
export async function startWorld({ database }: { database?: Database } = {}): Promise<
  World & { readonly chat: ReturnType<BotApi['addChat']> }
> {
  const bot = await startBotApi({
    people: [
      { id: owner, first_name: 'Olga', username: 'olga' },
      { id: friend, first_name: 'Farid' },
    ],
  });
  onTestFinished(bot.close);
  const chat = bot.addChat({ id: chatId, title: 'Cat lovers', creator: owner, members: [friend] });
  return { server: await serverWith(bot, database), bot, chat };
}

/** A server connected to this bot; its calls give up after 2.5 seconds. */
export async function serverWith(
  { token, apiRoot }: BotApi,
  database?: Database,
): Promise<TestServer> {
  const telegram = connectTelegram({ token, apiRoot, timeoutMs: 2500 });
  return keep(await createTestServer({ telegram, ...(database ? { database } : {}) }));
}

/** A server that runs without a bot. */
export async function startDemoServer(database?: Database): Promise<TestServer> {
  return keep(await createTestServer(database ? { database } : {}));
}

function keep(server: TestServer): TestServer {
  onTestFinished(server.close);
  return server;
}

/** Makes the account when there is none, and signs the person in. */
export async function signIn({ db, deps }: TestServer, telegramId: number): Promise<SignedIn> {
  await db
    .insertInto('people')
    .values({
      telegram_id: telegramId,
      email: `${telegramId}@example.org`,
      password_hash: 'unused',
      first_name: null,
      username: null,
      photo_url: null,
      created_at: deps.clock(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return {
    telegramId,
    token: (await createSessions(deps).start(telegramId, { address: '', userAgent: undefined }))
      .token,
  };
}

/** Goes the whole way: asks, reads the owner's messages, enters the code. */
export async function manage(
  { server, bot }: World,
  person: SignedIn,
  chat: { readonly id: number; readonly creator: number | undefined },
): Promise<void> {
  const asked = await server.call(addChat, { chat_id: chat.id }, person);
  if (asked.status !== 202) {
    throw new Error(`Asking for chat ${chat.id} failed: ${JSON.stringify(asked.body)}`);
  }
  const otp = bot.lastCode(chat.creator ?? 0);
  const verified = await server.call(verifyChat, { chat_id: chat.id, otp }, person);
  if (verified.status !== 200) {
    throw new Error(`Verifying chat ${chat.id} failed: ${JSON.stringify(verified.body)}`);
  }
  // The next code to the same owner is a minute away.
  server.wait(61_000);
}

/** Blocks photos in the chat's General topic, or allows them. */
export function blockPhotos(server: TestServer, person: SignedIn, value = true): Promise<Reply> {
  const change = { chat_id: chatId, topic_id: 0, setting_name: 'photo_blocked', value };
  return server.call(setSetting, change, person);
}

/** The chat in an answer, read as the client reads it. */
export function chatIn({ body }: Reply): Chat {
  return v.parse(readChat.output, body);
}

/** The settings of a topic in an answer. */
export function settingsIn({ body }: Reply): Settings {
  return v.parse(v.object({ settings: v.record(v.string(), v.boolean()) }), body).settings;
}

/** The value that a change of a setting answered. */
export function valueIn({ body }: Reply): boolean {
  return v.parse(v.object({ value: v.boolean() }), body).value;
}

type ManagedChat = {
  readonly id: number;
  readonly name?: string;
  readonly topics?: readonly number[];
  readonly isDemo?: boolean;
};

/** Makes the person a manager of these chats. The person has an account already. */
export async function giveChats(
  { db, now }: TestServer,
  telegramId: number,
  chats: readonly ManagedChat[],
): Promise<void> {
  const at = now();
  await db.transaction().execute(async (tx) => {
    for (const { id, name = '', topics = [0], isDemo = true } of chats) {
      const chat = { chat_id: id, chat_name: name, is_demo: isDemo ? 1 : 0, created_at: at };
      const manager = {
        chat_id: id,
        telegram_id: telegramId,
        owner_id: telegramId,
        role: 'creator' as const,
        verified_at: at,
        checked_at: at,
      };
      const rows = topics.map((topic) => ({ chat_id: id, topic_id: topic, created_at: at }));
      await tx.insertInto('chats').values(chat).execute();
      await tx.insertInto('chat_managers').values(manager).execute();
      await tx.insertInto('topics').values(rows).execute();
    }
  });
}

/** Takes the chat away from everyone, as when its owner sells it. */
export async function takeChatAway({ db }: TestServer, id: number): Promise<void> {
  await db.deleteFrom('chat_managers').where('chat_id', '=', id).execute();
}

type Topics = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/** The calls of one user on `chatId`. */
export function acting(server: TestServer, person: SignedIn) {
  const good = (reply: Reply): unknown => {
    if (reply.status !== 200) {
      throw new Error(`Refused: ${JSON.stringify(reply.body)}`);
    }
    return reply.body;
  };
  return {
    change: async (topics: Topics) =>
      v.parse(
        changeSettings.output,
        good(await server.call(changeSettings, { chat_id: chatId, kind: 'bulk', topics }, person)),
      ).change,

    toggle: async (setting_name: string, value: boolean) =>
      good(
        await server.call(
          setSetting,
          { chat_id: chatId, topic_id: '0', setting_name, value },
          person,
        ),
      ),

    revert: async (change_id: string, kind: 'undo' | 'revert' = 'undo') =>
      v.parse(
        revertChange.output,
        good(await server.call(revertChange, { chat_id: chatId, change_id, kind }, person)),
      ),

    history: async (before?: string) =>
      v.parse(
        listChanges.output,
        good(
          await server.call(
            listChanges,
            { chat_id: chatId, ...(before === undefined ? {} : { before }) },
            person,
          ),
        ),
      ),

    /** Topic → what it blocks. */
    blocked: async () => {
      const { topics } = chatIn(await server.call(readChat, { chat_id: chatId }, person));
      return Object.fromEntries(
        Object.entries(topics).map(([topicId, settings]) => [
          topicId,
          Object.keys(settings).filter((name) => settings[name] === true),
        ]),
      );
    },
  };
}
