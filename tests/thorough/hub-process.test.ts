/**
 * Imagine Art and MidJourney with their services, in a real server process: for users and visitors,
 * also when it is killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { verifyOtp } from '#contract/endpoints/account';
import { startImagine, startMidjourney } from '#tests/image-engines';
import { toKey } from '#tests/pictures';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { goodPassword } from '#tests/test-server';

const telegram_id = '123456789';
const job_key = toKey('garden');
/** Real processes poll with real pauses. */
const limit = { timeout: 20_000 };

let dataDir: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nori-hub-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.process.kill('SIGKILL');
    await server.ended;
  }
  await rm(dataDir, { recursive: true });
});

async function start(variables: Record<string, string>) {
  const server = startServerProcess({
    NORI_DATA_DIR: dataDir,
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
    ...variables,
  });
  running.push(server);
  const [, address = ''] = await server.hears(/Open (http:\S+)/);

  async function call(path: string, { token, body }: { token?: string; body?: unknown } = {}) {
    const response = await fetch(`${address}/backend${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer };
  }

  async function signUp(): Promise<string> {
    const ada = { telegram_id, email: 'ada@example.org', password: goodPassword };
    const registered = await call('/register', { body: ada });
    const { attempt } = v.parse(v.object({ attempt: v.string() }), registered.body);
    const [, code = ''] = await server.hears(/password for 123456789: (\d{6})/);
    const verified = await call(`/verify-otp?telegram_id=${telegram_id}&otp_code=${code}`, {
      body: { attempt },
    });
    return v.parse(verifyOtp.output, verified.body).access_token;
  }

  return {
    ...server,
    call,
    signUp,
    generate: (token?: string) =>
      call('/pixai/api/v1/midjourney/generate', {
        body: { prompt: 'a secret garden', job_key },
        ...(token === undefined ? {} : { token }),
      }),
    history: async (token: string) => {
      const { body } = await call('/pixai/api/v1/midjourney/history', { token });
      return v.parse(v.object({ generations: v.array(made) }), body).generations;
    },
    /** The answer of the download call for a link. */
    download: async (url: string) => {
      const query = new URLSearchParams({ url: new URL(url, address).href });
      return fetch(`${address}/backend/pixai/api/v1/midjourney/download?${query.toString()}`);
    },
  };
}

const made = v.looseObject({ id: v.string(), s3_urls: v.array(v.string()) });

test('a visitor gets a picture by Imagine Art and four by MidJourney, and saves one as a file', async () => {
  const [imagine, midjourney] = await Promise.all([startImagine(), startMidjourney()]);
  const server = await start({ ...imagine.variables, ...midjourney.variables });

  const one = await server.call('/pixai/api/v1/api/imagine-art/save', {
    body: { prompt: 'a shrine', style: 'anime', aspect_ratio: '16:9', seed: 7 },
  });
  const four = await server.generate();
  const { s3_urls } = v.parse(made, four.body);
  const file = await server.download(s3_urls[3] ?? '');

  expect(one.body).toMatchObject({ engine: 'imagine', seed: 7, is_saved: false });
  expect(four.body).toMatchObject({ engine: 'midjourney', is_saved: false });
  expect(file.headers.get('Content-Disposition')).toMatch(/^attachment; filename="nori-.*\.png"$/);
  expect(file.headers.get('Content-Type')).toBe('image/png');
  expect(server.said()).not.toMatch(/secret garden|vk-stand-in|mj-stand-in/);
});

test('a user’s task continues while the server is down, and its four pictures are in the history', async () => {
  const midjourney = await startMidjourney();
  midjourney.hold();
  const first = await start(midjourney.variables);
  const token = await first.signUp();
  const broken = first.generate(token).catch(() => 'broken');
  await expect.poll(() => midjourney.callsTo('GET /mj/task/*').length, limit).toBeGreaterThan(0);
  first.process.kill('SIGKILL');
  await first.ended;
  midjourney.release();

  const second = await start(midjourney.variables);

  expect(await broken).toBe('broken');
  await expect.poll(() => second.history(token), limit).toHaveLength(1);
  const [kept] = await second.history(token);
  const again = await second.generate(token);
  expect(kept?.s3_urls).toHaveLength(4);
  expect(again.body).toMatchObject({ id: kept?.id, is_saved: true });
  expect(midjourney.callsTo('POST /mj/submit/imagine')).toHaveLength(1);
});

test('a paid picture by Imagine Art that was in progress when the server was killed is not requested again', async () => {
  const imagine = await startImagine();
  const call = 'POST /v2/image/generations';
  imagine.fail(call, 'hang');
  const first = await start(imagine.variables);
  const input = { prompt: 'a shrine', style: 'anime', aspect_ratio: '1:1', job_key };
  const path = '/pixai/api/v1/api/imagine-art/save';
  const broken = first.call(path, { body: input }).catch(() => 'broken');
  await expect.poll(() => imagine.callsTo(call).length, limit).toBe(1);
  first.process.kill('SIGKILL');
  await first.ended;

  const second = await start(imagine.variables);
  const again = await second.call(path, { body: input });

  expect(await broken).toBe('broken');
  expect(again).toMatchObject({ status: 503, body: { code: 'generation_interrupted' } });
  expect(imagine.callsTo(call)).toHaveLength(1);
});
