/**
 * `npm run bench:server`: throughput, latency and SQL statements of reading a chat, writing a setting
 * and logging in, beside a bare route of the framework in the same run, on the same machine.
 */
import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

import { openDatabase } from '#server/db/client';

import { call, chatId, person, signUpWithChat, startDemoServer } from './lib/demo-server.ts';
import { root } from './lib/run.mjs';
import { giveUp, say, Stop } from './lib/say.mjs';
import { readStatements } from './lib/statement-counts.ts';

const secondsEach = 5;
const connections = 20;
/** As many as the server hashes at once; more would only measure the queue. */
const loginConnections = 4;

type Load = Pick<autocannon.Options, 'url' | 'method' | 'headers' | 'body' | 'connections'>;

async function measure(what: string, load: Load): Promise<string> {
  say(`measuring: ${what} …`);
  const result = await autocannon({ connections, duration: secondsEach, ...load });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Stop(`${what}: ${result.non2xx} refusals and ${result.errors} failures.`);
  }
  const { requests, latency } = result;
  const cells = [Math.round(requests.average), latency.p50, latency.p99];
  return what.padEnd(24) + cells.map((cell) => String(cell).padStart(12)).join('');
}

async function startBareServer() {
  const child = spawn(process.execPath, ['scripts/lib/bare-server.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, url: String(line).replace('Open ', '') };
}

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-bench-'));
  const bare = await startBareServer();
  const server = await startDemoServer(dataDir);
  try {
    const token = await signUpWithChat(server);
    const api = `${server.url}/backend`;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const setting = {
      chat_id: chatId,
      topic_id: '0',
      setting_name: 'photo_blocked',
      value: true,
    };
    await call(server.url, '/health', { method: 'GET' });

    const rows = [
      await measure('a bare route', { url: bare.url }),
      await measure('GET a chat', { url: `${api}/chats/${chatId}`, headers }),
      await measure('PUT a setting', {
        url: `${api}/chats/${chatId}/topics/0/settings`,
        method: 'PUT',
        headers,
        body: JSON.stringify(setting),
      }),
      await measure('POST login', {
        url: `${api}/login`,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ telegram_id: person.telegram_id, password: person.password }),
        connections: loginConnections,
      }),
    ];

    const statements = await readStatements(async (onStatement) => openDatabase({ onStatement }));
    const counts = Object.entries(statements).map(([what, { length }]) => `${what}: ${length}`);

    const head = ['requests/s', 'p50 ms', 'p99 ms'].map((name) => name.padStart(12)).join('');
    process.stdout.write(`\n${''.padEnd(24)}${head}\n${rows.join('\n')}\n\n`);
    say(`statements per call, begin and commit included: ${counts.join(', ')}.`);
    say(
      `${secondsEach} s each, ${connections} connections (login: ${loginConnections}, Argon2id is meant to be slow), ${os.availableParallelism()} cores, Node ${process.versions.node}.`,
    );
  } finally {
    await Promise.all(
      [bare, server].map(({ child }) => {
        child.kill('SIGTERM');
        return once(child, 'exit');
      }),
    );
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

await main().catch(giveUp);
