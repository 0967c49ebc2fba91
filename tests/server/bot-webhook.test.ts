/**
 * Updates by webhook: accepted only with the secret, handled once, and sent again until they are
 * handled.
 */
import { expect, test } from 'vitest';

import { startBotApi } from '#tests/bot-api-server';
import { ada, startBot } from '#tests/test-bot';
import { createTestServer, type TestServer } from '#tests/test-server';

const publicUrl = 'https://nori.example.org';
const variables = { BOT_MODE: 'webhook', PUBLIC_URL: publicUrl };
const path = '/backend/bot/updates';

const help = (updateId = 1) => ({
  update_id: updateId,
  message: {
    message_id: 1,
    date: 0,
    chat: { id: ada.id, type: 'private', first_name: 'Ada' },
    from: ada,
    text: '/help',
    entities: [{ type: 'bot_command', offset: 0, length: 5 }],
  },
});

function sendUpdate(server: TestServer, secret: string | undefined, body: unknown = help()) {
  return server.request(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(secret === undefined ? {} : { 'X-Telegram-Bot-Api-Secret-Token': secret }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A server that has set its webhook, and the secret that it sent to Telegram. */
async function startWebhook(options: Parameters<typeof startBot>[0] = {}) {
  const bot = await startBot({ variables, ...options });
  await expect.poll(() => bot.api.updates.webhook()).toBeDefined();
  return { ...bot, secret: String(bot.api.updates.webhook()?.['secret_token']) };
}

test('Telegram receives the address and the secret of the webhook', async () => {
  const { api, server, secret } = await startWebhook();

  expect(api.updates.webhook()).toMatchObject({
    url: `${publicUrl}${path}`,
    allowed_updates: ['message', 'edited_message', 'my_chat_member', 'chat_member'],
  });
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(server.deps.env.secretKey).not.toContain(secret);
  expect(api.callsTo('getUpdates')).toEqual([]);
});

test('the secret is the same at the next start, and different with another key', async () => {
  const { api, secret } = await startWebhook();
  const again = await createTestServer({ bot: { api }, variables });
  await expect.poll(() => api.callsTo('setWebhook')).toHaveLength(2);
  const other = await createTestServer({
    bot: { api },
    variables: { ...variables, SECRET_KEY: 'another-key-of-tests-with-32-characters' },
  });
  await expect.poll(() => api.callsTo('setWebhook')).toHaveLength(3);

  const told = api.callsTo('setWebhook').map(({ body }) => body['secret_token']);
  expect(told[1]).toBe(secret);
  expect(told[2]).not.toBe(secret);
  await again.close();
  await other.close();
});

test('an update with the secret is handled once, before it is acknowledged', async () => {
  const { api, server, secret } = await startWebhook();

  const first = await sendUpdate(server, secret);
  expect(first.status).toBe(204);
  expect(api.messages).toHaveLength(1);

  expect((await sendUpdate(server, secret)).status).toBe(204);
  expect((await sendUpdate(server, secret, help(2))).status).toBe(204);
  expect(api.messages).toHaveLength(2);
});

test.each([
  ['without a secret', undefined],
  ['with an empty secret', ''],
  ['with a wrong secret', 'a'.repeat(43)],
  ['with a secret that is too long', 'a'.repeat(5000)],
])('an update %s is answered like an unknown address', async (_, wrong) => {
  const { api, server, secret } = await startWebhook();

  const refused = await sendUpdate(server, wrong);

  expect(refused.status).toBe(404);
  expect(refused.body).toEqual((await server.request('/backend/no-such-thing')).body);
  expect(api.messages).toEqual([]);
  expect(server.logLines.join('')).not.toContain(secret);
});

test.each([
  ['huge', `{"update_id":1,"x":"${'a'.repeat(1024 * 1024)}"}`, 413],
  ['not JSON', '{"update_id":', 400],
  ['not an object', '[1]', 422],
  ['not an update', '{"message":{}}', 422],
])('a body with the secret that is %s is refused', async (_, body, status) => {
  const { api, server, secret } = await startWebhook();

  expect((await sendUpdate(server, secret, body)).status).toBe(status);
  expect((await sendUpdate(server, secret)).status).toBe(204);
  expect(api.messages).toHaveLength(1);
});

test('a huge body without the secret is refused without being read', async () => {
  const { server } = await startWebhook();

  expect((await sendUpdate(server, undefined, 'a'.repeat(2 * 1024 * 1024))).status).toBe(404);
});

test('an update that takes too long is sent again, and not handled twice', async () => {
  const api = await startBotApi();
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 30));
  const { server, secret } = await startWebhook({ api, bot: { api, pause } });
  api.fail('sendMessage', 'hang');

  const tooSlow = await sendUpdate(server, secret);
  expect(tooSlow).toMatchObject({ status: 503, body: { code: 'busy' } });
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);
  expect((await sendUpdate(server, secret)).status).toBe(503);

  expect(api.callsTo('sendMessage')).toHaveLength(1);
  await api.close();
});

test('before the bot has started, and after it was stopped, Telegram has to send updates again', async () => {
  const api = await startBotApi();
  const { secret, ...first } = await startWebhook({ api });
  await first.server.stopBot();
  expect((await sendUpdate(first.server, secret)).status).toBe(503);

  api.fail('getMe', { error_code: 500, description: 'Internal Server Error' }, 1000);
  const { server } = await startBot({ api, variables });
  expect((await sendUpdate(server, secret)).status).toBe(503);
  expect(api.messages).toEqual([]);
});

test('a server that polls has no webhook address', async () => {
  const { server } = await startBot();
  const { secret } = await startWebhook();

  expect((await sendUpdate(server, secret)).status).toBe(404);
});

test('setting the webhook is repeated after a refusal', async () => {
  const api = await startBotApi();
  api.fail('setWebhook', { error_code: 400, description: 'Bad Request: bad webhook' });
  const { server } = await startBot({
    api,
    variables,
    bot: { api, pause: () => Promise.resolve() },
  });

  await expect.poll(() => api.callsTo('setWebhook')).toHaveLength(2);
  expect(server.said[0]).toContain('400 Bad Request: bad webhook');
});
