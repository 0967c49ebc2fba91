/** A bot of several processes with one PostgreSQL, a stand-in for Telegram, and a chat in which pictures are blocked. */
import { sql } from 'kysely';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';

import { type BotApi } from './bot-api-server.ts';
import { moderatedChat, type ModeratedChat } from './moderated-chat.ts';
import { samples } from './sample-messages.ts';
import { findFreePort, type ServerProcess, startServerProcess } from './server-process.ts';

/** A process that takes updates by webhook. */
export type WebProcess = ServerProcess & {
  readonly address: string;
  /** Sends it an update as Telegram does; resolves with the status. */
  readonly receives: (update: object) => Promise<number>;
};

export type BotProcesses = {
  readonly api: BotApi;
  readonly database: Database;
  readonly url: string;
  readonly chat: ModeratedChat;
  /** Starts a process; everything is ended when the test has finished. */
  readonly start: (role: string, variables?: Record<string, string>) => ServerProcess;
  /** Starts one that takes updates, and waits until it listens. */
  readonly startWeb: (role?: string, variables?: Record<string, string>) => Promise<WebProcess>;
  /** A message that was written just now, with a picture unless `content` says otherwise. */
  readonly written: (content?: Readonly<Record<string, unknown>>) => {
    readonly message_id: number;
  };
  /** The next update, with such a content. */
  readonly toUpdate: (content: object) => { readonly update_id: number };
  /** How many updates that were saved wait. */
  readonly countOpen: () => Promise<number>;
};

/** When `role` is all, that of the web servers is too. */
export async function startBotProcesses(
  postgresUrl: string,
  variables: Record<string, string> = {},
): Promise<BotProcesses> {
  const url = await createDatabase(postgresUrl);
  const database = openDatabase({ url });
  await migrate(database);
  const folder = await mkdtemp(join(tmpdir(), 'nori-bots-'));
  const running: ServerProcess[] = [];
  onTestFinished(async () => {
    for (const server of running) {
      server.process.kill('SIGKILL');
      await server.ended;
    }
    await rm(folder, { recursive: true });
  });
  // Ends after the processes.
  // Its own bot, because what NATS has of one bot outlives a test.
  const botToken = `${randomInt(1_000_000, 2 ** 31)}:stand-in-token-of-a-test-bot-000000`;
  const chat = await moderatedChat({ database, botToken, startAt: Date.now() });
  await chat.block(['photo']);
  const { api } = chat;
  let nextUpdate = 1000;

  function start(role: string, more: Record<string, string> = {}): ServerProcess {
    const server = startServerProcess({
      NORI_DATA_DIR: join(folder, randomUUID()),
      NORI_ROLE: role,
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: '5',
      BOT_TOKEN: api.token,
      TELEGRAM_API_ROOT: api.apiRoot,
      BOT_MODE: 'webhook',
      PUBLIC_URL: 'https://nori.example.org',
      SECRET_KEY: 'a-key-of-tests-with-32-characters',
      LOG_LEVEL: 'info',
      ...variables,
      ...more,
    });
    running.push(server);
    return server;
  }

  async function startWeb(role = 'web', more: Record<string, string> = {}): Promise<WebProcess> {
    const port = await findFreePort();
    const server = start(role, { PORT: String(port), ...more });
    await server.hears(/Nori is running/);
    const address = `http://127.0.0.1:${port}`;
    const receives = async (update: object): Promise<number> => {
      const { status } = await fetch(`${address}/backend/bot/updates`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Telegram-Bot-Api-Secret-Token': String(api.updates.webhook()?.['secret_token']),
        },
        body: JSON.stringify(update),
      });
      return status;
    };
    return { ...server, address, receives };
  }

  return {
    api,
    database,
    url,
    chat,
    start,
    startWeb,
    written: (content = {}) =>
      chat.message({ ...samples.photo, date: Math.floor(Date.now() / 1000), ...content }),
    toUpdate: (content) => {
      nextUpdate += 1;
      return { update_id: nextUpdate, ...content };
    },
    countOpen: async () => {
      const rows = await database.db
        .selectFrom('bot_inbox')
        .select('update_id')
        .where('handled_at', 'is', null)
        .execute();
      return rows.length;
    },
  };
}

async function createDatabase(postgresUrl: string): Promise<string> {
  const name = `bot_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase({ url: postgresUrl });
  await sql.raw(`create database ${name}`).execute(admin.db);
  await admin.close();
  const address = new URL(postgresUrl);
  address.pathname = `/${name}`;
  return address.toString();
}

/** Resolves when a bot process has set the webhook. */
export async function webhookIsSet({ api }: Pick<BotProcesses, 'api'>): Promise<void> {
  await expect.poll(() => api.updates.webhook(), { timeout: 60_000 }).toBeDefined();
}

/** The messages of the chat that Telegram was asked to delete, and how often it was asked for one again. */
export function countDeletions({ chat }: Pick<BotProcesses, 'chat'>) {
  const asked = chat.deleted();
  const messages = new Set(asked);
  return { deleted: messages.size, again: asked.length - messages.size };
}
