/** Builds the app when `dist/` is missing or older than its sources. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { root, run } from './run.mjs';
import { say, Stop } from './say.mjs';

/** Everything that affects the build. Missing files count as empty. */
export const sources = [
  'src',
  'contract',
  'locales',
  'public',
  'index.html',
  'vite.config.ts',
  // The build and its plugins; a change of the other scripts costs one build too many.
  'scripts',
  // What the build shares with the server. The whole server would cost a build after every change.
  'server/http/app-env.ts',
  'server/http/site-address.ts',
  'server/http/site-languages.ts',
  'server/lib/languages.ts',
  'server/lib/requester.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.env.local',
  '.env.production',
  '.env.production.local',
];

/** Inside dist, so that emptying or replacing dist removes the record, too. */
const record = path.join('dist', '.vite', 'built-from.json');

/**
 * One short string that changes whenever the content or the name of a source changes, a `VITE_*` variable,
 * the languages, or the address that a build for a static host writes into its pages.
 * Content, not dates: a fresh checkout of the same sources needs no new build.
 * @param {string} folder The project.
 * @param {NodeJS.ProcessEnv} env
 */
export function fingerprint(folder, env) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of listFiles(folder, source)) {
      const content = fs.readFileSync(path.join(folder, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  const isOfBuild = (/** @type {string} */ name) =>
    name.startsWith('VITE_') ||
    (['PUBLIC_URL', 'NORI_LANGUAGES'].includes(name) && Boolean(env[name]));
  for (const name of Object.keys(env).filter(isOfBuild).toSorted()) {
    hash.update(`${name}=${env[name]}\0`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @param {string} source A file or a folder of the project.
 * @returns {string[]} Its files in a fixed order; none when it does not exist.
 */
function listFiles(folder, source) {
  const stats = fs.statSync(path.join(folder, source), { throwIfNoEntry: false });
  if (stats === undefined) {
    return [];
  }
  if (!stats.isDirectory()) {
    return [source];
  }
  return fs
    .readdirSync(path.join(folder, source))
    .toSorted()
    .flatMap((name) => listFiles(folder, `${source}/${name}`));
}

/**
 * Whether the build in `dist/` was made of exactly these sources.
 * @param {string} folder
 * @param {string} mark The result of {@link fingerprint}.
 */
export function isBuilt(folder, mark) {
  const file = path.join(folder, record);
  return (
    fs.existsSync(path.join(folder, 'dist', 'index.html')) &&
    fs.existsSync(file) &&
    fs.readFileSync(file, 'utf8') === JSON.stringify({ mark })
  );
}

/**
 * Builds for our own server if needed. Prints nothing when there is nothing to do.
 * @param {{ isForced?: boolean }} [options] `isForced` builds in any case.
 */
export async function ensureBuilt({ isForced = false } = {}) {
  // The server writes its address into the pages itself, so that a site moves with a restart.
  const env = { PUBLIC_URL: '' };
  if (!isForced && isBuilt(root, fingerprint(root, { ...process.env, ...env }))) {
    return;
  }
  say('building the app (a few seconds, only when it changed) …');
  const { code, output } = await run('npm', ['run', '--silent', 'build'], { env });
  if (code !== 0) {
    throw new Stop(
      /ENOSPC/.test(output)
        ? 'the app could not be built: the disk is full. Free some space and run the command again.'
        : 'the app could not be built. The reason is above; `npm run build` shows it again.',
    );
  }
}

/**
 * Records the sources of the build in `dist/`.
 * @param {string} folder
 * @param {string} mark
 */
export function markBuilt(folder, mark) {
  const file = path.join(folder, record);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ mark }));
}
