/** Updates are handled once, in the order of their chat, and confirmed only afterwards. */
import { afterEach, assert, beforeEach, expect, test, vi } from 'vitest';

import { type Polling, startPolling } from '#server/bot/polling';
import { createRetry } from '#server/bot/retry';
import { createUpdateQueue, type HandleUpdate } from '#server/bot/update-queue';
import { createLog } from '#server/lib/log';
import { connectTelegramBot, isUpdate } from '#server/upstream/telegram/bot';
import { type BotApi, startBotApi } from '#tests/bot-api-server';

let api: BotApi;
const running: Polling[] = [];

beforeEach(async () => {
  api = await startBotApi();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((polling) => polling.stop()));
  await api.close();
});

const inChat = (id: number, text: string) => ({
  message: { message_id: 1, date: 0, chat: { id, type: 'private', first_name: 'Ada' }, text },
});

/** `gates`: what each update waits for, by its text. Other updates finish at once. */
function startWith(
  gates: Record<string, Promise<unknown>>,
  inBackgroundTexts: readonly string[] = [],
  makeRoom: () => void = () => undefined,
) {
  const begun: string[] = [];
  const failures: unknown[] = [];
  const handle: HandleUpdate = async ({ message }, inBackground) => {
    const text = message?.text ?? '';
    begun.push(text);
    if (inBackgroundTexts.includes(text)) {
      inBackground(gates[text] ?? Promise.resolve());
    } else {
      await gates[text];
    }
  };
  const queue = createUpdateQueue({ handle, onFailure: (error) => void failures.push(error) });
  const polling = startPolling({
    api: connectTelegramBot(api),
    queue,
    makeRoom: () => Promise.resolve(makeRoom()),
    retry: createRetry({
      pause: (ms, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, Math.min(ms, 20));
          signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
          });
        }),
      say: () => undefined,
      log: createLog('silent'),
    }),
  });
  running.push(polling);
  return { begun, failures, queue, polling };
}

const waitingTexts = () => api.updates.waiting().map(({ message }) => message);

test('updates of one chat wait for each other, those of another chat do not', async () => {
  const gate = Promise.withResolvers<void>();
  const { begun } = startWith({ slow: gate.promise });
  api.updates.push(inChat(1, 'slow'));
  api.updates.push(inChat(1, 'after slow'));
  api.updates.push(inChat(2, 'elsewhere'));

  await expect.poll(() => begun).toEqual(['slow', 'elsewhere']);
  gate.resolve();
  await api.updates.confirmed();

  expect(begun).toEqual(['slow', 'elsewhere', 'after slow']);
});

test('a slow update does not block the others, and is not confirmed before it is done', async () => {
  const gate = Promise.withResolvers<void>();
  const { begun } = startWith({ slow: gate.promise });
  const slow = api.updates.push(inChat(1, 'slow'));
  await expect.poll(() => begun).toEqual(['slow']);
  api.updates.push(inChat(2, 'later'));

  await expect.poll(() => begun).toEqual(['slow', 'later']);
  await vi.waitUntil(() => api.callsTo('getUpdates').length > 4, { timeout: 12_000 });
  const offsets = api.callsTo('getUpdates').map(({ body }) => body['offset']);
  expect(new Set(offsets.slice(1))).toEqual(new Set([slow.update_id]));
  expect(waitingTexts()).toHaveLength(2);

  gate.resolve();
  await api.updates.confirmed();
  expect(begun).toEqual(['slow', 'later']);
});

test('background work delays the confirmation, but not the next update of the chat', async () => {
  const gate = Promise.withResolvers<void>();
  const { begun } = startWith({ deleting: gate.promise }, ['deleting']);
  api.updates.push(inChat(1, 'deleting'));
  api.updates.push(inChat(1, 'next'));

  await expect.poll(() => begun).toEqual(['deleting', 'next']);
  expect(waitingTexts()).toHaveLength(2);
  gate.resolve();
  await api.updates.confirmed();
});

test('updates behind a full batch of slow ones are handled as soon as there is room', async () => {
  const gate = Promise.withResolvers<void>();
  const { begun } = startWith({ slow: gate.promise }, ['slow'], () => gate.resolve());
  for (let chat = 1; chat <= 100; chat += 1) {
    api.updates.push(inChat(chat, 'slow'));
  }
  api.updates.push(inChat(101, 'behind'));

  await expect.poll(() => begun.at(-1)).toBe('behind');
  await api.updates.confirmed();
});

test('no update is confirmed early while Telegram returns more updates', async () => {
  const gate = Promise.withResolvers<void>();
  let isRoomMade = false;
  const { begun } = startWith({ slow: gate.promise }, ['slow'], () => (isRoomMade = true));
  for (let chat = 1; chat < 100; chat += 1) {
    api.updates.push(inChat(chat, 'slow'));
  }
  await vi.waitUntil(() => api.callsTo('getUpdates').length > 4, { timeout: 12_000 });

  expect(begun).toHaveLength(99);
  expect(isRoomMade).toBe(false);
  gate.resolve();
  await api.updates.confirmed();
});

test('an update that fails is logged and blocks nothing', async () => {
  const failed = Promise.reject(new Error('broken'));
  failed.catch(() => undefined);
  const also = Promise.reject(new Error('broken too'));
  also.catch(() => undefined);
  const { begun, failures } = startWith({ bad: failed, worse: also }, ['worse']);
  for (const text of ['bad', 'worse', 'good']) {
    api.updates.push(inChat(1, text));
  }
  await api.updates.confirmed();

  expect(begun).toEqual(['bad', 'worse', 'good']);
  expect(failures.map(String)).toEqual(['Error: broken', 'Error: broken too']);
});

test('a repeated update is not handled again', async () => {
  const { begun, queue } = startWith({});
  const update: unknown = { update_id: 7, ...inChat(1, 'twice') };
  assert(isUpdate(update));

  await Promise.all([queue.handle(update), queue.handle(update)]);
  await queue.handle(update);

  expect(begun).toEqual(['twice']);
});

test('stopping waits for updates in progress, and confirms them', async () => {
  const gate = Promise.withResolvers<void>();
  const { begun, polling } = startWith({ slow: gate.promise });
  api.updates.push(inChat(1, 'slow'));
  await expect.poll(() => begun).toEqual(['slow']);

  let isStopped = false;
  const stopping = polling.stop().then(() => (isStopped = true));
  expect(isStopped).toBe(false);
  expect(waitingTexts()).toHaveLength(1);
  gate.resolve();
  await stopping;

  expect(waitingTexts()).toEqual([]);
});
