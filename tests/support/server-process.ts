/** The server as it really runs: a process of its own, with a port, a folder and a console. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export type ServerProcess = {
  readonly process: ChildProcessWithoutNullStreams;
  /** Everything said so far, on standard output and standard error. */
  readonly said: () => string;
  /** Waits for a line that matches, and returns the match; throws when the process ends before. */
  readonly hears: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
};

type Started = {
  readonly checkout: string;
  readonly script: string;
  readonly args: readonly string[];
  /** The account that it runs as, where root runs the tests; the same when absent. */
  readonly account: { readonly uid?: number; readonly gid?: number };
};

/** Runs a command of the operator to its end. */
export async function runNori(
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { ended, said } = startServerProcess(variables, { script: 'server/cli.ts', args });
  const code = await ended;
  return { code, said: said() };
}

/**
 * Starts `server/main.ts`, also of another checkout, with nothing in the environment but what is given; or the script and
 * its arguments.
 */
export function startServerProcess(
  variables: Readonly<Record<string, string>>,
  { checkout = root, script = 'server/main.ts', args = [], account = {} }: Partial<Started> = {},
): ServerProcess {
  const child = spawn(process.execPath, [resolve(checkout, script), ...args], {
    ...account,
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...variables },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      child.emit('said');
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);

  async function hears(pattern: RegExp): Promise<RegExpExecArray> {
    let match = pattern.exec(text);
    while (match === null) {
      const isOver = await Promise.race([
        once(child, 'said').then(() => false),
        ended.then(() => true),
      ]);
      match = pattern.exec(text);
      if (isOver && match === null) {
        throw new Error(`The server ended without saying ${String(pattern)}. It said:\n${text}`);
      }
    }
    return match;
  }

  return { process: child, said: () => text, hears, ended };
}

/** Below the ports that the system gives by itself, also to what other tests do meanwhile. */
const [firstPort, lastPort] = [10_000, 32_000];

/** A port that was free a moment ago, for a server that has to know its address before it starts. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (isFree) {
      server.close();
      await once(server, 'close');
      return port;
    }
  }
}
