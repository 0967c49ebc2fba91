/** A PostgreSQL for tests: the one in `TEST_DATABASE_URL`, else a temporary one of this machine's own. */
import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

export type TestPostgres = {
  readonly url: string;
  /** Undefined for the one in `TEST_DATABASE_URL`. */
  readonly local: LocalPostgres | undefined;
  readonly close: () => Promise<void>;
};

/** A temporary PostgreSQL of this machine's own. */
type LocalPostgres = {
  readonly pid: () => number;
  /** As `pg_ctl restart -m …`: `fast` ends all connections, `immediate` is a crash. Resolves when it answers again. */
  readonly restart: (mode: 'fast' | 'immediate') => Promise<void>;
};

const run = promisify(execFile);
const startTimeoutMs = 60_000;

/**
 * Undefined, with a line that says how to get one, when there is none to be had. `settings` are of the temporary one, such as
 * `max_connections=200`.
 */
export async function startPostgres({
  settings = [],
}: { readonly settings?: readonly string[] } = {}): Promise<TestPostgres | undefined> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') {
    return { url: given, local: undefined, close: async () => undefined };
  }
  const programs = findPrograms();
  const account = await accountToRunAs();
  if (programs === undefined || account === undefined) {
    process.stderr.write(
      'PostgreSQL was skipped: install it (Debian: apt-get install postgresql) or set TEST_DATABASE_URL.\n',
    );
    return undefined;
  }

  const folder = mkdtempSync(join(tmpdir(), 'nori-postgres-'));
  const data = join(folder, 'data');
  if (account.uid !== undefined && account.gid !== undefined) {
    chownSync(folder, account.uid, account.gid);
  }
  const options = { cwd: folder, ...account };
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'nori', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  );

  const url = `postgres://nori@localhost/postgres?host=${encodeURIComponent(folder)}`;
  // By a socket in its own folder: a free port may be another's before the server has taken it.
  const begin = () => {
    const server = spawn(
      join(programs, 'postgres'),
      [
        '-D',
        data,
        '-h',
        '',
        '-k',
        folder,
        ...['fsync=off', ...settings].flatMap((setting) => ['-c', setting]),
      ],
      { ...options, stdio: 'ignore' },
    );
    const ended = new Promise<void>((resolve) => {
      server.once('exit', () => resolve());
      server.once('error', () => resolve());
    });
    return { server, ended };
  };
  let running = begin();
  // A run that is cut short must not leave a server behind.
  const stop = () => void running.server.kill('SIGINT');
  process.once('exit', stop);
  await untilItAnswers(url);
  return {
    url,
    local: {
      pid: () => running.server.pid ?? 0,
      restart: async (mode) => {
        running.server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
        await running.ended;
        running = begin();
        await untilItAnswers(url);
      },
    },
    close: async () => {
      process.off('exit', stop);
      stop();
      await running.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder with initdb and postgres: on the PATH, or where Debian keeps them; the newest there. */
function findPrograms(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const ofDebian = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  return [...onPath, ...ofDebian].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/** PostgreSQL refuses to run as root; then its own account is used, if there is one. */
async function accountToRunAs(): Promise<{ uid?: number; gid?: number } | undefined> {
  if (process.getuid?.() !== 0) {
    return {};
  }
  try {
    const [uid, gid] = await Promise.all([
      run('id', ['-u', 'postgres']),
      run('id', ['-g', 'postgres']),
    ]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    // There is no such account, and PostgreSQL does not run as root.
    return undefined;
  }
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await sleep(50);
    }
  }
}
