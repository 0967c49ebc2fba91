/** What `npm start` and `npm test` decide before they run anything. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { fingerprint, isBuilt, markBuilt, sources } from '#scripts/build.mjs';
import { countPlaywright, countVitest, sum } from '#scripts/counts.mjs';
import { readImportGraph } from '#scripts/import-graph.ts';
import { explainNpm, isInstalled } from '#scripts/install.mjs';
import { isAtLeast, requireSetupNode } from '#scripts/node-version.mjs';
import { root } from '#scripts/run.mjs';

describe('which versions of Node are accepted', () => {
  test.each([
    ['24.7.0', true],
    ['v24.21.0', true],
    ['25.0.0', true],
    ['24.6.9', false],
    ['20.20.2', false],
    ['9.99.99', false],
    ['', false],
    ['not found', false],
  ])('%j runs the server: %s', (version, runs) => {
    expect(isAtLeast(version, '24.7.0')).toBe(runs);
  });

  test('a Node version too old for the setup is refused with a link to a newer one', () => {
    expect(() => requireSetupNode('18.19.0')).toThrow(
      /this is Node 18\.19\.0.*https:\/\/nodejs\.org/,
    );
    expect(() => requireSetupNode('20.19.0')).not.toThrow();
  });
});

describe('whether packages must be installed', () => {
  const lock = makeLock({ a: '1.0.0', b: '2.0.0' });

  test('no when npm installed what the lock file requires', () => {
    expect(isInstalled(lock, makeLock({ a: '1.0.0', b: '2.0.0' }))).toBe(true);
  });

  test('no for the builds of other machines', () => {
    const withOthers = JSON.stringify({
      packages: {
        ...JSON.parse(lock).packages,
        'node_modules/tool-win32': { version: '1.0.0', optional: true },
      },
    });

    expect(isInstalled(withOthers, lock)).toBe(true);
  });

  test.each([
    ['nothing is installed', undefined],
    ['one is missing', makeLock({ a: '1.0.0' })],
    ['one has another version', makeLock({ a: '1.0.0', b: '2.0.1' })],
    ['npm was interrupted while writing its record', '{"packages": {'],
  ])('yes when %s', (_, installed) => {
    expect(isInstalled(lock, installed)).toBe(false);
  });

  test.each([
    ['npm error code ENOSPC', /disk is full/],
    ['npm error code EAI_AGAIN', /check the network/],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['npm error code EACCES', /may not be written/],
    ['npm error something new', /deleting node_modules/],
  ])('%s is answered with instructions', (output, advice) => {
    expect(explainNpm(output)).toMatch(advice);
  });
});

describe('whether the app must be built', () => {
  const folders: string[] = [];
  afterEach(() => folders.splice(0).forEach((folder) => fs.rmSync(folder, { recursive: true })));

  /** A built project: sources, the page, and the record of its inputs. */
  function builtProject(env: NodeJS.ProcessEnv = {}): string {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-launcher-'));
    folders.push(folder);
    fs.mkdirSync(path.join(folder, 'src/app'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'dist'));
    fs.writeFileSync(path.join(folder, 'src/app/app.tsx'), 'one');
    fs.writeFileSync(path.join(folder, 'dist/index.html'), '<title>Nori</title>');
    markBuilt(folder, fingerprint(folder, env));
    return folder;
  }

  test('no when nothing changed, or only modification times did', () => {
    const folder = builtProject();
    fs.utimesSync(path.join(folder, 'src/app/app.tsx'), 1, 1);

    expect(isFresh(folder)).toBe(true);
  });

  test('yes when a source changed, was added or was deleted', () => {
    const edited = builtProject();
    fs.writeFileSync(path.join(edited, 'src/app/app.tsx'), 'two');
    const added = builtProject();
    fs.writeFileSync(path.join(added, 'index.html'), '');
    const removed = builtProject();
    fs.rmSync(path.join(removed, 'src/app/app.tsx'));

    expect([edited, added, removed].map((folder) => isFresh(folder))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('yes when a variable of the client changed, no for one of the server', () => {
    const folder = builtProject({ VITE_BACKEND_URL: 'https://one.example' });

    expect(isFresh(folder, { VITE_BACKEND_URL: 'https://two.example' })).toBe(false);
    expect(isFresh(folder, { VITE_BACKEND_URL: 'https://one.example', PORT: '1' })).toBe(true);
  });

  test('yes after a build for a static host, whose pages contain its address', () => {
    const folder = builtProject({ PUBLIC_URL: 'https://nori.example' });

    expect(isFresh(folder, { PUBLIC_URL: '' })).toBe(false);
    expect(isFresh(builtProject(), { PUBLIC_URL: '' })).toBe(true);
  });

  test('yes when a translation changed, or other languages are wanted', () => {
    const folder = builtProject({ NORI_LANGUAGES: 'en,de' });
    expect(isFresh(folder, { NORI_LANGUAGES: 'en,de' })).toBe(true);
    expect(isFresh(folder, { NORI_LANGUAGES: 'en' })).toBe(false);

    fs.mkdirSync(path.join(folder, 'locales/de'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'locales/de/home.json'), '{}');

    expect(isFresh(folder, { NORI_LANGUAGES: 'en,de' })).toBe(false);
  });

  test('every file that the build imports is among its sources', () => {
    const { getImports } = readImportGraph(root);
    const read = new Set([
      'scripts/build.ts',
      'scripts/build-languages.ts',
      'src/main.tsx',
      'src/app/prerender.tsx',
    ]);
    // Iterating over a set visits what is added meanwhile.
    for (const file of read) {
      getImports(file).forEach((other) => read.add(other));
    }
    const isSource = (file: string) =>
      sources.some((source) => file === source || file.startsWith(`${source}/`));

    expect(read.size).toBeGreaterThan(300);
    expect([...read].filter((file) => !isSource(file))).toEqual([]);
  });

  test('yes when dist was emptied or replaced', () => {
    const folder = builtProject();
    fs.rmSync(path.join(folder, 'dist'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'dist'));
    fs.writeFileSync(path.join(folder, 'dist/index.html'), '');

    expect(isFresh(folder)).toBe(false);
  });
});

test('a taken port ends `npm start` at once, with the suggestion of another port', async () => {
  const other = net.createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve(Number(Object(other.address()).port)));
  });

  const { code, stderr } = await start({ PORT: String(port), HOST: '127.0.0.1' });
  other.close();

  expect(code).toBe(1);
  expect(stderr).toContain(`port ${port} is in use`);
  expect(stderr).toContain(`PORT=${port + 1} npm start`);
});

describe('how many tests ran', () => {
  test('is the sum of both runners, and a file that could not be loaded counts as a failure', () => {
    const vitest = JSON.stringify({
      numPassedTests: 40,
      numFailedTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [{}] },
        { status: 'failed', assertionResults: [] },
      ],
    });
    const playwright = JSON.stringify({
      stats: { expected: 7, flaky: 1, unexpected: 2, skipped: 3 },
    });

    expect(sum([countVitest(vitest), countPlaywright(playwright)])).toEqual({
      passed: 48,
      failed: 4,
    });
  });
});

function isFresh(folder: string, env: NodeJS.ProcessEnv = {}): boolean {
  return isBuilt(folder, fingerprint(folder, env));
}

function makeLock(versions: Record<string, string>): string {
  const packages = Object.entries(versions).map(([name, version]) => [
    `node_modules/${name}`,
    { version, integrity: `sha512-${name}-${version}` },
  ]);
  return JSON.stringify({ packages: Object.fromEntries(packages) });
}

function start(env: NodeJS.ProcessEnv): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/start.mjs'],
      { cwd: root, env: { ...process.env, ...env } },
      (_error, _stdout, stderr) => resolve({ code: child.exitCode, stderr }),
    );
  });
}
