/** Counts the SQL statements of the calls that users make most, the session, limits and transaction included. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';

import { createApp } from '#server/app/app';
import { type Dependencies } from '#server/app/dependencies';
import { readEnv } from '#server/app/env';
import { type Database, migrate } from '#server/db/client';
import { englishOnly } from '#server/lib/languages';
import { createLog, createSecurityLog } from '#server/lib/log';
import { createDiskStore } from '#server/lib/object-store';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { secureRandom } from '#server/lib/random';
import { openKeptKeys } from '#server/services/key-rotation';

import { chatId, person } from './demo-server.ts';

/** What a call may send to the database at most. */
export const statementBudgets = { 'PUT a setting': 8, 'GET a chat': 4, 'POST login': 6 } as const;

/** On PostgreSQL a change stores its event for the other processes, too. */
export const eventStatements: Partial<Record<string, number>> = { 'PUT a setting': 1 };

/** What a process reads of the others, whatever it is called for. */
const isRead = /pg_current_snapshot/;

type Counts = Record<keyof typeof statementBudgets, readonly string[]>;

/** The statements of each call. `open` opens an empty database that reports its statements. */
export async function readStatements(
  open: (onStatement: (sql: string) => void) => Promise<Database>,
): Promise<Counts> {
  const statements: string[] = [];
  const codes: string[] = [];
  const database = await open((sql) => {
    if (!isRead.test(sql)) {
      statements.push(sql);
    }
  });
  await migrate(database);
  const dataDir = join(tmpdir(), `nori-statements-${randomUUID()}`);
  const env = readEnv({ SECRET_KEY: 'a-key-of-tests-with-32-characters', NORI_DATA_DIR: dataDir });
  const log = createLog('silent');
  const deps: Dependencies = {
    env,
    keptKeys: await openKeptKeys({ env, database, random: secureRandom, clock: Date.now, log }),
    database,
    objects: createDiskStore(dataDir),
    telegram: undefined,
    clock: Date.now,
    random: secureRandom,
    hasher: createPasswordHasher({ memory: 8, passes: 1 }),
    languages: englishOnly,
    log,
    securityLog: createSecurityLog({ write: () => undefined }),
    deliver: (_telegramId, { code = '' }) => void codes.push(code),
  };
  const app = createApp(deps);
  let token = '';

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    statements.length = 0;
    const response = await app.request(`/backend${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) {
      throw new Error(`${method} ${path} failed: ${JSON.stringify(answer)}`);
    }
    return answer;
  }

  const { telegram_id, password } = person;
  const { attempt } = v.parse(
    v.object({ attempt: v.string() }),
    await call('POST', '/register', person),
  );
  await call('POST', '/verify-otp', { telegram_id, otp_code: codes.at(-1), attempt });
  const { access_token } = v.parse(
    v.object({ access_token: v.string() }),
    await call('POST', '/login', { telegram_id, password }),
  );
  const login = [...statements];
  token = access_token;
  await call('POST', '/chats', { chat_id: chatId });
  await call('POST', '/chats/verify', { chat_id: chatId, otp: codes.at(-1) });
  await call('GET', `/chats/${chatId}`);
  const read = [...statements];
  const setting = { chat_id: chatId, topic_id: '0', setting_name: 'photo_blocked', value: true };
  await call('PUT', `/chats/${chatId}/topics/0/settings`, setting);
  const toggle = [...statements];
  await database.close();
  return { 'PUT a setting': toggle, 'GET a chat': read, 'POST login': login };
}
