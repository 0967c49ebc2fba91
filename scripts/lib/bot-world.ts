/** Prepares a data folder with chats for `npm run bench:bot`, and starts the real server on it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

import { settingName } from '#contract/chats/message-types';
import { openDatabase, migrate } from '#server/db/client';
import { addSession } from '#server/db/sessions';
import { secureRandom } from '#server/lib/random';
import { findFreePort } from '#tests/server-process';

import { call } from './demo-server.ts';
import { root } from './run.mjs';
import { Stop } from './say.mjs';

export const owner = 1001;
export const administrator = 1002;
export const topics = [0, 5, 9] as const;

const dayMs = 24 * 3_600_000;

export const getChatId = (index: number): number => -1_001_000_000_000 - index;

/** Makes chats that the owner manages. Returns the token of the owner's session. */
export async function makeChats(
  place: Parameters<typeof openDatabase>[0],
  count: number,
): Promise<string> {
  const database = openDatabase(place);
  await migrate(database);
  const now = Date.now();
  const ids = Array.from({ length: count }, (_, index) => getChatId(index));
  await database.db.transaction().execute(async (tx) => {
    const person = {
      telegram_id: owner,
      email: `${randomUUID()}@example.org`,
      password_hash: '',
      first_name: 'Owner',
      username: null,
      photo_url: null,
      created_at: now,
    };
    await tx.insertInto('people').values(person).execute();
    await tx
      .insertInto('chats')
      .values(ids.map((chat_id) => ({ chat_id, chat_name: '', is_demo: 0, created_at: now })))
      .execute();
    const role = { role: 'creator' as const, verified_at: now, checked_at: now };
    await tx
      .insertInto('chat_managers')
      .values(ids.map((chat_id) => ({ chat_id, telegram_id: owner, owner_id: owner, ...role })))
      .execute();
    await tx
      .insertInto('topics')
      .values(
        ids.flatMap((chat_id) =>
          topics.map((topic_id) => ({ chat_id, topic_id, created_at: now })),
        ),
      )
      .execute();
  });
  const token = secureRandom.bytes(32).toString('base64url');
  await addSession(database, {
    id: randomUUID(),
    tokenHash: createHash('sha256').update(token).digest('hex'),
    telegramId: owner,
    device: 'Bench',
    addressPrefix: '',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + dayMs,
  });
  await database.close();
  return token;
}

export type BotServer = { readonly child: ChildProcess; readonly url: string };

/** Blocks photos in General of so many chats. */
export async function blockPhotos(url: string, token: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await call(url, `/chats/${getChatId(index)}/topics/0/settings`, {
      method: 'PUT',
      token,
      body: { setting_name: settingName('photo'), value: true },
    });
  }
}

/** Which updates of a data folder are not handled yet. */
export function openInboxReader(dataDir: string) {
  const handle = new DatabaseSync(path.join(dataDir, 'nori.db'), { readOnly: true });
  const some = handle.prepare('select 1 from bot_inbox where handled_at is null limit 1');
  const inChat = handle.prepare(
    'select 1 from bot_inbox where handled_at is null and chat_id = ? limit 1',
  );
  return {
    isHandled: (chatId?: number): boolean =>
      (chatId === undefined ? some.get() : inChat.get(chatId)) === undefined,
    /** How often people were warned or muted, by the person. */
    countActions: (kind: 'warn' | 'mute'): ReadonlyMap<number, number> =>
      new Map(
        handle
          .prepare('select target_id, count(*) as times from actions where kind = ? group by 1')
          .all(kind)
          .map(({ target_id: id, times }) => [Number(id), Number(times)]),
      ),
    close: () => handle.close(),
  };
}

type Connection = {
  readonly token: string;
  readonly apiRoot: string;
  /** `webhook`: the stand-in has to send the updates to the server's address. */
  readonly mode: 'polling' | 'webhook';
};

const webhookVariables = { BOT_MODE: 'webhook', PUBLIC_URL: 'https://nori.example.org' };

/** Starts the real server. Resolves when it listens. */
export async function startBotServer(dataDir: string, api: Connection): Promise<BotServer> {
  const port = api.mode === 'webhook' ? await findFreePort() : 0;
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      NORI_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      // The bench makes more calls a minute than a user may.
      CALLS_PER_MINUTE: '1000000',
      BOT_TOKEN: api.token,
      TELEGRAM_API_ROOT: api.apiRoot,
      ...(api.mode === 'webhook' ? webhookVariables : { BOT_MODE: 'polling' }),
    },
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = /Open (https?:\S+)/.exec(line) ?? [];
      if (address !== undefined) {
        resolve(address);
      }
    });
    child.once('exit', () => reject(new Stop('the server did not start.')));
  });
  return { child, url: port === 0 ? url : `http://127.0.0.1:${port}` };
}

/** Resolves when the process has ended. */
export async function endServer(
  { child }: BotServer,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'exit');
  }
}
