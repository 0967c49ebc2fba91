/** Many large uploads at once, at a real server process: its memory stays bounded, and it keeps answering. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { verifyOtp } from '#contract/endpoints/account';
import { makeForm, makeLargePicture, sendForm } from '#scripts/upload-forms.ts';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { goodPassword } from '#tests/test-server';

const mb = 1024 * 1024;
const atOnce = 40;

let dataDir: string;
let server: ServerProcess;
let address: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nori-uploads-'));
});
afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.ended;
  await rm(dataDir, { recursive: true });
});

async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  server = startServerProcess({
    NORI_DATA_DIR: dataDir,
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
    ...variables,
  });
  [, address = ''] = await server.hears(/Open (http:\S+)/);
}

test('on a disk with less free space than is to stay free, nothing is made or saved, and the rest works', async () => {
  await start({ STORAGE_FREE_MB: '999999999' });
  const token = await signUp(700_000_000);

  const saved = await sendForm(await makeForm(await makeLargePicture()), {
    url: address,
    token,
    agent,
  });
  const made = await fetch(`${address}/backend/pixai/api/v1/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ prompt: 'a lighthouse', model_id: '1', ratio: '1:1' }),
  });
  const health = await fetch(`${address}/backend/health`);

  expect(saved.status).toBe(507);
  expect(made.status).toBe(507);
  expect(await made.json()).toMatchObject({ code: 'storage_full' });
  expect(health.status).toBe(200);
  expect(await listFiles()).toEqual([]);
});

test.each([
  { who: 'one user', people: 1 },
  { who: 'forty users', people: atOnce },
])(
  'of forty 20 MB pictures that $who saves at once, some are stored and the others refused until later; memory stays bounded',
  async ({ people }) => {
    await start();
    const tokens = await Promise.all(
      Array.from({ length: people }, (_, index) => signUp(700_000_000 + index)),
    );
    const form = await makeForm(await makeLargePicture());
    expect(form.bytes.length).toBeGreaterThan(19 * mb);
    const memoryBefore = await readMemory();

    const health = watchHealth();
    const replies = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        sendForm(form, { url: address, token: tokens[index % people] ?? '', agent }),
      ),
    );
    const { memory, slowestMs, failures } = await health.stop();

    const stored = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(stored.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
    expect(refused.filter(({ retryAfterS }) => !(retryAfterS > 0))).toEqual([]);
    expect(failures).toBe(0);
    expect(slowestMs).toBeLessThan(5000);
    expect(memory - memoryBefore).toBeLessThan(400 * mb);
    // An original and a small copy of each, and nothing of the refused ones.
    await expect.poll(listFiles).toHaveLength(2 * stored.length);
  },
);

async function signUp(telegramId: number): Promise<string> {
  const post = async (path: string, body: object) =>
    (
      await fetch(`${address}/backend${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  const registered = await post('/register', {
    telegram_id: String(telegramId),
    email: `person${telegramId}@example.org`,
    password: goodPassword,
  });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), registered);
  const [, code = ''] = await server.hears(new RegExp(`password for ${telegramId}: (\\d{6})`));
  const path = `/verify-otp?telegram_id=${telegramId}&otp_code=${code}`;
  return v.parse(verifyOtp.output, await post(path, { attempt })).access_token;
}

/** As browsers do: a server closes other connections as soon as it has answered, while more is being sent. */
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Asks for the health and the memory again and again, until `stop`. */
function watchHealth() {
  const abort = new AbortController();
  let memory = 0;
  let slowestMs = 0;
  let failures = 0;
  async function watch(): Promise<void> {
    while (!abort.signal.aborted) {
      const startedAt = performance.now();
      const { ok } = await fetch(`${address}/backend/health`).catch(() => ({ ok: false }));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      failures += ok ? 0 : 1;
      memory = Math.max(memory, await readMemory());
      await pause(20);
    }
  }
  const watching = watch();
  return {
    stop: async () => {
      abort.abort();
      await watching;
      return { memory, slowestMs, failures };
    },
  };
}

/** Bytes of memory that the server has. */
async function readMemory(): Promise<number> {
  const pid = String(server.process.pid);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', pid]);
  return Number(stdout) * 1024;
}

async function listFiles(): Promise<string[]> {
  const found = await readdir(join(dataDir, 'pictures'), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}
