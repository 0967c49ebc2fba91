/**
 * The drill: a backup of a real server while it writes, a restore on an empty machine, also from one database to the other,
 * and what the doctor says of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { settingNames } from '#contract/chats/message-types';
import { listGenerations, readSavedGeneration } from '#contract/endpoints/generations';
import { makePng } from '#tests/pictures';
import { startPostgres } from '#tests/postgres';
import { runNori, startServerProcess } from '#tests/server-process';
import { createCaller, manageAt, type SharedProcess, signUpAt } from '#tests/several-processes';
import { makeDatabase } from '#tests/test-server';

const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'nori-drill-'));
afterAll(async () => {
  await postgres?.close();
  await rm(folder, { recursive: true });
});

type Machine = Readonly<Record<string, string>>;

const common = {
  SECRET_KEY: 'a-key-of-tests-with-32-characters',
  CALLS_PER_MINUTE: '1000000',
  ADDRESS_LIMIT_FACTOR: '1000',
  STORAGE_FREE_MB: '1',
};

async function makeSqlite(): Promise<Machine> {
  return { ...common, NORI_DATA_DIR: await mkdtemp(join(folder, 'data-')) };
}

async function makePostgres(): Promise<Machine> {
  const { url, drop } = await makeDatabase(postgres?.url ?? '');
  onTestFinished(drop);
  return { ...(await makeSqlite()), DATABASE_URL: url };
}

const machines = {
  SQLite: makeSqlite,
  ...(postgres === undefined ? {} : { PostgreSQL: makePostgres }),
};
const pairs = Object.entries(machines).flatMap(([from, makeSource]) =>
  Object.entries(machines).map(([to, makeTarget]) => ({ from, to, makeSource, makeTarget })),
);

async function startServer(machine: Machine): Promise<SharedProcess> {
  const server = startServerProcess(machine);
  onTestFinished(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
  });
  const [, url = ''] = await server.hears(/Open (http:\S+)/);
  return { ...server, url };
}

const chatId = -1_001_234_567_890;
const owner = 123_456_789;

type Person = { readonly telegramId: number; readonly token: string };

async function blockType(url: string, token: string, setting: string): Promise<void> {
  const body = { chat_id: String(chatId), topic_id: '0', setting_name: setting, value: true };
  const reply = await createCaller(url, token)('PUT', `/chats/${chatId}/topics/0/settings`, body);
  if (!reply.ok) {
    throw new Error(`A setting was refused: ${reply.status} ${await reply.text()}`);
  }
}

/** Returns the ID of the generation. */
async function savePicture(url: string, { token }: Person, number: number): Promise<string> {
  const form = new FormData();
  form.set('model_id', '1');
  form.set('prompt', `picture ${number}`);
  form.set('image', await makePng(64, 48, `rgb(${number % 256}, 90, 90)`));
  const reply = await fetch(`${url}/backend/generations/save`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  return v.parse(v.object({ id: v.string() }), await reply.json()).id;
}

/** What a server must still have: all of it was acknowledged. */
type Ledger = {
  readonly people: Person[];
  readonly settings: string[];
  readonly pictures: string[];
};

/** Writes again and again until it is stopped. */
function keepWriting(server: SharedProcess, person: Person) {
  const stopping = new AbortController();
  const ledger: Ledger = { people: [], settings: [], pictures: [] };
  let count = 0;
  const write = async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const telegramId = 300_000_000 + number;
      ledger.people.push({ telegramId, token: await signUpAt(server, telegramId) });
      ledger.pictures.push(await savePicture(server.url, person, 1000 + number));
      const setting = settingNames[20 + (number % 5)] ?? '';
      await blockType(server.url, person.token, setting);
      ledger.settings.push(setting);
      count += 3;
      const gone = ledger.pictures.length > 4 ? ledger.pictures.shift() : undefined;
      if (gone !== undefined) {
        await createCaller(server.url, person.token)('DELETE', `/generations/${gone}`);
      }
    }
  };
  const done = write();
  return {
    count: () => count,
    /** Without the pictures, which are deleted again. */
    read: () => ({ people: [...ledger.people], settings: [...ledger.settings] }),
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

async function readLedger(server: SharedProcess): Promise<Ledger> {
  const person = { telegramId: owner, token: await signUpAt(server, owner) };
  await manageAt(server, { ...person, chatId });
  const others = [200_000_001];
  const people = [person];
  for (const telegramId of others) {
    people.push({ telegramId, token: await signUpAt(server, telegramId) });
  }
  const settings = settingNames.slice(0, 6);
  const pictures: string[] = [];
  for (const [index, setting] of settings.entries()) {
    await blockType(server.url, person.token, setting);
    pictures.push(await savePicture(server.url, person, index));
  }
  return { people, settings: [...settings], pictures };
}

/** The acknowledged writes that a server does not have, and pictures that do not open. */
async function findLost({ url }: SharedProcess, ledger: Ledger): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { telegramId, token } of ledger.people) {
    const me = await createCaller(url, token)('GET', '/auth/me');
    if (!me.ok) {
      lost.push(`the session of ${telegramId}: ${me.status}`);
    }
  }
  const call = createCaller(url, ledger.people[0]?.token);
  const chat = await (await call('GET', `/chats/${chatId}`)).json();
  const { topics } = v.parse(
    v.object({ topics: v.record(v.string(), v.record(v.string(), v.boolean())) }),
    chat,
  );
  lost.push(...ledger.settings.filter((setting) => topics['0']?.[setting] !== true));
  const listed = v.parse(
    listGenerations.output,
    await (await call('GET', '/generations/history')).json(),
  );
  const saved = listed.generations.flatMap((item) => readSavedGeneration(item) ?? []);
  const ids = new Set(saved.map(({ id }) => id));
  lost.push(...ledger.pictures.filter((id) => !ids.has(id)));
  for (const { id, imageUrl, thumbnailUrl } of saved) {
    for (const link of [imageUrl, thumbnailUrl]) {
      const picture = await fetch(new URL(link ?? '/', url));
      if (picture.headers.get('Content-Type')?.startsWith('image/') !== true) {
        lost.push(`the picture of ${id}: ${picture.status}`);
      }
    }
  }
  return lost;
}

const report = v.object({
  is_well: v.boolean(),
  findings: v.array(v.looseObject({ check: v.string(), state: v.string(), says: v.string() })),
});

/** Several processes start one after the other. */
describe.each(pairs)('from $from to $to', ({ makeSource, makeTarget }) => {
  test(
    'a backup while a server writes is whole on an empty machine, and the doctor finds nothing',
    { timeout: 150_000 },
    async () => {
      const machine = await makeSource();
      const server = await startServer(machine);
      const ledger = await readLedger(server);
      const [person] = ledger.people;
      const backup = join(machine['NORI_DATA_DIR'] ?? '', 'backup');
      const writing = keepWriting(server, person ?? { telegramId: 0, token: '' });
      await expect.poll(writing.count, { timeout: 30_000 }).toBeGreaterThan(1);
      const before = writing.count();
      const acknowledged = writing.read();
      ledger.people.push(...acknowledged.people);
      ledger.settings.push(...acknowledged.settings);

      const made = await runNori(machine, 'backup', backup);
      const after = writing.count();
      await writing.stop();
      server.process.kill('SIGKILL');
      await server.ended;
      const target = await makeTarget();
      const restored = await runNori(target, 'restore', backup);
      const checked = await runNori(target, 'doctor', '--deep', '--json');

      expect(made.said).toContain('The backup is complete');
      expect(made.code).toBe(0);
      expect(after).toBeGreaterThan(before);
      expect(restored.said).toContain('All is well.');
      expect(restored.code).toBe(0);
      expect(checked.code).toBe(0);
      const { findings } = v.parse(report, JSON.parse(checked.said));
      const states = new Map(findings.map(({ check, state }) => [check, state]));
      expect(states.get('objects')).toBe('good');
      expect(states.get('orphans')).toBe('good');
      expect(states.get('keys')).toBe('good');
      const again = await startServer(target);
      expect(await findLost(again, ledger)).toEqual([]);

      const refused = await runNori(machine, 'restore', backup);
      expect(refused.code).toBe(2);
      expect(refused.said).toContain('is not empty');
    },
  );
});
