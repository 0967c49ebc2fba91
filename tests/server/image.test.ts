/**
 * The image: what the Dockerfile copies is all that the server and its commands need, also where nothing of it can be written
 * to and no one is root. There is no container engine here: the folders are made by the lines of the Dockerfile.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { readImportGraph } from '#scripts/import-graph.ts';
import { isLoaded, listImportedPackages, listServerPackages } from '#scripts/prune-packages.ts';
import { startServerProcess } from '#tests/server-process';

const root = resolve(import.meta.dirname, '../..');
const dockerfile = fs.readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, ' ');
/** What is in the image in the end. */
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const instructions = (name: string, text = lastStage) =>
  [...text.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, given = '']) => given);

const stranger = { uid: 10_001, gid: 10_001 };
const account = process.getuid?.() === 0 ? stranger : {};

let image = '';
let data = '';

/** As COPY does, with what earlier stages have made. */
function copyInto(folder: string): void {
  for (const line of instructions('COPY')) {
    const [first = '', ...others] = line.split(' ');
    const stage = /^--from=(.*)$/.exec(first)?.[1];
    const target = resolve(folder, others.at(-1) ?? '');
    if (stage === 'packages') {
      copyPackages(folder);
    } else if (stage === undefined) {
      for (const source of [first, ...others.slice(0, -1)]) {
        const isFolder = fs.statSync(join(root, source)).isDirectory();
        const place = isFolder || !line.endsWith('/') ? target : join(target, fileName(source));
        fs.cpSync(join(root, source), place, { recursive: true });
      }
    } else if (fs.existsSync(join(root, 'dist'))) {
      fs.cpSync(join(root, 'dist'), target, { recursive: true });
    }
  }
}

const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function copyPackages(folder: string): void {
  for (const path of listServerPackages(root)) {
    // Those for other machines are not installed.
    if (fs.existsSync(join(root, path))) {
      const inner = join(root, path, 'node_modules');
      fs.cpSync(join(root, path), join(folder, path), {
        recursive: true,
        filter: (file) => file !== inner && isLoaded(file),
      });
    }
  }
}

const listFiles = (folder: string) =>
  fs
    .globSync('**/*', { cwd: folder, exclude: (name) => name.startsWith('node_modules') })
    .toSorted();

beforeAll(() => {
  image = fs.mkdtempSync(join(tmpdir(), 'nori-image-'));
  data = fs.mkdtempSync(join(tmpdir(), 'nori-image-data-'));
  copyInto(image);
  spawnSync('chmod', ['-R', 'a-w,a+rX', image]);
  fs.chmodSync(data, 0o700);
  if (account === stranger) {
    fs.chownSync(data, stranger.uid, stranger.gid);
  }
}, 60_000);
afterAll(() => {
  spawnSync('chmod', ['-R', 'u+w', image]);
  fs.rmSync(image, { recursive: true, force: true });
  fs.rmSync(data, { recursive: true, force: true });
});

/** What the image sets, with folders of this machine. */
function imageEnvironment(): Record<string, string> {
  const set = instructions('ENV')
    .join(' ')
    .matchAll(/(\w+)=(\S+)/g);
  const given = Object.fromEntries([...set].map(([, name = '', value = '']) => [name, value]));
  return { ...given, NORI_DATA_DIR: data, TMPDIR: data, HOST: '127.0.0.1', PORT: '0' };
}

test('the server answers, is ready, and writes to the data folder only', async () => {
  const before = listFiles(image);
  const server = startServerProcess(imageEnvironment(), { checkout: image, account });
  onTestFinished(() => void server.process.kill('SIGKILL'));

  const [, origin] = await server.hears(/Open (http:\S+)/);
  const [alive, ready] = await Promise.all(
    ['/livez', '/readyz'].map((path) => fetch(`${origin}${path}`)),
  );

  expect([alive?.status, ready?.status]).toEqual([200, 200]);
  expect(fs.readdirSync(data)).toEqual(expect.arrayContaining(['nori.db', 'secret-key']));
  const probe = runProbe(new URL(origin ?? '').port);
  expect(probe.status).toBe(0);
  server.process.kill(instructions('STOPSIGNAL')[0] === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
  expect(await server.ended).toBe(0);
  expect(server.said()).not.toMatch(/EACCES|EROFS|ERR_MODULE_NOT_FOUND/);
  expect(runProbe(new URL(origin ?? '').port).status).toBe(1);
  expect(listFiles(image)).toEqual(before);
}, 60_000);

/** The health check of the image. */
function runProbe(port: string) {
  const [, command = '[]'] = /CMD (\[.*\])/.exec(instructions('HEALTHCHECK')[0] ?? '') ?? [];
  const parsed: unknown = JSON.parse(command);
  const [, ...args] = Array.isArray(parsed) ? parsed.map(String) : [];
  return spawnSync(process.execPath, args, { env: { PORT: port }, ...account });
}

test('the commands of the operator run in it', () => {
  const help = spawnSync(process.execPath, [join(image, 'scripts/nori.mjs'), 'help'], {
    encoding: 'utf8',
    env: imageEnvironment(),
    ...account,
  });

  expect(help.stdout + help.stderr).toContain('migrate');
  expect(help.stderr).not.toContain('ERR_MODULE_NOT_FOUND');
});

test('everything that the server imports is a dependency, not one for developers', () => {
  const {
    dependencies,
    devDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(
    fs.readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const imported = listImportedPackages(root);

  expect(imported.length).toBeGreaterThan(15);
  expect(imported.filter((name) => !(name in (dependencies ?? {})))).toEqual([]);
  expect(imported.filter((name) => name in (devDependencies ?? {}))).toEqual([]);
});

test('it has no package that only the app or a developer needs', () => {
  const packages = listServerPackages(root).map((path) =>
    path.replace(/^.*node_modules\/(?=[^/]|@)/, ''),
  );

  expect(packages).toEqual(expect.arrayContaining(['hono', 'pg', 'sharp', '@img/colour']));
  for (const other of ['node', 'react', 'vite', 'typescript', 'lucide-react', 'vitest']) {
    expect(packages).not.toContain(other);
  }
});

test('what the build imports is sent to the builder, and nothing of the operator is', () => {
  const sent = fs
    .readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const graph = readImportGraph(root);
  const reached = new Set<string>();
  const follow = (file: string) => {
    if (!reached.has(file)) {
      reached.add(file);
      graph.getImports(file).forEach(follow);
    }
  };
  ['scripts/build.ts', 'scripts/build-languages.ts', 'src/main.tsx', 'server/main.ts'].forEach(
    follow,
  );
  const isSent = (file: string) =>
    sent.some((path) => file === path || file.startsWith(`${path}/`));

  expect(reached.size).toBeGreaterThan(400);
  expect([...reached].filter((file) => !isSent(file))).toEqual([]);
  for (const source of instructions('COPY', dockerfile).flatMap((line) =>
    line.startsWith('--from') ? [] : line.split(' ').slice(0, -1),
  )) {
    expect(source === '.' || isSent(source)).toBe(true);
    expect(fs.existsSync(join(root, source))).toBe(true);
  }
  for (const secret of ['.env', '.data', '.git', 'node_modules', 'tests', 'deploy']) {
    expect(isSent(secret)).toBe(false);
  }
});

test('it is built from the Node that the project runs in, is not root, and says how it is stopped', () => {
  const {
    dependencies,
  }: Record<string, Record<string, string>> = JSON.parse(
    fs.readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const bases = instructions('FROM', dockerfile).map((line) => line.split(' ')[0]);

  expect(new Set(bases)).toEqual(new Set([`node:${dependencies?.['node']}-trixie-slim`]));
  expect(instructions('USER')).toEqual(['10001:10001']);
  expect(instructions('CMD')).toEqual(['["node", "server/main.ts"]']);
  expect(lastStage).toContain('MALLOC_ARENA_MAX=2');
  expect(lastStage).toContain('HOST=0.0.0.0');
});
