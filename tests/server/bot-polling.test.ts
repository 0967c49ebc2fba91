/** Updates are saved, confirmed at once, and handled once, in the order of their chat. */
import { sql } from 'kysely';
import { afterAll, afterEach, assert, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Polling, startPolling } from '#server/bot/arrival';
import { createInbox } from '#server/bot/inbox';
import { createRetry } from '#server/bot/retry';
import { createUntilStored, type HandleUpdate } from '#server/bot/update-queue';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { inboxRules } from '#server/lib/limits';
import { createLog } from '#server/lib/log';
import { sweep } from '#server/services/maintenance';
import { connectTelegramBot, isUpdate } from '#server/upstream/telegram/bot';
import { type BotApi, startBotApi } from '#tests/bot-api-server';
import { startPostgres } from '#tests/postgres';
import { createMemoryStore, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const botId = 123_456_789;
const log = createLog('silent');

const inChat = (id: number, text: string) => ({
  message: { message_id: 1, date: 0, chat: { id, type: 'private', first_name: 'Ada' }, text },
});

function toUpdate(update_id: number, content: object) {
  const update: unknown = { update_id, ...content };
  assert(isUpdate(update));
  return update;
}

function shortPause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, 20));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

describe.each(Object.entries(engines))('on %s', (engine, open) => {
  let api: BotApi;
  let database: Database;
  let now: number;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    api = await startBotApi();
    database = await open();
    await migrate(database);
    now = Date.parse('2026-11-21T12:00:00Z');
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) {
      await close();
    }
    await api.close();
    await database.close();
  });

  /** `gates`: what each update waits for, by its text. Other updates finish at once. */
  function openInbox(
    gates: Record<string, Promise<unknown>> = {},
    inBackgroundTexts: readonly string[] = [],
    inboxDatabase = database,
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
    const stopping = new AbortController();
    const untilStored = createUntilStored({
      pause: shortPause,
      signal: stopping.signal,
      log,
      isTemporary: () => true,
    });
    const inbox = createInbox(
      { database: inboxDatabase, clock: () => now, log },
      { botId, handle, untilStored, onFailure: (error) => void failures.push(error) },
    );
    closing.push(async () => {
      stopping.abort();
      await inbox.stop();
    });
    return { begun, failures, inbox, untilStored };
  }

  async function poll(...options: Parameters<typeof openInbox>) {
    const opened = openInbox(...options);
    await opened.inbox.start();
    const polling: Polling = startPolling({
      api: connectTelegramBot(api),
      inbox: opened.inbox,
      untilStored: opened.untilStored,
      retry: createRetry({ pause: shortPause, say: () => undefined, log }),
      leaveRequest: () => Promise.resolve(),
    });
    closing.unshift(polling.stop);
    return { ...opened, polling };
  }

  /** Lets all leases end. */
  const endLeases = () => database.db.updateTable('bot_inbox').set({ leased_until: 0 }).execute();

  const openIds = async () =>
    (
      await database.db
        .selectFrom('bot_inbox')
        .select('update_id')
        .where('handled_at', 'is', null)
        .orderBy('update_id')
        .execute()
    ).map(({ update_id }) => update_id);

  test('updates of one chat wait for each other, those of another chat do not', async () => {
    const gate = Promise.withResolvers<void>();
    const { begun } = await poll({ slow: gate.promise });
    api.updates.push(inChat(1, 'slow'));
    api.updates.push(inChat(1, 'after slow'));
    api.updates.push(inChat(2, 'elsewhere'));

    await expect.poll(() => begun).toEqual(['slow', 'elsewhere']);
    gate.resolve();

    await expect.poll(() => begun).toEqual(['slow', 'elsewhere', 'after slow']);
  });

  test('a slow update delays no other, and is saved until it is done', async () => {
    const gate = Promise.withResolvers<void>();
    const { begun } = await poll({ slow: gate.promise });
    const slow = api.updates.push(inChat(1, 'slow'));
    await api.updates.confirmed();
    api.updates.push(inChat(2, 'later'));
    api.updates.push(inChat(3, 'even later'));
    await api.updates.confirmed();

    await expect.poll(() => begun).toEqual(['slow', 'later', 'even later']);
    await expect.poll(openIds).toEqual([slow.update_id]);
    gate.resolve();
    await expect.poll(openIds).toEqual([]);
  });

  test('the next update of a chat does not wait for background work, which keeps the update saved', async () => {
    const gate = Promise.withResolvers<void>();
    const { begun } = await poll({ deleting: gate.promise }, ['deleting']);
    const deleting = api.updates.push(inChat(1, 'deleting'));
    api.updates.push(inChat(1, 'next'));

    await expect.poll(() => begun).toEqual(['deleting', 'next']);
    await expect.poll(openIds).toEqual([deleting.update_id]);
    gate.resolve();
    await expect.poll(openIds).toEqual([]);
  });

  test('the content of a handled update is not stored, its id is for a day', async () => {
    await poll();
    api.updates.push(inChat(1, 'private words'));
    await api.updates.confirmed();
    await expect.poll(openIds).toEqual([]);

    const rows = () => database.db.selectFrom('bot_inbox').selectAll().execute();
    expect(await rows()).toMatchObject([{ bot_id: botId, chat_id: 1, payload: null }]);
    const sweepNow = () => sweep({ database, clock: () => now, objects: createMemoryStore() });
    now += inboxRules.keptMs;
    await sweepNow();
    expect(await rows()).toHaveLength(1);
    now += 1;
    await sweepNow();
    expect(await rows()).toEqual([]);
  });

  test('an update that could not be handled is not stored for longer than two days', async () => {
    const never = new Promise<never>(() => undefined);
    const killed = createInbox(
      { database, clock: () => now, log },
      { botId, handle: () => never, untilStored: (work) => work(), onFailure: () => undefined },
    );
    await killed.add([toUpdate(7, inChat(1, 'private words'))]);

    now += inboxRules.openForMs;
    await sweep({ database, clock: () => now, objects: createMemoryStore() });
    expect(await openIds()).toEqual([7]);
    now += 1;
    await sweep({ database, clock: () => now, objects: createMemoryStore() });

    expect(await openIds()).toEqual([]);
  });

  test('an update that fails is logged and blocks nothing', async () => {
    const failed = Promise.reject(new Error('broken'));
    failed.catch(() => undefined);
    const also = Promise.reject(new Error('broken too'));
    also.catch(() => undefined);
    const { begun, failures } = await poll({ bad: failed, worse: also }, ['worse']);
    for (const text of ['bad', 'worse', 'good']) {
      api.updates.push(inChat(1, text));
    }
    await api.updates.confirmed();

    await expect.poll(openIds).toEqual([]);
    expect(begun).toEqual(['bad', 'worse', 'good']);
    expect(failures.map(String)).toEqual(['Error: broken', 'Error: broken too']);
  });

  test('an update that arrives again is not handled again: by this process, another, or the next', async () => {
    const [here, there] = [openInbox(), openInbox()];
    const update = toUpdate(7, inChat(1, 'once'));

    await Promise.all([here.inbox.add([update]), there.inbox.add([update])]);
    await here.inbox.add([update, update]);
    await expect.poll(openIds).toEqual([]);
    await there.inbox.add([update]);
    const next = openInbox();
    await next.inbox.start();
    await next.inbox.add([update]);

    expect([...here.begun, ...there.begun, ...next.begun]).toEqual(['once']);
  });

  test('the same id of another bot is another update', async () => {
    const { begun, inbox } = openInbox();
    await inbox.add([toUpdate(7, inChat(1, 'of this bot'))]);
    await expect.poll(openIds).toEqual([]);
    await sql`update bot_inbox set bot_id = 42`.execute(database.db);

    await inbox.add([toUpdate(7, inChat(1, 'of that bot'))]);

    await expect.poll(() => begun).toEqual(['of this bot', 'of that bot']);
  });

  test('nothing is confirmed that could not be saved, and nothing is lost', async () => {
    const { begun } = await poll();
    await api.updates.asked();
    await sql`alter table bot_inbox rename to elsewhere`.execute(database.db);
    const update = api.updates.push(inChat(1, 'kept at Telegram'));

    await vi.waitUntil(() => api.callsTo('getUpdates').length > 0);
    expect(api.updates.waiting()).toEqual([update]);
    expect(begun).toEqual([]);
    await sql`alter table elsewhere rename to bot_inbox`.execute(database.db);
    await api.updates.confirmed();

    await expect.poll(() => begun).toEqual(['kept at Telegram']);
  });

  test('what a killed process had saved is handled by the next, in the order of the chats', async () => {
    const never = new Promise<never>(() => undefined);
    const killed = createInbox(
      { database, clock: () => now, log },
      {
        botId,
        handle: () => never,
        untilStored: (work) => work(),
        onFailure: () => undefined,
      },
    );
    await killed.add([
      toUpdate(8, inChat(1, 'second')),
      toUpdate(7, inChat(1, 'first')),
      toUpdate(9, inChat(1, 'third')),
    ]);

    const { begun, inbox } = openInbox();
    await inbox.start();
    await inbox.add([toUpdate(10, inChat(1, 'fourth'))]);

    await expect.poll(() => begun).toEqual(['first', 'second', 'third', 'fourth']);
    await expect.poll(openIds).toEqual([]);
  });

  test.runIf(engine === 'PostgreSQL')(
    'an update waits while another process has an earlier one of its chat, others do not',
    async () => {
      const gate = Promise.withResolvers<void>();
      const one = openInbox({ first: gate.promise });
      const other = openInbox();
      await one.inbox.start();
      await other.inbox.start();
      await one.inbox.add([toUpdate(1, inChat(1, 'first'))]);
      await other.inbox.add([
        toUpdate(2, inChat(1, 'second')),
        toUpdate(3, inChat(2, 'elsewhere')),
      ]);
      await other.inbox.add([toUpdate(4, inChat(1, 'third'))]);

      await expect.poll(() => other.begun).toEqual(['elsewhere']);
      await expect.poll(openIds).toEqual([1, 2, 4]);
      gate.resolve();
      await expect.poll(openIds).toEqual([]);

      const inOrder = [one.begun, other.begun].map((texts) =>
        texts.filter((text) => text !== 'elsewhere'),
      );
      expect(inOrder.flat().toSorted()).toEqual(['first', 'second', 'third']);
      expect(inOrder.flat()).toEqual(inOrder.flat().toSorted());
    },
  );

  /** A process that is just taking over the update of a killed one: the database has done it, but not answered. */
  async function takeOver() {
    const answer = Promise.withResolvers<void>();
    const takenOver = Promise.withResolvers<void>();
    const slowDatabase = {
      ...database,
      db: database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (result.rows.some((row) => 'payload' in row)) {
            takenOver.resolve();
            await answer.promise;
          }
          return result;
        },
      }),
    };
    const { begun, inbox } = openInbox({}, [], slowDatabase);
    await inbox.start();
    const killed = createInbox(
      { database, clock: () => now, log },
      {
        botId,
        handle: () => new Promise<never>(() => undefined),
        untilStored: (work) => work(),
        onFailure: () => undefined,
      },
    );
    await killed.add([toUpdate(1, inChat(1, 'first'))]);
    await endLeases();
    await takenOver.promise;
    return { begun, inbox, answer };
  }

  test.runIf(engine === 'PostgreSQL')(
    'an update that arrives while earlier ones of its chat are taken over comes after them',
    async () => {
      const { begun, inbox, answer } = await takeOver();

      const adding = inbox.add([toUpdate(2, inChat(1, 'second'))]);
      const rows = () => database.db.selectFrom('bot_inbox').select('update_id').execute();
      await expect.poll(rows).toHaveLength(2);
      answer.resolve();
      await adding;

      await expect.poll(openIds).toEqual([]);
      expect(begun).toEqual(['first', 'second']);
    },
  );

  test.runIf(engine === 'PostgreSQL')(
    'a process that is stopped while it takes updates over keeps none from the others',
    async () => {
      const { begun, inbox, answer } = await takeOver();

      const stopping = inbox.stop();
      answer.resolve();
      await stopping;

      expect(begun).toEqual(['first']);
      expect(await openIds()).toEqual([]);
    },
  );

  test.runIf(engine === 'PostgreSQL')(
    'a process that stood still does not begin what another has taken over',
    async () => {
      const gate = Promise.withResolvers<void>();
      const still = openInbox({ slow: gate.promise });
      await still.inbox.add([toUpdate(1, inChat(1, 'slow'))]);
      await still.inbox.add([toUpdate(2, inChat(1, 'next'))]);
      await expect.poll(() => still.begun).toEqual(['slow']);

      now += inboxRules.leaseMs;
      const other = openInbox();
      await other.inbox.start();
      await expect.poll(() => other.begun).toEqual(['slow', 'next']);
      gate.resolve();
      await still.inbox.stop();

      expect(still.begun).toEqual(['slow']);
    },
  );

  test('while too many updates are open, further ones stay at Telegram', async () => {
    const gate = Promise.withResolvers<void>();
    const { begun } = await poll({ slow: gate.promise }, ['slow']);
    const before = api.updates.waiting().length;
    for (let count = 0; count < inboxRules.maxInMemory; count += 1) {
      api.updates.push(inChat(count % 7, 'slow'));
    }
    const last = api.updates.push(inChat(8, 'last'));
    await expect
      .poll(() => begun.length, { timeout: 25_000 })
      .toBeGreaterThanOrEqual(inboxRules.maxInMemory);

    expect(before).toBe(0);
    expect(begun).not.toContain('last');
    expect(api.updates.waiting()).toContain(last);
    gate.resolve();
    await expect.poll(() => begun.at(-1), { timeout: 25_000 }).toBe('last');
  });

  test('stopping waits for updates in progress', async () => {
    const gate = Promise.withResolvers<void>();
    const { begun, inbox, polling } = await poll({ slow: gate.promise });
    api.updates.push(inChat(1, 'slow'));
    await expect.poll(() => begun).toEqual(['slow']);

    await polling.stop();
    expect(api.updates.waiting()).toEqual([]);
    let isStopped = false;
    const stopping = inbox.stop().then(() => (isStopped = true));
    expect(isStopped).toBe(false);
    expect(await openIds()).toHaveLength(1);
    gate.resolve();
    await stopping;

    expect(await openIds()).toEqual([]);
  });
});
