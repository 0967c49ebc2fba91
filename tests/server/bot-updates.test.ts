/** How updates reach the server by polling, and what happens when Telegram fails. */
import { expect, test } from 'vitest';

import { type Failure, startBotApi } from '#tests/bot-api-server';
import { ada, startBot } from '#tests/test-bot';

/** A bot whose pauses are recorded and end at once. */
async function startImpatient(prepare: (api: Awaited<ReturnType<typeof startBotApi>>) => void) {
  const api = await startBotApi();
  const pauses: number[] = [];
  prepare(api);
  const pause = (ms: number) => Promise.resolve(void pauses.push(ms));
  const bot = await startBot({ api, bot: { api, pause } });
  return { ...bot, pauses };
}

test('a message reaches the server, and the update is confirmed', async () => {
  const { api, writes } = await startBot();
  await writes('Hello');

  expect(api.updates.waiting()).toEqual([]);
  expect(api.callsTo('getUpdates')[0]?.body).toMatchObject({
    limit: 100,
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
});

test('an earlier webhook is deleted without losing the waiting updates', async () => {
  const { api } = await startImpatient(({ updates }) => {
    updates.setWebhook({ url: 'https://old.example.org/hook' });
    updates.push({ message: { message_id: 1, date: 0, chat: { id: 42, type: 'private' } } });
  });
  await api.updates.confirmed();

  expect(api.updates.webhook()).toBeUndefined();
  expect(api.callsTo('deleteWebhook')[0]?.body).not.toHaveProperty('drop_pending_updates');
});

const flood = {
  error_code: 429,
  description: 'Too Many Requests: retry after 5',
  parameters: { retry_after: 5 },
};
const conflict = {
  error_code: 409,
  description: 'Conflict: terminated by other getUpdates request',
};
const unauthorized = { error_code: 401, description: 'Unauthorized' };
const broken = { error_code: 500, description: 'Internal Server Error' };

test.each<[string, Failure, number[], string]>([
  ['a flood', flood, [5000, 5000], 'Telegram asks the bot to wait'],
  ['another poller', conflict, [10_000, 10_000], 'something else asks for its updates'],
  ['a token that is not known', unauthorized, [60_000, 60_000], 'Check BOT_TOKEN'],
  ['an outage', broken, [1000, 2000], 'Telegram does not answer the bot'],
  ['a broken connection', 'reset', [1000, 2000], 'Telegram does not answer the bot'],
  ['a page of a proxy', 'html', [1000, 2000], 'Telegram does not answer the bot'],
  ['nonsense', { result: [{}] }, [1000, 2000], 'Telegram does not answer the bot'],
])(
  'after %s the bot waits, logs it once, and loses no update',
  async (...[, failure, expected, said]) => {
    const { server, pauses, api, writes } = await startImpatient((world) =>
      world.fail('getUpdates', failure, 2),
    );
    await writes('/start');

    expect(api.messages).toHaveLength(1);
    expect(pauses.slice(0, 2)).toEqual(expected);
    expect(server.said.filter((line) => line.includes(said))).toHaveLength(1);
    expect(server.said.at(-1)).toBe('The bot works again.');
    expect(server.logLines.filter((line) => line.includes('"Telegram failed"'))).toHaveLength(2);
    expect(JSON.stringify([server.logLines, server.said])).not.toContain(api.token);
  },
);

test('a bot that cannot start retries until it can', async () => {
  const { server, pauses, api, writes } = await startImpatient((world) =>
    world.fail('getMe', unauthorized, 3),
  );
  await writes('/start');

  expect(api.messages).toHaveLength(1);
  expect(pauses.slice(0, 3)).toEqual([60_000, 60_000, 60_000]);
  expect(server.said[0]).toContain('Telegram does not know its token. Check BOT_TOKEN.');
});

test('a failed answer blocks nothing, and the token is not logged', async () => {
  const { server, api, writes } = await startBot();
  api.fail('sendMessage', 'reset', 2);
  await writes('/help');
  api.fail('sendMessage', { error_code: 400, description: 'Bad Request: TOPIC_CLOSED' });
  await writes('/help');
  await writes('/help');

  expect(api.messages.map(({ to }) => to)).toEqual([ada.id]);
  expect(
    server.logLines.filter((line) => line.includes('"an answer could not be sent"')),
  ).toHaveLength(2);
  expect(server.logLines.join('')).toContain('TOPIC_CLOSED');
  expect(server.logLines.join('')).not.toContain(api.token);
});

test('a malformed update is skipped', async () => {
  const { api, hears, writes } = await startBot();
  await hears({});
  await hears({ message: { text: 'no chat' } });
  await hears({ something_new: { id: 1 } });
  await writes('/help');

  expect(api.messages).toHaveLength(1);
});

test('a bot that only sends does not poll', async () => {
  const { api, server } = await startBot({ variables: { BOT_MODE: 'off' } });
  await server.stopBot();

  expect(api.calls).toEqual([]);
});
