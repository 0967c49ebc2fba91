/**
 * `npm run bench:bot`: the real server receives a thousand messages a second by polling, while settings
 * change. Each blocked message must be deleted once and no other message may be. When the server is killed
 * or stopped in the middle, none may be forgotten. Options: `--seconds 60` `--rate 1000` `--chats 300`
 * `--changers 4` (users who change settings meanwhile) `--latency 0` (milliseconds until the stand-in
 * answers a deletion).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { type BotApi, startBotApi } from '../tests/support/bot-api-server.ts';
import { samples } from '../tests/support/sample-messages.ts';
import { createBotLedger } from './lib/bot-ledger.ts';
import { type BotLoad, createBotLoad, type LoadResult } from './lib/bot-load.ts';
import {
  administrator,
  type BotServer,
  getChatId,
  endServer,
  makeChats,
  owner,
  startBotServer,
} from './lib/bot-world.ts';
import { giveUp, say, Stop } from './lib/say.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '1000' },
    chats: { type: 'string', default: '300' },
    changers: { type: 'string', default: '4' },
    latency: { type: 'string', default: '0' },
  },
});
const seconds = Number(values.seconds);
const rate = Number(values.rate);
const chats = Number(values.chats);
const changers = Number(values.changers);
const latencyMs = Number(values.latency);

/** Limit for 99 of 100 deletions, in ms. In a chat, a call waits for the answer to the one before it. */
const maxMs = 50 + latencyMs;
const tickMs = 10;
/** Pause between two changes of one user. */
const breathMs = 50;
const warmUpMs = 3000;
/** Settings that are blocked before the first message. */
const firstChanges = chats * 6;
/** How long the bot may need for the remaining messages. */
const restMs = 15_000;

type Scene = {
  readonly dataDir: string;
  readonly api: BotApi;
  readonly load: BotLoad;
  readonly token: string;
  server: BotServer;
};

/** Writes messages at the rate until the time is over. */
async function writeUntil({ load }: Scene, end: number): Promise<void> {
  const start = performance.now();
  let written = 0;
  for (let now = start; now < end; now = performance.now()) {
    const due = Math.floor(((now - start) / 1000) * rate);
    load.write(due - written);
    written = due;
    await pause(tickMs);
  }
}

async function changeUntil({ load, server, token }: Scene, end: number): Promise<void> {
  while (performance.now() < end) {
    await load.change(server.url, token);
    await pause(breathMs);
  }
}

/** Kills the server (SIGKILL) in the middle of its work, and stops it (SIGTERM) later. */
async function restartTwice(scene: Scene): Promise<void> {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await pause((seconds * 1000) / 3);
    await endServer(scene.server, signal);
    scene.server = await startBotServer(scene.dataDir, scene.api);
  }
}

/** Waits until the bot has handled everything, and a little longer for deletions that should not happen. */
async function settle({ api, load }: Scene): Promise<LoadResult> {
  const end = performance.now() + restMs;
  while (api.updates.waiting().length > 0) {
    if (performance.now() > end) {
      throw new Stop('the bot did not finish its updates in time.');
    }
    await pause(tickMs);
  }
  await pause(1000);
  return load.result();
}

async function measure(scene: Scene): Promise<void> {
  say(`blocking ${firstChanges} settings in ${chats} chats …`);
  for (let change = 0; change < firstChanges; change += 1) {
    await scene.load.change(scene.server.url, scene.token);
  }
  say('warming up …');
  await writeUntil(scene, performance.now() + warmUpMs);
  await settle(scene);

  say(`${rate} messages a second for ${seconds} s, while settings change …`);
  const end = performance.now() + seconds * 1000;
  await Promise.all([
    writeUntil(scene, end),
    ...Array.from({ length: changers }, () => changeUntil(scene, end)),
  ]);
  const steady = await settle(scene);

  say('the same, while the server is killed, started, stopped and started …');
  await Promise.all([writeUntil(scene, performance.now() + seconds * 1000), restartTwice(scene)]);
  report(steady, await settle(scene));
}

function report(steady: LoadResult, restarted: LoadResult): void {
  const names = ['written', 'changes', 'blocked', 'missed', 'wrong', 'twice'];
  const head = [...names, 'p50 ms', 'p99 ms', 'max ms'].map((name) => name.padStart(9)).join('');
  const rows = [row('steady', steady), row('with restarts', restarted)].join('\n');
  process.stdout.write(`\n${''.padEnd(14)}${head}\n${rows}\n\n`);
  say(
    `From the update handed out to the order to delete received; ${os.availableParallelism()} cores, Node ${process.versions.node}.`,
  );
  const failures = [
    steady.missed + restarted.missed > 0 && 'blocked messages were not deleted',
    steady.wrong + restarted.wrong > 0 && 'messages were deleted that nobody blocked',
    steady.twice > 0 && 'messages were deleted twice without a restart',
    steady.blocked === 0 && 'nothing was blocked, so that nothing was measured',
    !(share(steady.waits, 0.99) < maxMs) && `p99 is not below ${maxMs} ms`,
  ].filter((failure) => failure !== false);
  if (failures.length > 0) {
    throw new Stop(`${failures.join('; ')}.`);
  }
}

function row(what: string, result: LoadResult): string {
  const { written, changes, blocked, missed, wrong, twice, waits } = result;
  const times = [0.5, 0.99, 1].map((part) => share(waits, part).toFixed(1));
  const cells = [written, changes, blocked, missed, wrong, twice, ...times];
  return what.padEnd(14) + cells.map((cell) => String(cell).padStart(9)).join('');
}

/** The value below which the given share of a sorted list lies. */
function share(waits: readonly number[], part: number): number {
  return waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN;
}

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-bench-'));
  const ledger = createBotLedger();
  const api = await startBotApi({
    line: (method) =>
      latencyMs > 0 && method.startsWith('deleteMessage') ? pause(latencyMs) : undefined,
    onCall: ({ method, body }) => ledger.recordCall(method, body),
    onResult: (method, result) => {
      if (method === 'getUpdates' && Array.isArray(result)) {
        ledger.recordUpdates(result);
      }
    },
  });
  for (let index = 0; index < chats; index += 1) {
    api.addChat({ id: getChatId(index), creator: owner, administrators: [administrator] });
  }
  const token = await makeChats(dataDir, chats);
  const server = await startBotServer(dataDir, api);
  const scene = {
    dataDir,
    api,
    token,
    server,
    load: createBotLoad({ push: api.updates.push, ledger, samples }, chats),
  };
  try {
    await measure(scene);
  } finally {
    await endServer(scene.server, 'SIGTERM');
    await api.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

await main().catch(giveUp);
