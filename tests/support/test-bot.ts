/** A server whose bot hears what people write, by a Bot API stand-in: real polling, real answers. */
import { onTestFinished } from 'vitest';

import { type BotApi, startBotApi } from './bot-api-server.ts';
import { writtenMessage } from './bot-api-world.ts';
import { createTestServer, type TestServer } from './test-server.ts';

type Writing = {
  /** A group when it is negative. The writer's own private chat when absent. */
  readonly chatId?: number;
  readonly from?: number;
  /** In a topic of a forum. */
  readonly topicId?: number | undefined;
  /** Further fields of the message. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
};

export type TestBot = {
  readonly api: BotApi;
  readonly server: TestServer;
  /** Somebody writes; resolves when the bot has worked it off. Answers the id of the message. */
  readonly writes: (text: string, writing?: Writing) => Promise<number>;
  /** Brings an update; resolves when the bot has worked it off. */
  readonly hears: (update: Readonly<Record<string, unknown>>) => Promise<void>;
};

export const ada = { id: 42, is_bot: false, first_name: 'Ada', username: 'ada' } as const;
export const groupId = -1_001_234_567_890;

/** Everything is closed when the test has finished. */
export async function startBot(
  options: Parameters<typeof createTestServer>[0] & { readonly api?: BotApi } = {},
): Promise<TestBot> {
  const { api: given, ...serverOptions } = options;
  const api = given ?? (await startBotApi());
  const server = await createTestServer({ bot: { api }, ...serverOptions });
  onTestFinished(async () => {
    await server.close();
    await api.close();
  });
  let nextMessageId = 1000;

  async function hears(update: Readonly<Record<string, unknown>>): Promise<void> {
    api.updates.push(update);
    await api.updates.confirmed();
  }

  return {
    api,
    server,
    hears,
    writes: async (text, { chatId = ada.id, from = ada.id, topicId, fields } = {}) => {
      nextMessageId += 1;
      const written = writtenMessage({ text, chatId, from, topicId, messageId: nextMessageId });
      await hears({ message: { ...written, ...fields } });
      return nextMessageId;
    },
  };
}
