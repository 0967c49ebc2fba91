/**
 * The machines of `npm run test:cluster` and `npm run bench:scale`: server processes of each role, the services that they
 * share, and what is done to them. Everything that was started ends with this process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { type TestPostgres } from '#tests/postgres';

import { locate } from '../browser.mjs';
import { root, serverEnv } from '../run.mjs';
import { Stop } from '../say.mjs';
import { type Journal, pick, type Random } from './people.ts';

export type Role = 'web' | 'bot' | 'worker' | 'all';

/** A server process that keeps its name and its port when it is started again. */
export type Machine = {
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly pid: () => number;
  /** Resolves when it is ready again; so do the next two. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Stops it in the middle of what it does, for so long or until the signal is aborted. */
  readonly freeze: (ms: number, thaw: AbortSignal) => Promise<void>;
  readonly end: () => Promise<void>;
};

type MachineOptions = {
  readonly name: string;
  readonly role: Role;
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
  /** What it says is added to this file. */
  readonly logFile: string;
};

const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
const lookEveryMs = 50;

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) {
    // A frozen process ends, too.
    child.kill('SIGKILL');
  }
});

/** Starts a program that ends with this process. */
function startChild(
  command: string,
  args: readonly string[],
  options: Parameters<typeof spawn>[2],
): ChildProcess {
  const child = spawn(command, args, options);
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.once('error', () => children.delete(child));
  return child;
}

const isOver = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function endChild(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (isOver(child)) {
    return;
  }
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}

/** Resolves when the check is true; failures count as no. */
export async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await check().catch(() => false))) {
    if (performance.now() > deadline) {
      throw new Stop(`${what} did not happen within ${startTimeoutMs / 1000} s.`);
    }
    await sleep(lookEveryMs);
  }
}

/** Starts a server process, and resolves when it is ready. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { name, role, port, variables, logFile } = options;
  const url = `http://127.0.0.1:${port}`;
  function begin(): ChildProcess {
    const log = fs.openSync(logFile, 'a');
    const child = startChild(process.execPath, ['server/main.ts'], {
      cwd: root,
      stdio: ['ignore', log, log],
      env: {
        ...serverEnv,
        PATH: process.env['PATH'] ?? '',
        PORT: String(port),
        NORI_ROLE: role,
        ...variables,
      },
    });
    fs.closeSync(log);
    return child;
  }

  async function untilReady(): Promise<void> {
    const started = child;
    await until(`the start of ${name} (see ${logFile})`, async () => {
      if (isOver(started)) {
        // It was killed again meanwhile, or gave up.
        return true;
      }
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) });
      return answer.status === 200;
    });
  }

  async function again(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await endChild(child, signal);
    child = begin();
    await untilReady();
  }

  let child = begin();
  await untilReady();
  if (isOver(child)) {
    throw new Stop(`${name} ended at once: see ${logFile}.`);
  }
  return {
    name,
    role,
    url,
    pid: () => child.pid ?? 0,
    kill: () => again('SIGKILL'),
    restart: () => again('SIGTERM'),
    freeze: async (ms, thaw) => {
      child.kill('SIGSTOP');
      await sleep(ms, undefined, { signal: thaw }).catch(() => undefined);
      child.kill('SIGCONT');
      await untilReady();
    },
    end: async () => {
      child.kill('SIGCONT');
      await endChild(child, 'SIGTERM');
    },
  };
}

/** What a service of this machine is reached by; undefined with a reason when there is none. */
export type Service<T> =
  | { readonly found: T; readonly reason?: never }
  | { readonly found?: never; readonly reason: string };

/** A NATS server with JetStream, whose files are in the folder. */
export async function startNats(
  folder: string,
  port: number,
): Promise<Service<{ readonly url: string; readonly stop: () => Promise<void> }>> {
  const given = process.env['TEST_NATS_URL'];
  if (given !== undefined && given !== '') {
    return { found: { url: given, stop: async () => undefined } };
  }
  const program = ['nats-server', '/usr/sbin/nats-server']
    .map((place) => locate(place))
    .find(Boolean);
  if (program === undefined) {
    return {
      reason: 'no nats-server here (Debian: apt-get install nats-server; or TEST_NATS_URL)',
    };
  }
  const child = startChild(
    program,
    ['-js', '-sd', path.join(folder, 'nats'), '-a', '127.0.0.1', '-p', String(port)],
    { stdio: 'ignore' },
  );
  await until('the start of nats-server', () => isListening(port));
  return {
    found: { url: `nats://127.0.0.1:${port}`, stop: () => endChild(child, 'SIGTERM') },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

/** Stands in front of a service, so that it can be away: then connections end, and new ones are refused. */
export async function startDoor(target: string) {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const onward = net.connect(Number(targetPort), hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const shut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
    await closed;
  };
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, shut, open: () => listen(port) };
}

export type ChaosEvent = { readonly at: number; readonly what: string; readonly role?: Role };

type Chaos = {
  readonly machines: readonly Machine[];
  readonly postgres: TestPostgres;
  readonly door: Awaited<ReturnType<typeof startDoor>> | undefined;
  readonly journal: Journal;
  readonly random: Random;
  readonly over: AbortSignal;
};

type ChaosTimes = {
  readonly durationMs: number;
  readonly everyMs: number;
  readonly frozenMs: number;
  readonly bucketAwayMs: number;
};

/** Kills, freezes and restarts processes until the time is over. At least one of each role works at any time. */
export function runChaos(
  { machines, postgres, door, journal, random, over }: Chaos,
  { durationMs, everyMs, frozenMs, bucketAwayMs }: ChaosTimes,
) {
  const busy = new Set<Machine>();
  const events: ChaosEvent[] = [];
  const running = new Set<Promise<void>>();
  const counts = { kill: 0, freeze: 0, restart: 0 };

  function begin(what: string, run: () => Promise<void>, role?: Role): void {
    const at = performance.now();
    events.push({ at, what, ...(role === undefined ? {} : { role }) });
    journal.note(what);
    const work = run()
      .then(() =>
        journal.note(`${what}: over after ${((performance.now() - at) / 1000).toFixed(1)} s`),
      )
      .catch((error: unknown) => journal.fault(`${what}: ${String(error)}`))
      .finally(() => running.delete(work));
    running.add(work);
  }

  function disturb(): void {
    const free = machines.filter(
      (one) =>
        !busy.has(one) &&
        machines.some((other) => other !== one && other.role === one.role && !busy.has(other)),
    );
    const action = pick(['kill', 'freeze', 'restart'] as const, random);
    if (free.length === 0) {
      journal.note('no process can be spared');
      return;
    }
    const machine = pick(free, random);
    counts[action] += 1;
    busy.add(machine);
    begin(
      `${action} ${machine.name} (${machine.pid()})`,
      async () => {
        await (action === 'freeze' ? machine.freeze(frozenMs, over) : machine[action]());
        busy.delete(machine);
      },
      machine.role,
    );
  }

  async function plan(share: number, what: string, run: () => Promise<void>): Promise<void> {
    await sleep(durationMs * share, undefined, { signal: over });
    begin(what, run);
  }

  const { local } = postgres;
  const plans = [
    local && plan(0.3, 'PostgreSQL is restarted (fast)', () => local.restart('fast')),
    local && plan(0.65, 'PostgreSQL is restarted (immediate)', () => local.restart('immediate')),
    door &&
      plan(0.45, `the bucket is away for ${bucketAwayMs / 1000} s`, async () => {
        await door.shut();
        await sleep(bucketAwayMs, undefined, { signal: over }).catch(() => undefined);
        await door.open();
      }),
  ].map((one) => one?.catch(() => undefined));
  const timer = setInterval(disturb, everyMs);

  return {
    events,
    counts,
    settled: async () => {
      clearInterval(timer);
      await Promise.all([...plans, ...running]);
    },
  };
}

const ticksPerSecond = 100;

/** The fields of /proc/<pid>/stat after the name; none when the process has ended. */
function readStat(pid: number): readonly number[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may hold spaces.
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

/** CPU seconds of a process with all its threads. */
export function readCpuSeconds(pid: number): number {
  const [user = 0, system = 0] = readStat(pid).slice(11, 13);
  return (user + system) / ticksPerSecond;
}

/** The same with the processes that it has started, those that have ended included. */
export function readFamilyCpuSeconds(pid: number): number {
  const [endedUser = 0, endedSystem = 0] = readStat(pid).slice(13, 15);
  const pids = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return pids
    .filter(Boolean)
    .reduce(
      (sum, child) => sum + readCpuSeconds(Number(child)),
      readCpuSeconds(pid) + (endedUser + endedSystem) / ticksPerSecond,
    );
}
