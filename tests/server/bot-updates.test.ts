/** How updates reach the server: by polling, each one once, and what happens when Telegram fails. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type BotApi, startBotApi } from '#tests/bot-api';
import { createTestServer, type TestServer } from '#tests/server-kit';

let api: BotApi;
const servers: TestServer[] = [];

beforeEach(async () => {
  api = await startBotApi();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await api.close();
});

async function startServer(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer({ bot: { api }, ...options });
  servers.push(server);
  return server;
}

const hello = (chatId = 42) => ({
  message: {
    message_id: 1,
    date: 0,
    chat: { id: chatId, type: 'private', first_name: 'Ada' },
    from: { id: chatId, is_bot: false, first_name: 'Ada' },
    text: 'Hello',
  },
});

test('what is written reaches the server, and Telegram is told so', async () => {
  await startServer();
  api.updates.push(hello());

  await api.updates.confirmed();

  expect(api.updates.waiting()).toEqual([]);
  expect(api.callsOf('getUpdates')[0]?.body).toMatchObject({
    limit: 100,
    allowed_updates: ['message', 'edited_message', 'my_chat_member', 'chat_member'],
  });
});

test('a webhook that was set before is taken away, without losing what waits', async () => {
  api.updates.setWebhook({ url: 'https://old.example.org/hook' });
  api.updates.push(hello());
  await startServer();

  await api.updates.confirmed();

  expect(api.updates.webhook()).toBeUndefined();
  expect(api.callsOf('deleteWebhook')[0]?.body).not.toHaveProperty('drop_pending_updates');
});
