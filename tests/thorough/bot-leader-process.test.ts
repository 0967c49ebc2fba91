/** Several processes with one PostgreSQL and one bot: one of them leads, and another takes over when it ends or stands still. */
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';

import {
  type BotProcesses,
  countDeletions,
  startBotProcesses,
  webhookIsSet,
} from '#tests/bot-processes';
import { chatId, people } from '#tests/moderated-chat';
import { startPostgres } from '#tests/postgres';
import { type ServerProcess } from '#tests/server-process';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const leads = /this process leads the bot"/;
const leadsNoMore = /leads the bot no more/;
const takesOverWithinMs = 5000;
const patient = { timeout: 40_000, interval: 10 };

describe.skipIf(postgres === undefined)('several processes with one PostgreSQL', () => {
  const open = (variables: Record<string, string> = {}) =>
    startBotProcesses(postgres?.url ?? '', variables);

  /** Starts two; the first leads. */
  async function startTwo(
    bots: BotProcesses,
    role = 'bot',
  ): Promise<[ServerProcess, ServerProcess]> {
    const one = bots.start(role);
    await one.hears(leads);
    const other = bots.start(role);
    await other.hears(/Nori is running/);
    return [one, other];
  }

  const polling = { BOT_MODE: 'polling' };

  /** Resolves with how long it took. */
  async function measure(work: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  }

  test('of two that poll one does, and each blocked message is deleted once', async () => {
    const bots = await open(polling);
    const { api, written } = bots;
    const [one, other] = await startTwo(bots);
    await api.updates.asked();

    for (let index = 0; index < 100; index += 1) {
      api.updates.push({ message: written() });
    }

    await expect.poll(() => countDeletions(bots).deleted, patient).toBe(100);
    await expect.poll(bots.countOpen, patient).toBe(0);
    expect(countDeletions(bots)).toEqual({ deleted: 100, again: 0 });
    expect(one.said() + other.said()).not.toContain('something else asks for its updates');
    expect(other.said()).not.toMatch(leads);
  });

  test('another takes over from a killed one within five seconds', async () => {
    const bots = await open(polling);
    const { api, written } = bots;
    const [killed, other] = await startTwo(bots);
    await api.updates.asked();
    killed.process.kill('SIGKILL');

    const tookMs = await measure(async () => {
      api.updates.push({ message: written() });
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(1);
    });

    expect(tookMs).toBeLessThan(takesOverWithinMs);
    expect(other.said()).toMatch(leads);
  });

  test('another takes over from one that stands still, which does nothing when it goes on', async () => {
    const bots = await open(polling);
    const { api, written } = bots;
    const [still, other] = await startTwo(bots);
    await api.updates.asked();
    still.process.kill('SIGSTOP');
    const tookMs = await measure(async () => {
      for (let index = 0; index < 20; index += 1) {
        api.updates.push({ message: written() });
      }
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(20);
    });

    still.process.kill('SIGCONT');
    await still.hears(leadsNoMore);
    for (let index = 0; index < 20; index += 1) {
      api.updates.push({ message: written() });
    }
    await expect.poll(() => countDeletions(bots).deleted, patient).toBe(40);
    await expect.poll(bots.countOpen, patient).toBe(0);

    expect(tookMs).toBeLessThan(takesOverWithinMs);
    expect(other.said()).not.toMatch(leadsNoMore);
    expect(countDeletions(bots)).toEqual({ deleted: 40, again: 0 });
  });

  test('a leader that PostgreSQL has cut off stops at once, and is ready to lead again', async () => {
    const bots = await open(polling);
    const { api, database, written } = bots;
    const servers = await startTwo(bots);
    const countLeaders = () =>
      servers.map(({ said }) => said().match(new RegExp(leads, 'g'))?.length ?? 0);

    for (let round = 1; round <= 3; round += 1) {
      await sql`select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objsubid = 2 and objid = 0 and granted`.execute(
        database.db,
      );
      const before = round * 10;
      await expect
        .poll(() => countLeaders().reduce((sum, count) => sum + count), patient)
        .toBe(round + 1);
      for (let index = 0; index < 10; index += 1) {
        api.updates.push({ message: written() });
      }
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(before);
    }

    await expect.poll(bots.countOpen, patient).toBe(0);
    expect(countDeletions(bots)).toEqual({ deleted: 30, again: 0 });
  });

  test('a leader that is stopped finishes what it has begun, and the next leads at once', async () => {
    const bots = await open(polling);
    const { api, written } = bots;
    const [stopped, other] = await startTwo(bots);
    await api.updates.asked();
    const answer = Promise.withResolvers<void>();
    api.hold('deleteMessage', answer.promise);
    api.updates.push({ message: written() });
    await expect.poll(() => api.callsTo('deleteMessage'), patient).toHaveLength(1);

    stopped.process.kill('SIGTERM');
    await stopped.hears(/Stopping/);
    expect(other.said()).not.toMatch(leads);
    answer.resolve();
    const tookMs = await measure(() => other.hears(leads));

    expect(tookMs).toBeLessThan(takesOverWithinMs);
    expect(await stopped.ended).toBe(0);
    api.updates.push({ message: written() });
    await expect.poll(() => countDeletions(bots)).toEqual({ deleted: 2, again: 0 });
  });

  test('what web servers receive is answered once by the one that leads, also when it is sent twice', async () => {
    const bots = await open();
    const { api, toUpdate } = bots;
    const [a, b] = await Promise.all([bots.startWeb(), bots.startWeb()]);
    bots.start('bot');
    await webhookIsSet(bots);
    const updates = Array.from({ length: 8 }, (_, index) =>
      toUpdate({
        message: {
          message_id: index + 1,
          date: 0,
          chat: { id: people.member, type: 'private', first_name: 'Mo' },
          from: { id: people.member, is_bot: false, first_name: 'Mo' },
          text: '/start',
          entities: [{ type: 'bot_command', offset: 0, length: 6 }],
        },
      }),
    );

    for (const update of updates) {
      expect(await Promise.all([a.receives(update), b.receives(update)])).toEqual([204, 204]);
    }
    await expect.poll(bots.countOpen, patient).toBe(0);
    expect(await a.receives(updates[0] ?? {})).toBe(204);
    await expect.poll(bots.countOpen, patient).toBe(0);

    expect(api.messages).toHaveLength(updates.length);
  });

  test('an album that two web servers receive is deleted whole', async () => {
    const bots = await open();
    const { written, toUpdate } = bots;
    const [a, b] = await Promise.all([bots.startWeb(), bots.startWeb()]);
    bots.start('bot');
    await webhookIsSet(bots);

    for (let round = 1; round <= 10; round += 1) {
      const media_group_id = `album ${round}`;
      const allowed = { media_group_id, photo: undefined, video: {} };
      // Only the last is blocked.
      const parts = [allowed, allowed, { media_group_id }].map((content) => written(content));
      for (const [index, message] of parts.entries()) {
        expect(await [a, b][index % 2]?.receives(toUpdate({ message }))).toBe(204);
      }
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(round * 3);
    }

    expect(countDeletions(bots).again).toBe(0);
  });

  test('an album is deleted whole when the leader is killed in its middle, and its contents are not kept', async () => {
    const bots = await open();
    const { database, written, toUpdate } = bots;
    const web = await bots.startWeb();
    const [killed, other] = await startTwo(bots);
    await webhookIsSet(bots);
    const album = (name: string, isBlocked: boolean) => ({
      message: written({
        media_group_id: name,
        ...(isBlocked ? {} : { photo: undefined, video: {} }),
      }),
    });

    // Of the first album the last message is blocked, of the second the first.
    await web.receives(toUpdate(album('late', false)));
    await web.receives(toUpdate(album('late', false)));
    await web.receives(toUpdate(album('early', true)));
    await expect.poll(() => countDeletions(bots).deleted, patient).toBe(1);
    await expect.poll(bots.countOpen, patient).toBe(0);
    killed.process.kill('SIGKILL');
    await web.receives(toUpdate(album('late', true)));
    await web.receives(toUpdate(album('early', false)));

    await expect.poll(() => countDeletions(bots).deleted, patient).toBe(5);
    expect(countDeletions(bots).again).toBe(0);
    expect(other.said()).toMatch(leads);
    const kept = () =>
      database.db
        .selectFrom('bot_inbox')
        .select('update_id')
        .where('payload', 'is not', null)
        .execute();
    expect((await kept()).length).toBeGreaterThan(0);
    await expect.poll(kept, { timeout: 20_000 }).toEqual([]);
  });

  test('what is due is deleted and counted once, also when it was saved by a web server', async () => {
    const bots = await open();
    const { api, database } = bots;
    const ids = Array.from({ length: 300 }, (_, index) => index + 1000);
    await database.db
      .insertInto('due_deletions')
      .values(
        ids.map((message_id) => ({
          chat_id: chatId,
          message_id,
          due_at: 0,
          setting: 'photo_blocked',
          sender_id: null,
          give_up_at: Date.now() + 3_600_000,
        })),
      )
      .execute();
    await startTwo(bots);

    const counted = () => database.db.selectFrom('deletions').select('total').execute();
    await expect.poll(counted, patient).toEqual([{ total: 300 }]);
    expect(api.deletions.of(chatId).toSorted((one, two) => one - two)).toEqual(ids);

    // This process leads nothing.
    await bots.chat.server.services.deletions.deleteLater(chatId, [1], 0);
    const tookMs = await measure(() =>
      expect.poll(() => api.deletions.of(chatId), patient).toContain(1),
    );
    expect(tookMs).toBeLessThan(takesOverWithinMs);
  });

  test('web servers say whether any process handles the bot, whatever their own BOT_MODE', async () => {
    const bots = await open();
    const { server } = bots.chat;
    const { token } = await server.services.sessions.start(people.owner, {
      address: '',
      userAgent: 'Test',
    });
    const web = await bots.startWeb('web', { BOT_MODE: 'off' });
    const readListening = async () => {
      const reply = await fetch(`${web.address}/backend/chats/${chatId}/health`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return v.parse(v.object({ is_listening: v.boolean() }), await reply.json()).is_listening;
    };
    expect(await readListening()).toBe(false);

    const leader = bots.start('bot');
    await leader.hears(leads);
    await expect.poll(readListening, { ...patient, interval: 500 }).toBe(true);

    leader.process.kill('SIGTERM');
    await leader.ended;
    await expect.poll(readListening, { ...patient, interval: 500 }).toBe(false);
  });
});
