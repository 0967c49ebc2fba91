/** Finds a Chromium for the tests, and installs one where there is none. */
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import { canUseApt, aptInstall } from './apt.mjs';
import { root, run, toolEnv } from './run.mjs';
import { say, Stop } from './say.mjs';

const downloadTimeoutMs = 3 * 60_000;
const answerTimeoutMs = 20_000;

/**
 * Names on PATH, then where macOS keeps its applications. The headless shell comes first: it draws no
 * window around the page, and the browser tests take two thirds of the time.
 */
const systemBrowsers = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * A browser that starts, in this order: the one of `NORI_CHROMIUM`, Playwright's own, the system's,
 * a download of Playwright's, the package of Debian.
 * @returns {Promise<string>} Path of an executable.
 */
export async function ensureBrowser() {
  const found = await findBrowser();
  if (found !== undefined) {
    return found;
  }
  say("no Chromium on this machine; downloading Playwright's …");
  await run('playwright', ['install', 'chromium'], {
    env: toolEnv(),
    timeoutMs: downloadTimeoutMs,
  });
  const downloaded = await findBrowser();
  if (downloaded !== undefined) {
    return downloaded;
  }
  if (canUseApt()) {
    say('the download does not start; installing Debian’s package …');
    // Older releases have no package of the headless shell.
    if (!(await aptInstall('chromium-headless-shell'))) {
      await aptInstall('chromium');
    }
  }
  const packaged = await findBrowser();
  if (packaged !== undefined) {
    return packaged;
  }
  throw new Stop(
    'the tests need a browser: install Chromium or Google Chrome (Debian, Ubuntu: sudo apt-get install chromium; any system: npx playwright install --with-deps chromium), or set NORI_CHROMIUM to one.',
  );
}

/** @returns {Promise<string | undefined>} The first browser that starts. */
async function findBrowser() {
  const candidates = [process.env.NORI_CHROMIUM, await ofPlaywright(), ...systemBrowsers];
  for (const candidate of candidates) {
    const executable = candidate === undefined ? undefined : locate(candidate);
    // The first that starts is enough.
    if (executable !== undefined && (await starts(executable))) {
      return executable;
    }
  }
  return undefined;
}

/** Where Playwright has (or would have) its own. */
async function ofPlaywright() {
  const library = path.join(root, 'node_modules', '@playwright', 'test', 'index.mjs');
  if (!fs.existsSync(library)) {
    return undefined;
  }
  const { chromium } = await import(pathToFileURL(library).href);
  return String(chromium.executablePath());
}

/**
 * @param {string} name A path, or a name to look for on PATH.
 * @returns {string | undefined}
 */
export function locate(name) {
  const places = path.isAbsolute(name)
    ? [name]
    : (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
  return places.find((place) => fs.existsSync(place));
}

/**
 * The system's browser, found without starting it.
 * @returns {string | undefined}
 */
export function systemBrowser() {
  return systemBrowsers.map(locate).find((place) => place !== undefined);
}

/** Whether the executable runs: a browser whose libraries are missing, or one that only points to a store, does not. @param {string} executable */
async function starts(executable) {
  const { code } = await run(executable, ['--version'], {
    isQuiet: true,
    timeoutMs: answerTimeoutMs,
  });
  return code === 0;
}
