/** The commands of the operator as they are typed: what they print, and how they end. */
import { sql } from 'kysely';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '#server/db/client';
import { startBotApi } from '#tests/bot-api-server';
import { startNats } from '#tests/nats';
import { bucketVariables, startBucket } from '#tests/object-store';
import { startPostgres } from '#tests/postgres';
import { findFreePort, runNori, startServerProcess } from '#tests/server-process';
import { createCaller, manageAt, signUpAt } from '#tests/several-processes';
import { makeDatabase } from '#tests/test-server';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const [postgres, bucket, nats] = await Promise.all([startPostgres(), startBucket(), startNats()]);
const folder = await mkdtemp(join(tmpdir(), 'nori-commands-'));
afterAll(async () => {
  await Promise.all([postgres?.close(), bucket?.close(), nats?.close()]);
  await rm(folder, { recursive: true });
});

const SECRET_KEY = 'a-key-of-tests-with-32-characters';
const makeFolder = async () => ({
  SECRET_KEY,
  STORAGE_FREE_MB: '1',
  NORI_DATA_DIR: await mkdtemp(join(folder, 'data-')),
});

async function makePostgres() {
  const { url, drop } = await makeDatabase(postgres?.url ?? '');
  onTestFinished(drop);
  return { ...(await makeFolder()), DATABASE_URL: url };
}

async function startServer(variables: Readonly<Record<string, string>>) {
  const server = startServerProcess(variables);
  onTestFinished(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
  });
  const [, url = ''] = await server.hears(/(http:\/\/127\.0\.0\.1:\d+)/);
  return { ...server, url };
}

const report = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    is_well: v.boolean(),
    findings: v.array(
      v.looseObject({
        check: v.string(),
        state: v.string(),
        says: v.string(),
        next: v.optional(v.string()),
      }),
    ),
  }),
);

async function diagnose(
  variables: Readonly<Record<string, string>>,
  ...options: readonly string[]
) {
  const { code, said } = await runNori(variables, 'doctor', '--json', ...options);
  // Lines of the log stand before it, each in braces of its own.
  const { findings, is_well: isWell } = v.parse(report, said.slice(said.indexOf('{\n')));
  return {
    code,
    isWell,
    findings,
    bad: findings.filter(({ state }) => state === 'bad').map(({ check }) => check),
    says: (check: string) =>
      findings.filter((finding) => finding.check === check).map(({ says }) => says),
  };
}

describe('what is typed', () => {
  test('help lists every command, and what is no command is refused', async () => {
    const help = await runNori({}, 'help');
    const nothing = await runNori({});

    expect(help.code).toBe(0);
    for (const name of ['migrate', 'doctor', 'backup', 'restore', 'export', 'erase']) {
      expect(help.said).toMatch(new RegExp(`^ {2}nori ${name}\\b`, 'm'));
    }
    expect(nothing).toEqual(help);
  });

  test.each([
    [['frobnicate'], 'There is no command frobnicate. `nori help` lists them.'],
    [['constructor'], 'There is no command constructor. `nori help` lists them.'],
    [['backup'], 'Usage: nori backup <folder> [--with-key]'],
    [['backup', 'a', 'b'], 'Usage: nori backup <folder> [--with-key]'],
    [['backup', 'a', '--with-keys'], 'Usage: nori backup <folder> [--with-key]'],
    [['erase', '12x'], '12x is no Telegram ID, which is a number such as 123456789.'],
  ])('%j is answered in one line', async (args, line) => {
    expect(await runNori({}, ...args)).toEqual({ code: 2, said: `${line}\n` });
  });

  test('it runs through npm from any folder of the project, and says which variables are wrong', async () => {
    const typed = run('npm', ['run', '--silent', 'nori', '--', 'migrate'], {
      cwd: join(root, 'docs'),
      env: { ...process.env, PORT: 'eighty' },
    });

    await expect(typed).rejects.toMatchObject({
      code: 2,
      stderr:
        'Some environment variables are wrong:\nPORT: must be a port number from 0 to 65535\n',
    });
  });
});

describe('migrate', () => {
  test('says what it did, and then that there is nothing to do', async () => {
    const machine = await makeFolder();

    const first = await runNori(machine, 'migrate');
    const second = await runNori(machine, 'migrate');

    expect(first.said).toMatch(/^\d+ migrations have run: 0001-create-tables, .*\.\n$/);
    expect(second.said).toMatch(/^The tables are up to date \(\d{4}-[a-z-]+\)\.\n$/);
    expect([first.code, second.code]).toEqual([0, 0]);
  });

  test.runIf(postgres)('several at once run each migration once', async () => {
    const machine = await makePostgres();

    const all = await Promise.all([1, 2, 3].map(() => runNori(machine, 'migrate')));

    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(all.filter(({ said }) => said.includes('have run'))).toHaveLength(1);
  });

  test('a server and a command refuse tables of a newer version in one line', async () => {
    const machine = await makeFolder();
    await runNori(machine, 'migrate');
    const database = openDatabase({ dataDir: machine.NORI_DATA_DIR });
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030')`.execute(
      database.db,
    );
    await database.close();

    const server = startServerProcess(machine);
    const line =
      /cannot be (?:opened|used): its tables are those of a newer version of Nori: .* since the migration 9999-future\. [^\n]*\n$/;

    expect(await server.ended).toBe(1);
    expect(server.said()).toMatch(line);
    expect((await runNori(machine, 'migrate')).said).toMatch(line);
    expect((await diagnose(machine)).bad).toEqual(['tables']);
  });
});

describe('doctor', () => {
  test('a machine on which nothing is set up yet is left as it is, and what to do is said', async () => {
    const dataDir = join(folder, 'not-there');

    const { code, bad, findings } = await diagnose({ NORI_DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(bad).toEqual(['database', 'store']);
    expect(findings.every(({ state, next }) => state === 'good' || next !== undefined)).toBe(true);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('beside a server on SQLite everything is green, and no secret is printed', async () => {
    const machine = await makeFolder();
    const port = await findFreePort();
    const bot = await startBotApi({ people: [] });
    onTestFinished(bot.close);
    const variables = {
      ...machine,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      BOT_TOKEN: bot.token,
      TELEGRAM_API_ROOT: bot.apiRoot,
    };
    await startServer(variables);

    const { code, isWell, says, findings } = await diagnose(variables, '--deep');

    expect(findings.filter(({ state }) => state !== 'good')).toEqual([]);
    expect(code).toBe(0);
    expect(isWell).toBe(true);
    expect(says('environment')[0]).toContain('BOT_TOKEN (secret)');
    expect(says('telegram')[0]).toMatch(/^The bot is @\w+; 0 updates wait\.$/);
    expect(JSON.stringify(findings)).not.toContain(bot.token);
    expect(JSON.stringify(findings)).not.toContain(SECRET_KEY);
  });

  test('what does not answer, what is missing and what belongs to nothing is found', async () => {
    const machine = await makeFolder();
    await runNori(machine, 'migrate');
    const database = openDatabase({ dataDir: machine.NORI_DATA_DIR });
    await sql`insert into people (telegram_id, email, password_hash, created_at) values (7, 'a@example.org', 'x', 1)`.execute(
      database.db,
    );
    await sql`insert into pictures (id, telegram_id, type, bytes, width, height, created_at)
      values ('gone', 7, 'image/png', 1, 64, 48, 1)`.execute(database.db);
    await database.close();
    const closed = `http://127.0.0.1:${await findFreePort()}`;

    const { code, bad, says, findings } = await diagnose(
      {
        ...machine,
        BOT_TOKEN: '123456789:AAE-not-a-token',
        TELEGRAM_API_ROOT: closed,
        A1111_URL: closed,
        PUBLIC_URL: closed,
        STORAGE_FREE_MB: '999999999',
      },
      '--deep',
    );

    expect(code).toBe(1);
    expect(new Set(bad)).toEqual(new Set(['objects', 'store', 'telegram', 'A1111_URL']));
    expect(says('objects')).toEqual([
      '2 of 2 objects that rows name are missing, such as gone-original.',
    ]);
    expect(findings.find(({ check }) => check === 'address')?.state).toBe('warning');
    expect(JSON.stringify(findings)).not.toContain('AAE-not-a-token');
  });

  test.runIf(postgres)(
    'on PostgreSQL notifications are heard, and it is known whether the bot is handled',
    async () => {
      const bot = await startBotApi({ people: [] });
      onTestFinished(bot.close);
      const machine = {
        ...(await makePostgres()),
        BOT_TOKEN: bot.token,
        TELEGRAM_API_ROOT: bot.apiRoot,
        BOT_MODE: 'polling',
      };
      await runNori(machine, 'migrate');

      const alone = await diagnose(machine);
      await startServer(machine);

      expect(alone.bad).toEqual([]);
      expect(alone.says('notifications')).toEqual([
        'LISTEN and NOTIFY work through the direct address.',
      ]);
      expect(alone.says('bot')).toEqual(['No process handles the updates of the bot.']);
      await expect
        .poll(async () => (await diagnose(machine)).says('bot'), { timeout: 20_000 })
        .toEqual(['A process handles the updates of the bot.']);
    },
  );

  test.runIf(postgres && bucket && nats)('a bucket and a message log are tried out', async () => {
    const machine = {
      ...(await makePostgres()),
      ...(bucket ? bucketVariables(bucket) : {}),
      NATS_URL: nats?.url ?? '',
    };
    await runNori(machine, 'migrate');

    const { bad, says } = await diagnose(machine, '--deep');
    const wrong = await diagnose({
      ...machine,
      S3_SECRET_ACCESS_KEY: 'not-the-secret',
      NATS_URL: `nats://127.0.0.1:${await findFreePort()}`,
    });

    expect(bad).toEqual([]);
    expect(says('store')[0]).toMatch(/^The bucket \S+ stores, returns and removes objects\.$/);
    expect(says('clock')[0]).toMatch(/differ by \d s\.$/);
    expect(says('nats')[0]).toMatch(/^NATS \S+ answers, with JetStream/);
    expect(says('orphans')).toEqual(['Each object in the store belongs to a row.']);
    expect(new Set(wrong.bad)).toEqual(new Set(['store', 'nats']));
    expect(wrong.says('store')[0]).toContain('refuses to store');
  });

  test.runIf(postgres)('another key than the one of the database is found', async () => {
    const machine = await makePostgres();
    const server = await startServer(machine);
    server.process.kill('SIGTERM');
    await server.ended;

    const other = await diagnose({
      ...machine,
      SECRET_KEY: 'another-key-of-tests-with-32-characters',
    });
    const rotated = await diagnose({
      ...machine,
      SECRET_KEY: 'another-key-of-tests-with-32-characters',
      SECRET_KEY_PREVIOUS: SECRET_KEY,
    });

    expect(other.bad).toEqual(['keys']);
    expect(rotated.bad).toEqual([]);
    expect(rotated.says('keys')[0]).toContain('still sealed with an earlier key');
  });
});

describe('export and erase', () => {
  const telegramId = 123_456_789;
  const chatId = -1_001_234_567_890;

  async function startWithUser(machine: Readonly<Record<string, string>>) {
    const server = await startServer(machine);
    const token = await signUpAt(server, telegramId);
    await manageAt(server, { telegramId, token, chatId });
    return { server, token };
  }

  test('on SQLite the data of a user is exported beside the server, and erased when it has stopped', async () => {
    const machine = await makeFolder();
    const { server } = await startWithUser(machine);
    const file = join(await mkdtemp(join(folder, 'zip-')), 'ada.zip');

    const exported = await runNori(machine, 'export', String(telegramId), file);
    const twice = await runNori(machine, 'export', String(telegramId), file);
    const beside = await runNori(machine, 'erase', String(telegramId), '--yes');
    server.process.kill('SIGTERM');
    await server.ended;
    const erased = await runNori(machine, 'erase', String(telegramId), '--yes');
    const database = openDatabase({ dataDir: machine.NORI_DATA_DIR });
    const people = await database.db.selectFrom('people').selectAll().execute();
    await database.close();

    expect(exported.code).toBe(0);
    expect(exported.said).toContain(`All that is stored about ${telegramId} is in ${file}.`);
    expect(exported.said).toMatch(
      /"event":"export","subject":"[0-9a-f]{16}","from":"","detail":"by the operator"/,
    );
    expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    expect((await readFile(file)).includes('nori.json')).toBe(true);
    expect((await stat(file)).mode % 0o1000).toBe(0o600);
    expect(twice).toMatchObject({ code: 2, said: expect.stringContaining('cannot be made') });
    expect(beside).toMatchObject({ code: 2, said: expect.stringContaining('Stop it first') });
    expect(erased.code).toBe(0);
    expect(erased.said).toMatch(
      /"event":"account_deleted","subject":"[0-9a-f]{16}","from":"","detail":"by the operator"/,
    );
    expect(people).toEqual([]);
  });

  test.runIf(postgres)(
    'on PostgreSQL an account is erased beside the server, after its ID was typed',
    async () => {
      const machine = await makePostgres();
      const { server, token } = await startWithUser(machine);
      const erase = async (typed: string) => {
        const command = startServerProcess(machine, {
          script: 'server/cli.ts',
          args: ['erase', String(telegramId)],
        });
        await command.hears(/Type the ID to confirm/);
        command.process.stdin.end(`${typed}\n`);
        return { code: await command.ended, said: command.said() };
      };
      const readMe = async () => (await createCaller(server.url, token)('GET', '/auth/me')).status;

      const mistyped = await erase('123456780');
      const statusBetween = await readMe();
      const typed = await erase(String(telegramId));

      expect(mistyped).toMatchObject({
        code: 1,
        said: expect.stringContaining('Nothing was deleted.'),
      });
      expect(statusBetween).toBe(200);
      expect(typed).toMatchObject({
        code: 0,
        said: expect.stringContaining('is deleted. Backups still have it.'),
      });
      expect(await readMe()).toBe(401);
    },
  );
});
