/** Two servers with one database, a bot whose updates Telegram sends to either, and a group that both hear. */
import { expect, onTestFinished } from 'vitest';

import { type Database, migrate } from '#server/db/client';

import { startBotApi } from './bot-api-server.ts';
import { groupId, startBot } from './test-bot.ts';
import { createMemoryStore, createTestServer, type TestServer } from './test-server.ts';

type Person = { readonly id: number; readonly first_name: string; readonly username?: string };

type Options = Omit<Parameters<typeof createTestServer>[0] & object, 'bot' | 'database'> & {
  readonly database: Database;
  /** The owner of the group, an administrator, and members. */
  readonly people: readonly [Person, Person, ...Person[]];
};

/** Telegram sends each update to the server that `goTo` chooses; they take turns unless told otherwise. */
export async function startTwo({ database, people, variables, ...options }: Options) {
  const api = await startBotApi({ people, kickMs: 0 });
  await migrate(database);
  const all = {
    api,
    bot: { api },
    objects: createMemoryStore(),
    ...options,
    database: { ...database, close: () => Promise.resolve() },
    variables: { BOT_MODE: 'webhook', PUBLIC_URL: 'https://nori.example.org', ...variables },
  };
  const bot = await startBot(all);
  const other = await createTestServer(all);
  onTestFinished(() => other.close());
  await expect.poll(() => api.callsTo('setWebhook')).toHaveLength(2);
  const servers = [bot.server, other] as const;
  let turn = 0;
  let only: TestServer | undefined;
  api.updates.deliver(async (update, webhook) => {
    turn += 1;
    const server = only ?? servers[turn % 2] ?? other;
    const { status } = await server.request('/backend/bot/updates', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Telegram-Bot-Api-Secret-Token': String(webhook['secret_token']),
      },
      body: JSON.stringify(update),
    });
    return { status };
  });
  const [owner, administrator, ...members] = people.map(({ id }) => id);
  const group = api.addChat({
    id: groupId,
    title: 'Otters',
    ...(owner === undefined ? {} : { creator: owner }),
    administrators: administrator === undefined ? [] : [administrator],
    members,
  });
  const personWith = (id: number) => ({ is_bot: false, ...people.find((one) => one.id === id) });

  return {
    ...bot,
    first: bot.server,
    second: other,
    group,

    /** In the group, unless `chatId` says otherwise. */
    write: (
      text: string,
      from: number,
      {
        chatId = groupId,
        ...fields
      }: { readonly chatId?: number; readonly [field: string]: unknown } = {},
    ) => bot.writes(text, { chatId, from, fields: { from: personWith(from), ...fields } }),

    /** Updates go to this server alone from now on; to both in turn when it is undefined. */
    goTo: (server: TestServer | undefined): void => {
      only = server;
    },

    /** What the bot has said last. */
    lastText: () => api.messages.at(-1)?.text,

    /** Presses a button of the last message with any. Resolves with what is shown for it. */
    press: async (from: number, label: string) => {
      const message = api.messages.findLast(({ body }) => body['reply_markup'] !== undefined);
      const id = message && api.presses.press(message, from, label);
      await api.updates.confirmed();
      await bot.server.handled();
      return api.presses.answers.find(({ pressId }) => pressId === id)?.text;
    },
  };
}
