/** After the deletion of an account, no file in the data folder of a real server has anything of its user. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readExport } from '#contract/endpoints/exports';
import { canary, mila } from '#tests/canary';
import { makePng } from '#tests/pictures';
import { type ServerProcess, startServerProcess } from '#tests/server-process';
import { goodPassword } from '#tests/test-server';

const other = 888_777_666;
let dataDir: string;
let server: ServerProcess;
let address: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nori-deletion-'));
  server = startServerProcess({
    NORI_DATA_DIR: dataDir,
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
    LOG_LEVEL: 'info',
  });
  [, address = ''] = await server.hears(/Open (http:\S+)/);
});
afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.ended;
  await rm(dataDir, { recursive: true });
});

async function send(method: string, path: string, { token = '', body = {} } = {}) {
  const reply = await fetch(`${address}/backend${path}`, {
    method,
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('Content-Type')?.includes('json') === true;
  return { status: reply.status, body: isJson ? JSON.parse(text) : text };
}

async function signUp(telegramId: number, email: string): Promise<string> {
  const telegram_id = String(telegramId);
  const registered = await send('POST', '/register', {
    body: { telegram_id, email, password: goodPassword },
  });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), registered.body);
  const [, otp_code = ''] = await server.hears(
    new RegExp(`one-time password for ${telegramId}: (\\d{6})`),
  );
  const { body } = await send(
    'POST',
    `/verify-otp?telegram_id=${telegram_id}&otp_code=${otp_code}`,
    { body: { attempt } },
  );
  return v.parse(v.object({ access_token: v.string() }), body).access_token;
}

/** Two people in turns, so that their rows stand side by side. */
async function useEverything(tokens: readonly (readonly [token: string, word: string])[]) {
  const image = await makePng();
  for (let round = 0; round < 25; round += 1) {
    for (const [token, word] of tokens) {
      const form = new FormData();
      const prompt = `${word} number ${round}, ${'and much more '.repeat(round * 6)}`;
      const fields = { model_id: 'm', prompt, ratio: '4:3', nsfw: 'false', seed: String(round) };
      for (const [name, value] of Object.entries({ ...fields, model_name: `${word} model` })) {
        form.append(name, value);
      }
      form.append('image', image);
      const saved = await fetch(`${address}/backend/generations/save`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: form,
      });
      expect(saved.status).toBe(201);
    }
  }
  for (const [token, word] of tokens) {
    await send('POST', '/pixai/api/v1/generate', {
      token,
      body: { prompt: word, model_id: '1001', ratio: '1:1' },
    });
    await send('POST', '/auth/export', { token });
  }
}

/** What the files hold: the word in any case and as UTF-16, and the ID as text and as a number of the database. */
async function findInFiles(): Promise<readonly string[]> {
  const id = Buffer.alloc(6);
  id.writeUIntBE(mila, 0, 6);
  const needles = [canary, canary.toLowerCase(), String(mila)].flatMap((text) => [
    Buffer.from(text, 'utf8'),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
  ]);
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      const isFound = [...needles, id].some((needle) => bytes.includes(needle));
      return isFound || name.endsWith('-archive') ? [name] : [];
    }),
  );
  return found.flat().toSorted();
}

test('of a deleted account nothing is in the database, its log, the pictures, or what the server has logged', async () => {
  const token = await signUp(mila, `${canary}@example.org`);
  const otherToken = await signUp(other, 'bo@example.org');
  await useEverything([
    [token, canary],
    [otherToken, 'a lighthouse'],
  ]);
  await expect
    .poll(async () => {
      const states = await Promise.all(
        [token, otherToken].map((one) => send('GET', '/auth/export', { token: one })),
      );
      return states.map(({ body }) => v.parse(readExport.output, body).state);
    })
    .toEqual(['ready', 'ready']);
  const before = await findInFiles();

  const deleted = await send('DELETE', '/auth/me', { token, body: { password: goodPassword } });
  const after = await findInFiles();

  expect(before).toEqual(expect.arrayContaining(['nori.db-wal']));
  expect(before.filter((name) => name.endsWith('-archive'))).toHaveLength(2);
  expect(deleted.status).toBe(204);
  // That of the other user.
  expect(after).toEqual([expect.stringMatching(/-archive$/)]);
  const logged = server
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(logged.length).toBeGreaterThan(50);
  expect(logged.filter((line) => line.includes(String(mila)) || line.includes(canary))).toEqual([]);
  const { body } = await send('GET', '/generations/history', { token: otherToken });
  expect(JSON.stringify(body)).toContain('a lighthouse');
});
