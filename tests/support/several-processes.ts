/** Real server processes that share one PostgreSQL and one folder for pictures. */
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';

import { type TestPostgres } from './postgres.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { goodPassword } from './test-server.ts';

export type SharedProcess = ServerProcess & {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
};

/** Starts a process with these roles, such as `web,bot`, and resolves when it listens. */
type StartProcess = (
  roles: string,
  variables?: Readonly<Record<string, string>>,
) => Promise<SharedProcess>;

/** A fresh database; all that was started ends with the test. */
export async function startShared(
  postgres: TestPostgres | undefined,
): Promise<{ readonly database: Database; readonly start: StartProcess }> {
  const address = new URL(postgres?.url ?? '');
  const name = `shared_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase({ url: address.toString() });
  await sql.raw(`create database ${name}`).execute(admin.db);
  await admin.close();
  address.pathname = `/${name}`;
  const url = address.toString();
  const database = openDatabase({ url });
  await migrate(database);
  const folder = await mkdtemp(join(tmpdir(), 'nori-shared-'));
  const running: ServerProcess[] = [];
  onTestFinished(async () => {
    for (const server of running) {
      server.process.kill('SIGKILL');
      await server.ended;
    }
    await database.close();
    await rm(folder, { recursive: true });
  });

  return {
    database,
    start: async (roles, variables = {}) => {
      const server = startServerProcess({
        NORI_ROLE: roles,
        NORI_DATA_DIR: folder,
        DATABASE_URL: url,
        SECRET_KEY: 'a-key-of-tests-with-32-characters',
        CALLS_PER_MINUTE: '1000000',
        ADDRESS_LIMIT_FACTOR: '1000',
        LOG_LEVEL: 'warn',
        ...variables,
      });
      running.push(server);
      const [, found = ''] = await server.hears(/(http:\/\/127\.0\.0\.1:\d+)/);
      return { ...server, url: found };
    },
  };
}

/** Calls a server as a user does; the token is that of a session. */
export function createCaller(url: string, token?: string, signal = new AbortController().signal) {
  return (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${url}/backend${path}`, {
      method,
      signal,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Makes an account at a server without a bot, which prints the code, and returns the token of a session. */
export async function signUpAt(server: SharedProcess, telegramId: number): Promise<string> {
  const call = createCaller(server.url);
  const person = {
    telegram_id: String(telegramId),
    email: `person${telegramId}@example.org`,
    password: goodPassword,
  };
  const registered = await call('POST', '/register', person);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), await registered.json());
  const [, code] = await server.hears(new RegExp(`password for ${telegramId}: (\\d{6})`));
  const verified = await call('POST', '/verify-otp', { ...person, otp_code: code, attempt });
  return v.parse(v.object({ access_token: v.string() }), await verified.json()).access_token;
}

/** Adds a chat at a server without a bot, which prints the second code. */
export async function manageAt(
  server: SharedProcess,
  { telegramId, token, chatId }: { telegramId: number; token: string; chatId: number },
): Promise<void> {
  const call = createCaller(server.url, token);
  await call('POST', '/chats', { chat_id: String(chatId) });
  const [, otp = ''] = await server.hears(
    new RegExp(`password for ${telegramId}: \\d{6}[^]*password for \\S+ (\\d{6})`),
  );
  const { status } = await call('POST', `/chats/verify?chat_id=${chatId}&otp=${otp}`);
  if (status !== 200) {
    throw new Error(`The chat was refused with ${status}`);
  }
}
