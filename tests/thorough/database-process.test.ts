/** A server as a process of its own whose PostgreSQL ends all connections again and again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';

import { startPostgres } from '#tests/postgres';
import { startServerProcess } from '#tests/server-process';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const rounds = 5;
const callsPerRound = 24;

async function start(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'nori-database-'));
  const server = startServerProcess({
    NORI_DATA_DIR: folder,
    DATABASE_URL: url,
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
  });
  onTestFinished(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
    await rm(folder, { recursive: true });
  });
  const [, address = ''] = await server.hears(/Open (http:\S+)/);
  return { server, address };
}

test.runIf(postgres !== undefined)(
  'the process outlives every connection, and answers each call with its result or with 503',
  async () => {
    const url = postgres?.url ?? '';
    const { server, address } = await start(url);
    const outside = new Client({ connectionString: url });
    await outside.connect();
    onTestFinished(() => outside.end());
    const login = () =>
      fetch(`${address}/backend/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ telegram_id: '123456789', password: 'seven quiet otters' }),
      });

    for (let round = 0; round < rounds; round += 1) {
      const calls = Array.from({ length: callsPerRound }, login);
      await Promise.race(calls);
      await outside.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );

      for (const reply of await Promise.all(calls)) {
        expect([401, 429, 503]).toContain(reply.status);
        expect(reply.headers.has('Retry-After')).toBe(reply.status !== 401);
      }
      expect((await fetch(`${address}/backend/health`)).status).toBe(200);
    }

    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);
