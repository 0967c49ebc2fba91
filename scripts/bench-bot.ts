/**
 * `npm run bench:bot`: the real server against a stand-in with the rules of Telegram's server. Each blocked
 * message must be deleted and no other may be, also when the server is killed or stopped in the middle.
 *
 * - `load`: a thousand messages a second by polling, while settings change; one in twenty is a command of an
 *   administrator, who warns or mutes a person.
 * - `slow-chat`: messages of other chats beside a chat whose deletions take four seconds.
 * - `raid`: sixty blocked messages at once in one chat, by webhook.
 *
 * Options: `--only raid` (one of them) `--seconds 60` `--rate 1000` `--chats 300` `--changers 4` (users who
 * change settings meanwhile) `--latency 0` (milliseconds until the stand-in answers a deletion of `load`)
 * `--commands 0.05` (the share of commands; 0 to compare with versions that know none).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { type BotApi, startBotApi } from '../tests/support/bot-api-server.ts';
import { samples } from '../tests/support/sample-messages.ts';
import { type BotLedger, createBotLedger, type LedgerTotals } from './lib/bot-ledger.ts';
import { createBotLoad, createPost } from './lib/bot-load.ts';
import {
  administrator,
  blockPhotos,
  type BotServer,
  getChatId,
  endServer,
  makeChats,
  openInboxReader,
  owner,
  startBotServer,
} from './lib/bot-world.ts';
import { giveUp, say, Stop } from './lib/say.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '1000' },
    chats: { type: 'string', default: '300' },
    changers: { type: 'string', default: '4' },
    latency: { type: 'string', default: '0' },
    commands: { type: 'string', default: '0.05' },
  },
});
const seconds = Number(values.seconds);
const rate = Number(values.rate);
const chats = Number(values.chats);
const changers = Number(values.changers);
const latencyMs = Number(values.latency);
const commands = Number(values.commands);

const tickMs = 10;
/** Pause between two changes of one user. */
const breathMs = 50;
const warmUpMs = 3000;
/** Settings that are blocked before the first message. */
const firstChanges = chats * 6;
/** How long the bot may need for the remaining messages. */
const restMs = 60_000;

type Scene = {
  readonly api: BotApi;
  readonly ledger: BotLedger;
  readonly token: string;
  readonly mode: 'polling' | 'webhook';
  readonly inbox: ReturnType<typeof openInboxReader>;
  readonly dataDir: string;
  server: BotServer;
};

/** A line of the table, and what is wrong with it. */
type Result = {
  readonly name: string;
  readonly written: number;
  readonly totals: LedgerTotals;
  readonly faults: readonly string[];
  readonly note?: string;
};

type Setting = {
  readonly mode: 'polling' | 'webhook';
  readonly chats: number;
  /** How long the stand-in takes for a deletion in a chat. */
  readonly getLatencyMs: (chatId: number) => number;
};

async function inScene<T>(setting: Setting, run: (scene: Scene) => Promise<T>): Promise<T> {
  const { mode, getLatencyMs } = setting;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-bench-'));
  const ledger = createBotLedger();
  const api = await startBotApi({
    line: (method, body) => {
      const ms = method.startsWith('deleteMessage') ? getLatencyMs(Number(body['chat_id'])) : 0;
      return ms > 0 ? pause(ms) : undefined;
    },
    onCall: ({ method, body }) => ledger.recordCall(method, body),
  });
  for (let index = 0; index < setting.chats; index += 1) {
    api.addChat({ id: getChatId(index), creator: owner, administrators: [administrator] });
  }
  const token = await makeChats({ dataDir }, setting.chats);
  const scene: Scene = {
    api,
    ledger,
    token,
    mode,
    dataDir,
    inbox: openInboxReader(dataDir),
    server: await startBotServer(dataDir, { ...api, mode }),
  };
  api.updates.deliver(async (update, { secret_token }) => {
    const { status, headers } = await fetch(`${scene.server.url}/backend/bot/updates`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Telegram-Bot-Api-Secret-Token': String(secret_token),
      },
      body: JSON.stringify(update),
    });
    return { status, retryAfterS: Number(headers.get('Retry-After') ?? 0) };
  });
  try {
    return await run(scene);
  } finally {
    await endServer(scene.server, 'SIGTERM');
    scene.inbox.close();
    await api.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function restart(scene: Scene, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await endServer(scene.server, signal);
  scene.server = await startBotServer(scene.dataDir, { ...scene.api, mode: scene.mode });
}

/** Waits until the bot has handled everything, and a little longer for deletions that should not happen. */
async function settle({ api, inbox, ledger }: Scene): Promise<void> {
  const end = performance.now() + restMs;
  const isDone = () => api.updates.waiting().length === 0 && inbox.isHandled() && ledger.isDone();
  while (!isDone() && performance.now() < end) {
    await pause(tickMs);
  }
  await pause(1000);
}

/** Calls `write` with how many messages are due, until the time is over. */
async function writeUntil(
  end: number,
  perSecond: number,
  write: (count: number) => void,
): Promise<void> {
  const start = performance.now();
  let written = 0;
  for (let now = start; now < end; now = performance.now()) {
    const due = Math.floor(((now - start) / 1000) * perSecond);
    write(due - written);
    written = due;
    await pause(tickMs);
  }
}

/** From the command written to the answer received. */
const maxAnswerP99Ms = 100;

type Loaded = ReturnType<ReturnType<typeof createBotLoad>['result']>;

/** What was done to each person has to be in the database once, whatever happened to the server. */
function listCommandFaults(
  { inbox }: Scene,
  { commands: given, warned, muted }: Loaded,
  isQuiet: boolean,
): readonly string[] {
  const once = (kind: 'warn' | 'mute', people: readonly number[]) => {
    const counts = inbox.countActions(kind);
    return people.every((person) => counts.get(person) === 1);
  };
  return [
    given.unanswered > 0 && `${given.unanswered} commands were not answered`,
    isQuiet && given.answeredTwice > 0 && 'commands were answered twice without a restart',
    !once('warn', warned) && 'people were not warned exactly once',
    !once('mute', muted) && 'people were not muted exactly once',
    isQuiet &&
      given.given > 0 &&
      !(share(given.waits, 0.99) < maxAnswerP99Ms) &&
      `p99 of answers is not below ${maxAnswerP99Ms} ms`,
  ].filter((fault) => fault !== false);
}

const noteCommands = ({ commands: { given, answeredTwice, waits } }: Loaded) =>
  `${given} commands, answered after ${[0.5, 0.99, 1].map((part) => share(waits, part).toFixed(1)).join(', ')} ms, ${answeredTwice} twice`;

function listFaults(totals: LedgerTotals, maxP99Ms: number | undefined): readonly string[] {
  return [
    totals.missed > 0 && 'blocked messages were not deleted',
    totals.wrong > 0 && 'messages were deleted that were not blocked',
    totals.blocked === 0 && 'nothing was blocked, so that nothing was measured',
    maxP99Ms !== undefined &&
      !(share(totals.waits, 0.99) < maxP99Ms) &&
      `p99 is not below ${maxP99Ms} ms`,
  ].filter((fault) => fault !== false);
}

async function measureLoad(scene: Scene): Promise<readonly Result[]> {
  const { api, ledger, inbox, token } = scene;
  const load = createBotLoad(
    { push: api.updates.push, ledger, samples, isHandled: inbox.isHandled, commands },
    chats,
  );
  say(`blocking ${firstChanges} settings in ${chats} chats …`);
  for (let change = 0; change < firstChanges; change += 1) {
    await load.change(scene.server.url, token);
  }
  say('warming up …');
  await writeUntil(performance.now() + warmUpMs, rate, load.write);
  await settle(scene);
  load.result();

  async function changeUntil(end: number): Promise<void> {
    while (performance.now() < end) {
      await load.change(scene.server.url, token);
      await pause(breathMs);
    }
  }

  say(`${rate} messages a second for ${seconds} s, while settings change …`);
  const end = performance.now() + seconds * 1000;
  await Promise.all([
    writeUntil(end, rate, load.write),
    ...Array.from({ length: changers }, () => changeUntil(end)),
  ]);
  await settle(scene);
  const steady = load.result();

  say('the same, while the server is killed, started, stopped and started …');
  await Promise.all([
    writeUntil(performance.now() + seconds * 1000, rate, load.write),
    pause((seconds * 1000) / 3)
      .then(() => restart(scene, 'SIGKILL'))
      .then(() => pause((seconds * 1000) / 3))
      .then(() => restart(scene, 'SIGTERM')),
  ]);
  await settle(scene);
  const restarted = load.result();
  return [
    {
      name: 'load',
      written: steady.written,
      totals: steady,
      faults: [
        // In a chat, a call waits for the answer to the one before it.
        ...listFaults(steady, 50 + latencyMs),
        ...(steady.twice > 0 ? ['messages were deleted twice without a restart'] : []),
        ...listCommandFaults(scene, steady, true),
      ],
      note: `${steady.changes} changes of settings; ${noteCommands(steady)}`,
    },
    {
      name: 'load, restarts',
      written: restarted.written,
      totals: restarted,
      faults: [...listFaults(restarted, undefined), ...listCommandFaults(scene, restarted, false)],
      note: noteCommands(restarted),
    },
  ];
}

const slowMs = 4000;
const otherChats = 40;

/** Chat 0 is slow. */
async function measureSlowChat(scene: Scene): Promise<readonly Result[]> {
  const { ledger } = scene;
  await blockPhotos(scene.server.url, scene.token, otherChats);
  const post = createPost(scene.api.updates.push, ledger);
  let written = 0;

  function write(count: number): void {
    for (let index = 0; index < count; index += 1) {
      written += 1;
      // One in ten messages is in the slow chat, and half of all are blocked.
      const chatId = getChatId(written % 10 === 0 ? 0 : 1 + (written % (otherChats - 1)));
      const isBlocked = written % 4 < 2;
      const key = post.add(chatId, 0, isBlocked ? samples.photo : samples.text);
      if (isBlocked) {
        ledger.expect(key);
      }
    }
  }

  const results: Result[] = [];
  for (const isKilled of [false, true]) {
    say(
      `other chats beside one whose deletions take ${slowMs / 1000} s${isKilled ? ', with a kill' : ''} …`,
    );
    written = 0;
    const writing = writeUntil(performance.now() + seconds * 500, rate / 5, write);
    if (isKilled) {
      await pause(seconds * 250);
      await restart(scene, 'SIGKILL');
    }
    await writing;
    await settle(scene);
    const slow = String(getChatId(0));
    const others = ledger.totals((chatId) => chatId !== slow);
    const inSlow = ledger.totals((chatId) => chatId === slow);
    results.push({
      name: isKilled ? 'slow-chat, kill' : 'slow-chat',
      written,
      totals: others,
      faults: [...listFaults(others, isKilled ? undefined : 250), ...listFaults(inSlow, undefined)],
      note: `in the slow chat ${inSlow.blocked} blocked, ${inSlow.missed} missed`,
    });
    ledger.clear();
  }
  return results;
}

const raidSize = 60;
const raids = 5;
const raidLatencyMs = 150;

/** Each raid is in a chat of its own. */
async function measureRaids(scene: Scene): Promise<readonly Result[]> {
  const { api, ledger } = scene;
  await blockPhotos(scene.server.url, scene.token, raids + 2);
  const post = createPost(api.updates.push, ledger);

  async function raid(index: number): Promise<number> {
    const chatId = getChatId(index);
    const start = performance.now();
    for (let message = 0; message < raidSize; message += 1) {
      ledger.expect(post.add(chatId, 0, samples.photo));
    }
    while (
      new Set(api.deletions.of(chatId)).size < raidSize &&
      performance.now() - start < restMs
    ) {
      await pause(1);
    }
    // The order is given; the messages are gone when it is answered.
    return performance.now() - start + raidLatencyMs;
  }
  const countCalls = (index: number) =>
    ['deleteMessage', 'deleteMessages']
      .flatMap((method) => api.callsTo(method))
      .filter(({ body }) => body['chat_id'] === getChatId(index)).length;

  say('warming up …');
  await raid(0);
  await settle(scene);
  ledger.clear();
  say(`${raids} raids of ${raidSize} messages by webhook, ${raidLatencyMs} ms a deletion …`);
  const times: number[] = [];
  const calls: number[] = [];
  for (let index = 1; index <= raids; index += 1) {
    times.push(await raid(index));
    await settle(scene);
    calls.push(countCalls(index));
  }
  const totals = ledger.totals();
  ledger.clear();
  const [maxMs, maxCalls] = [Math.max(...times), Math.max(...calls)];

  say('a raid, while the server is killed …');
  const killed = raid(raids + 1);
  await pause(raidLatencyMs);
  await restart(scene, 'SIGKILL');
  await killed;
  await settle(scene);
  const killedTotals = ledger.totals();
  return [
    {
      name: 'raid',
      written: raids * raidSize,
      totals,
      faults: [
        ...listFaults(totals, undefined),
        ...(maxMs > 1000 ? ['a raid was not gone within a second'] : []),
        ...(maxCalls > 6 ? ['a raid took more than six calls'] : []),
      ],
      note: `gone after ${times.map(Math.round).join(', ')} ms, with ${calls.join(', ')} calls`,
    },
    {
      name: 'raid, kill',
      written: raidSize,
      totals: killedTotals,
      faults: listFaults(killedTotals, undefined),
    },
  ];
}

const scenarios = new Map<string, () => Promise<readonly Result[]>>([
  ['load', () => inScene({ mode: 'polling', chats, getLatencyMs: () => latencyMs }, measureLoad)],
  [
    'slow-chat',
    () =>
      inScene(
        {
          mode: 'polling',
          chats: otherChats,
          getLatencyMs: (chatId) => (chatId === getChatId(0) ? slowMs : 0),
        },
        measureSlowChat,
      ),
  ],
  [
    'raid',
    () =>
      inScene(
        { mode: 'webhook', chats: raids + 2, getLatencyMs: () => raidLatencyMs },
        measureRaids,
      ),
  ],
]);

/** The value below which the given share of a sorted list lies. */
function share(waits: readonly number[], part: number): number {
  return waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN;
}

function toRow({ name, written, totals, note = '' }: Result): string {
  const { blocked, missed, wrong, twice, waits } = totals;
  const times = [0.5, 0.99, 1].map((part) => share(waits, part).toFixed(1));
  const cells = [written, blocked, missed, wrong, twice, ...times];
  return `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(9)).join('')}  ${note}`;
}

async function main(): Promise<void> {
  const chosen = [...scenarios].filter(([name]) => (values.only ?? name) === name);
  const results: Result[] = [];
  for (const [, measure] of chosen) {
    results.push(...(await measure()));
  }
  const names = ['written', 'blocked', 'missed', 'wrong', 'twice', 'p50 ms', 'p99 ms', 'max ms'];
  const head = names.map((name) => name.padStart(9)).join('');
  process.stdout.write(`\n${''.padEnd(16)}${head}\n${results.map(toRow).join('\n')}\n\n`);
  const load = os.loadavg().map((value) => value.toFixed(1));
  say(
    `From the message written to the order to delete received; ${os.availableParallelism()} cores, load ${load.join(' ')}, Node ${process.versions.node}.`,
  );
  const faults = results.flatMap(({ name, faults: some }) =>
    some.map((fault) => `${name}: ${fault}`),
  );
  if (results.length === 0 || faults.length > 0) {
    throw new Stop(faults.length > 0 ? `${faults.join('; ')}.` : 'there is no such scenario.');
  }
}

await main().catch(giveUp);
