/** Updates of the bot in NATS: several processes share the chats, and what one has begun another finishes. */
import { sql } from 'kysely';
import { afterAll, assert, describe, expect, test } from 'vitest';

import { choosePartition } from '#server/bot/message-log';
import {
  type BotProcesses,
  countDeletions,
  startBotProcesses,
  type WebProcess,
  webhookIsSet,
} from '#tests/bot-processes';
import { chatId } from '#tests/moderated-chat';
import { startNats } from '#tests/nats';
import { startPostgres } from '#tests/postgres';
import { type ServerProcess } from '#tests/server-process';

const [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
afterAll(async () => {
  await nats?.close();
  await postgres?.close();
});

const patient = { timeout: 40_000, interval: 10 };
const partitionCount = 64;

test('every chat has a partition, and all partitions have chats', () => {
  const groups = Array.from({ length: 10_000 }, (_, index) =>
    choosePartition(-1_001_000_000_000 - index * 64),
  );
  const people = Array.from({ length: 10_000 }, (_, index) =>
    choosePartition(7_000_000_000 + index),
  );

  for (const chosen of [groups, people]) {
    const sizes = [...Map.groupBy(chosen, (partition) => partition).values()].map(
      ({ length }) => length,
    );
    expect(sizes).toHaveLength(partitionCount);
    expect(Math.max(...sizes)).toBeLessThan((10_000 / partitionCount) * 2);
  }
});

type Tested = BotProcesses & { readonly webs: readonly [WebProcess, WebProcess] };

describe.skipIf(postgres === undefined || nats === undefined)('with NATS', () => {
  /** Two web servers; updates go to one after the other. */
  async function open(): Promise<Tested> {
    const bots = await startBotProcesses(postgres?.url ?? '', { NATS_URL: nats?.url ?? '' });
    return { ...bots, webs: await Promise.all([bots.startWeb(), bots.startWeb()]) };
  }

  /** Starts two, and waits until each has half of the partitions. */
  async function startTwo(bots: Tested): Promise<[ServerProcess, ServerProcess]> {
    const servers: [ServerProcess, ServerProcess] = [bots.start('bot'), bots.start('bot')];
    await webhookIsSet(bots);
    await expect.poll(() => readShares(bots), patient).toEqual([32, 32]);
    return servers;
  }

  /** How many partitions each process has, the greatest share first. */
  async function readShares({ database }: BotProcesses): Promise<readonly number[]> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
      where locktype = 'advisory' and objsubid = 2 and granted and objid > 1
        and database = (select oid from pg_database where datname = current_database())
      group by pid order by count desc`.execute(database.db);
    return rows.map(({ count }) => count);
  }

  /** Sends updates to both web servers in turn, as Telegram does: until they are taken. */
  async function send({ webs }: Tested, updates: readonly object[]): Promise<void> {
    for (const [index, update] of updates.entries()) {
      await expect
        .poll(() => webs.at(index % 2)?.receives(update), { timeout: 30_000, interval: 20 })
        .toBe(204);
    }
  }

  const blocked = (bots: Tested, count: number) =>
    Array.from({ length: count }, () => bots.toUpdate({ message: bots.written() }));

  /** Resolves when the first `count` updates, all of the chat, are known to be handled. */
  async function isSaved({ database }: Tested, count: number): Promise<void> {
    await expect
      .poll(async () => {
        const rows = await database.db.selectFrom('bot_positions').selectAll().execute();
        return Math.max(...rows.map(({ handled_to }) => handled_to));
      }, patient)
      .toBe(count);
  }

  test('each blocked message is deleted once, and an update that comes twice is handled once', async () => {
    const bots = await open();
    await startTwo(bots);
    const updates = blocked(bots, 100);

    for (const update of updates) {
      expect(await Promise.all(bots.webs.map(({ receives }) => receives(update)))).toEqual([
        204, 204,
      ]);
    }

    await expect.poll(() => countDeletions(bots), patient).toEqual({ deleted: 100, again: 0 });
  });

  test('what people write is answered in its order, by the process that has their chat', async () => {
    const bots = await open();
    await startTwo(bots);
    const persons = Array.from({ length: 20 }, (_, index) => 5000 + index);
    const words = ['/start', '/help', '/start', '/help'];
    const command = (id: number, text: string, number: number) =>
      bots.toUpdate({
        message: {
          message_id: number,
          date: Math.floor(Date.now() / 1000),
          chat: { id, type: 'private', first_name: 'Mo' },
          from: { id, is_bot: false, first_name: 'Mo' },
          text,
          entities: [{ type: 'bot_command', offset: 0, length: text.length }],
        },
      });

    await send(
      bots,
      words.flatMap((text, number) => persons.map((id) => command(id, text, number + 1))),
    );

    await expect.poll(() => bots.api.messages.length, patient).toBe(words.length * persons.length);
    for (const id of persons) {
      const [first, second, ...rest] = bots.api.messages
        .filter(({ to }) => to === id)
        .map(({ text }) => text);
      expect(first).not.toBe(second);
      expect(rest).toEqual([first, second]);
    }
  });

  test.each([
    ['killed', 'SIGKILL', [64]],
    ['standing still', 'SIGSTOP', [32, 32]],
  ] as const)(
    'what a process that is %s has not handled is handled by the other',
    async (_, signal, shares) => {
      const bots = await open();
      const [one, other] = await startTwo(bots);
      await send(bots, blocked(bots, 20));
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(20);
      await isSaved(bots, 20);
      const owner = await findOwner(bots, [one, other]);
      owner.process.kill(signal);
      const startedAt = performance.now();

      await send(bots, blocked(bots, 20));
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(40);
      const tookMs = performance.now() - startedAt;
      owner.process.kill('SIGCONT');
      await send(bots, blocked(bots, 20));

      await expect.poll(() => countDeletions(bots), patient).toEqual({ deleted: 60, again: 0 });
      expect(tookMs).toBeLessThan(5000);
      await expect.poll(() => readShares(bots), patient).toEqual(shares);
    },
  );

  /** The process that has the partition of the chat. */
  async function findOwner(
    { database }: Tested,
    servers: readonly ServerProcess[],
  ): Promise<ServerProcess> {
    const { rows } = await sql<{ name: string }>`select a.application_name as name
      from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
        and l.objid = ${choosePartition(chatId) + 2}
        and l.database = (select oid from pg_database where datname = current_database())`.execute(
      database.db,
    );
    const found = servers.find(({ process: { pid } }) => rows[0]?.name === `nori bot ${pid}`);
    assert(found !== undefined);
    return found;
  }

  test('partitions are shared anew when processes come and go, and nothing is lost or repeated', async () => {
    const bots = await open();
    const servers = [bots.start('bot')];
    await webhookIsSet(bots);
    await expect.poll(() => readShares(bots), patient).toEqual([64]);
    let sent = 0;
    const sendSome = async () => {
      await send(bots, blocked(bots, 10));
      sent += 10;
    };

    for (const shares of [
      [32, 32],
      [22, 22, 20],
    ]) {
      servers.push(bots.start('bot'));
      await sendSome();
      await expect.poll(() => readShares(bots), patient).toEqual(shares);
    }
    for (const shares of [[32, 32], [64]]) {
      await sendSome();
      servers.shift()?.process.kill('SIGTERM');
      await sendSome();
      await expect.poll(() => readShares(bots), patient).toEqual(shares);
    }

    await expect.poll(() => countDeletions(bots), patient).toEqual({ deleted: sent, again: 0 });
  });

  test('an album is deleted whole when its process is killed in its middle', async () => {
    const bots = await open();
    const servers = await startTwo(bots);
    const album = (name: string, isBlocked: boolean) =>
      bots.toUpdate({
        message: bots.written({
          media_group_id: name,
          ...(isBlocked ? {} : { photo: undefined, video: {} }),
        }),
      });
    await send(bots, [album('late', false), album('late', false), album('early', true)]);
    await expect.poll(() => countDeletions(bots).deleted, patient).toBe(1);
    const owner = await findOwner(bots, servers);
    await isSaved(bots, 3);
    owner.process.kill('SIGKILL');

    await send(bots, [album('late', true), album('early', false)]);

    await expect.poll(() => countDeletions(bots), patient).toEqual({ deleted: 5, again: 0 });
  });

  test.skipIf(nats?.stop === undefined)(
    'while NATS is away Telegram is told to come again, and then everything goes on',
    async () => {
      const bots = await open();
      await startTwo(bots);
      await send(bots, blocked(bots, 10));
      await expect.poll(() => countDeletions(bots).deleted, patient).toBe(10);

      await nats?.stop?.();
      const [update, ...others] = blocked(bots, 10);
      assert(update !== undefined);
      expect(await bots.webs[0].receives(update)).toBe(503);
      await nats?.start();
      await send(bots, [update, ...others]);

      await expect.poll(() => countDeletions(bots), patient).toEqual({ deleted: 20, again: 0 });
    },
  );
});
