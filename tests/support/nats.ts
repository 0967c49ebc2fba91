/** A NATS server with JetStream for tests: that of `TEST_NATS_URL`, else a temporary one of this machine's own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findFreePort } from './server-process.ts';

export type TestNats = {
  readonly url: string;
  /** Ends it; undefined for the one of `TEST_NATS_URL`. */
  readonly stop: (() => Promise<void>) | undefined;
  /** Starts it again on the same port with what is on its disk; resolves when it answers. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const startTimeoutMs = 30_000;

/** Undefined, with a line that says how to get one, when there is none to be had. */
export async function startNats(): Promise<TestNats | undefined> {
  const given = process.env['TEST_NATS_URL'];
  if (given !== undefined && given !== '') {
    const nothing = () => Promise.resolve();
    return { url: given, stop: undefined, start: nothing, close: nothing };
  }
  if (spawnSync('nats-server', ['--version']).status !== 0) {
    process.stderr.write(
      'NATS was skipped: install it (Debian: apt-get install nats-server) or set TEST_NATS_URL.\n',
    );
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'nori-nats-'));
  const port = await findFreePort();
  let server: ChildProcess | undefined;
  const kill = () => void server?.kill('SIGKILL');
  // A run that is cut short must not leave a server behind.
  process.once('exit', kill);

  async function start(): Promise<void> {
    server = spawn(
      'nats-server',
      ['--jetstream', '--store_dir', folder, '--addr', '127.0.0.1', '--port', String(port)],
      { stdio: 'ignore' },
    );
    await untilItAnswers(port);
  }

  async function stop(): Promise<void> {
    const mine = server;
    server = undefined;
    if (mine !== undefined && mine.exitCode === null) {
      mine.kill('SIGTERM');
      await once(mine, 'exit');
    }
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    stop,
    start,
    close: async () => {
      process.off('exit', kill);
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(port: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await answers(port))) {
    if (Date.now() > deadline) {
      throw new Error('nats-server does not answer');
    }
    await sleep(50);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
