/** Updates by webhook: accepted only with the secret, saved before they are acknowledged, and handled once. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { startBotApi } from '#tests/bot-api-server';
import { inOrder, moderatedChat } from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';
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
    allowed_updates: [
      'message',
      'edited_message',
      'my_chat_member',
      'chat_member',
      'callback_query',
      'inline_query',
      'chosen_inline_result',
      'guest_message',
      'channel_post',
      'message_reaction',
      'chat_join_request',
      'stopped_message_generation',
    ],
  });
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(server.deps.env.secretKeys[0]).not.toContain(secret);
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

test('an update with the secret is saved before it is acknowledged, and handled once', async () => {
  const { api, server, secret } = await startWebhook();
  const answer = Promise.withResolvers<void>();
  api.hold('sendMessage', answer.promise);

  const first = await sendUpdate(server, secret);
  expect(first.status).toBe(204);
  expect(await server.db.selectFrom('bot_inbox').select('payload').execute()).toEqual([
    { payload: JSON.stringify(help()) },
  ]);

  expect((await sendUpdate(server, secret)).status).toBe(204);
  answer.resolve();
  await server.handled();
  expect((await sendUpdate(server, secret)).status).toBe(204);
  expect((await sendUpdate(server, secret, help(2))).status).toBe(204);
  await server.handled();
  expect(api.messages).toHaveLength(2);
});

test('while one deletion of a chat is on its way, the others arrive and go out together', async () => {
  const chat = await moderatedChat({ variables });
  const { api, server } = chat;
  await chat.block(['photo']);
  const answer = Promise.withResolvers<void>();
  api.hold('deleteMessage', answer.promise);
  await expect.poll(() => api.updates.webhook()).toBeDefined();
  api.updates.deliver(async (update, { secret_token }) => {
    const { status } = await sendUpdate(server, String(secret_token), update);
    return { status };
  });
  const album = { media_group_id: 'album' };
  const messages = Array.from({ length: 60 }, (_, index) =>
    chat.message({ ...samples.photo, ...(index > 50 ? album : {}) }),
  );

  const [first, ...others] = messages;
  api.updates.push({ message: first });
  await expect.poll(() => api.callsTo('deleteMessage')).toHaveLength(1);
  for (const message of others) {
    api.updates.push({ message });
  }
  await api.updates.confirmed();
  answer.resolve();
  await server.handled();

  expect(inOrder(chat.deleted())).toEqual(messages.map(({ message_id }) => message_id));
  expect(api.callsTo('deleteMessages')).toHaveLength(1);
});

test('Telegram sends an update again when the server says so, and the chat waits no longer', async () => {
  const chat = await moderatedChat({ variables });
  const { api, server } = chat;
  await chat.block(['photo']);
  await expect.poll(() => api.updates.webhook()).toBeDefined();
  await sql`pragma query_only = on`.execute(server.db);
  const statuses: number[] = [];
  api.updates.deliver(async (update, { secret_token }) => {
    const { status, headers } = await sendUpdate(server, String(secret_token), update);
    statuses.push(status);
    await sql`pragma query_only = off`.execute(server.db);
    return { status, retryAfterS: Number(headers.get('Retry-After')) };
  });
  const [first, second] = [chat.message(samples.photo), chat.message(samples.photo)];
  api.updates.push({ message: first });
  api.updates.push({ message: second });
  await api.updates.confirmed();
  await server.handled();

  expect(statuses).toEqual([503, 204, 204]);
  expect(inOrder(chat.deleted())).toEqual([first.message_id, second.message_id]);
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
  await server.handled();
  expect(api.messages).toHaveLength(1);
});

test('a huge body without the secret is refused without being read', async () => {
  const { server } = await startWebhook();

  expect((await sendUpdate(server, undefined, 'a'.repeat(2 * 1024 * 1024))).status).toBe(404);
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
