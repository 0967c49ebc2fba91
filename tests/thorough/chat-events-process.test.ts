/** Two processes on one PostgreSQL: a page at one hears of every change at the other, whatever ends in between. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { type FollowedChat, read } from '#tests/chat-stream';
import { startPostgres } from '#tests/postgres';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { goodPassword } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const chatId = -1001234567890;
const ada = { telegram_id: '123456789', email: 'ada@example.org', password: goodPassword };

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // It breaks when PostgreSQL is restarted.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The address of an empty database of its own. */
async function createDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = await connect(postgres?.url ?? '');
  await client.query(`create database ${name}`);
  const address = new URL(postgres?.url ?? '');
  address.pathname = `/${name}`;
  return address.toString();
}

/** `name` is that of its connections. */
async function startProcess(url: string, name: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'nori-events-'));
  const address = new URL(url);
  address.searchParams.set('application_name', name);
  const server = startServerProcess({
    NORI_DATA_DIR: dataDir,
    DATABASE_URL: address.toString(),
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
  });
  onTestFinished(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
    await rm(dataDir, { recursive: true });
  });
  const [, root = ''] = await server.hears(/Open (http:\S+)/);
  let token = '';
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${root}/backend${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    server,
    call,
    logIn: (given: string) => {
      token = given;
    },
    /** Blocks photos, or allows them. */
    set: (value: boolean) =>
      call('PUT', `/chats/${chatId}/topics/0/settings`, {
        setting_name: 'photo_blocked',
        value,
      }),
  };
}
type Process = Awaited<ReturnType<typeof startProcess>>;

/** Signs up and adds a chat, without a bot. Returns the token. */
async function manageChat({ server, call, logIn }: Process): Promise<string> {
  const registered = await call('POST', '/register', ada);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), await registered.json());
  const otp_code = await readCode(server, 1);
  const verified = await call('POST', '/verify-otp', { ...ada, otp_code, attempt });
  const { access_token } = v.parse(v.object({ access_token: v.string() }), await verified.json());
  logIn(access_token);
  await call('POST', '/chats', { chat_id: String(chatId) });
  const otp = await readCode(server, 2);
  expect((await call('POST', `/chats/verify?chat_id=${chatId}&otp=${otp}`)).status).toBe(200);
  return access_token;
}

/** The code on the console that is the first, second … one. */
async function readCode(server: ServerProcess, count: number): Promise<string> {
  const [text] = await server.hears(
    new RegExp(
      Array.from({ length: count }, () => String.raw`password for \d+: \d{6}`).join('[^]*'),
    ),
  );
  return text.slice(-6);
}

/** Ends all connections of the other process, one of which listens. */
async function endConnections(client: Client): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'other' and query = 'listen nori'`,
      );
      return rowCount;
    })
    .toBe(1);
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'other'`,
  );
}

/** What the next so many events say about photos. */
async function take(page: FollowedChat, count: number): Promise<readonly unknown[]> {
  const heard: unknown[] = [];
  while (heard.length < count) {
    const event = await page.next();
    if (event === undefined) {
      return [...heard, 'the stream has ended'];
    }
    if (event.kind === 'settings') {
      heard.push(event.topics['0']?.['photo_blocked']);
    }
  }
  return heard;
}

describe.skipIf(postgres === undefined)('two processes', () => {
  let one: Process;
  let other: Process;
  let url: string;
  let page: FollowedChat;

  beforeEach(async () => {
    url = await createDatabase();
    one = await startProcess(url, 'one');
    other = await startProcess(url, 'other');
    const token = await manageChat(one);
    other.logIn(token);
    page = read(await other.call('GET', `/chats/${chatId}/events`));
  });

  test('a change is heard at the other within a second', async () => {
    const changedAt = performance.now();
    expect((await one.set(true)).status).toBe(200);

    expect(await take(page, 1)).toEqual([true]);
    expect(performance.now() - changedAt).toBeLessThan(1000);
  });

  test('a process that is killed while its change is committed has told the other', async () => {
    const client = await connect(url);
    // The commit takes a moment, in which the process that waits for it is killed.
    await client.query(`
      create function wait_a_moment() returns trigger language plpgsql as
        'begin perform pg_sleep(2); return null; end';
      create constraint trigger slow after insert on chat_events
        deferrable initially deferred for each row execute function wait_a_moment()`);
    const answer = one.set(true).then(
      ({ status }) => status,
      () => 'no answer',
    );
    await expect
      .poll(async () => {
        const { rows } = await client.query(
          `select 1 from pg_stat_activity
            where application_name = 'one' and query = 'commit' and wait_event = 'PgSleep'`,
        );
        return rows.length;
      })
      .toBe(1);

    one.server.process.kill('SIGKILL');

    expect(await answer).toBe('no answer');
    expect(await take(page, 1)).toEqual([true]);
  });

  test('nothing is missed while its connections are ended again and again', async () => {
    const client = await connect(url);
    const made: boolean[] = [];
    for (let count = 0; count < 24; count += 1) {
      if (count % 4 === 1) {
        await endConnections(client);
      }
      expect((await one.set(count % 2 === 0)).status).toBe(200);
      made.push(count % 2 === 0);
    }

    expect(await take(page, made.length)).toEqual(made);
  });

  test('a process that was stopped for a while hears of everything when it goes on', async () => {
    other.server.process.kill('SIGSTOP');
    const made = [true, false, true, false, true];
    for (const value of made) {
      expect((await one.set(value)).status).toBe(200);
    }
    other.server.process.kill('SIGCONT');

    expect(await take(page, made.length)).toEqual(made);
  });

  test.skipIf(postgres?.local === undefined)(
    'when PostgreSQL crashes, a page hears of the next change, or is to read everything anew',
    async () => {
      expect((await one.set(true)).status).toBe(200);
      expect(await take(page, 1)).toEqual([true]);

      // What was not written to the disk by then is forgotten, and so are the numbers of transactions.
      other.server.process.kill('SIGSTOP');
      await postgres?.local?.restart('immediate');
      await expect.poll(async () => (await one.set(false)).status, { timeout: 20_000 }).toBe(200);
      other.server.process.kill('SIGCONT');

      expect([[false], ['the stream has ended']]).toContainEqual(await take(page, 1));
    },
  );
});
