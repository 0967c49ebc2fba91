/** Many large uploads at once, at a real server process: its memory stays bounded, and it keeps answering. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { verifyOtp } from '#contract/endpoints/account';
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

  const saved = await upload(await makeForm(), token);
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
    const form = await makeForm();
    const memoryBefore = await readMemory();

    const health = watchHealth();
    const replies = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => upload(form, tokens[index % people] ?? '')),
    );
    const { memory, slowestMs, failures } = await health.stop();

    const stored = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(stored.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
    expect(refused.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);
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

/** Noise, which no format makes smaller. */
async function makeForm(): Promise<{ readonly type: string; readonly bytes: Buffer }> {
  const side = 2600;
  const picture = await sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(picture.length).toBeGreaterThan(19 * mb);
  const form = new FormData();
  form.set('model_id', '1');
  form.set('prompt', 'a lighthouse');
  form.set('image', new Blob([new Uint8Array(picture)]));
  const encoded = new Response(form);
  const type = encoded.headers.get('Content-Type') ?? '';
  return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

const pieceBytes = 256 * 1024;
/** As browsers do: a server closes other connections as soon as it has answered, while more is being sent. */
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Sends a form piece by piece, and stops when the answer comes before its end, as the server then closes. */
function upload(form: { readonly type: string; readonly bytes: Buffer }, token: string) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    let at = 0;
    let isAnswered = false;
    const sent = request(
      `${address}/backend/generations/save`,
      {
        method: 'POST',
        agent,
        headers: {
          'Content-Type': form.type,
          'Content-Length': form.bytes.length,
          Authorization: `Bearer ${token}`,
        },
      },
      (response) => {
        isAnswered = true;
        response.resume();
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
        });
      },
    );
    /** A turn later, so that an answer that has arrived is read before more is sent. */
    const sendNext = () =>
      setImmediate(() => {
        if (isAnswered) {
          return;
        }
        const piece = form.bytes.subarray(at, at + pieceBytes);
        at += piece.length;
        if (piece.length === 0) {
          sent.end();
        } else if (sent.write(piece)) {
          sendNext();
        } else {
          sent.once('drain', sendNext);
        }
      });
    sent.on('error', (error) => {
      if (!isAnswered) {
        reject(error);
      }
    });
    sendNext();
  });
}

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
