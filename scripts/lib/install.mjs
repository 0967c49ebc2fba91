/** Installs the packages when they are missing or differ from package-lock.json. */
import fs from 'node:fs';
import path from 'node:path';

import { root, run } from './run.mjs';
import { say, Stop } from './say.mjs';

/** Packages, build and the start of a database take about 0.7 GB. */
const neededMegabytes = 1000;

/**
 * Whether npm's record of installed packages matches the lock file.
 * npm writes its own record only after it finished, so an interrupted install does not count.
 * Optional packages may be for other machines and are ignored.
 * @param {string} lock Text of package-lock.json.
 * @param {string | undefined} installed Text of node_modules/.package-lock.json.
 */
export function isInstalled(lock, installed) {
  if (installed === undefined) {
    return false;
  }
  const wanted = readPackages(lock);
  const present = readPackages(installed);
  return Object.entries(wanted).every(
    ([name, { version, integrity, optional }]) =>
      name === '' ||
      optional === true ||
      (present[name]?.version === version && present[name]?.integrity === integrity),
  );
}

/**
 * @param {string} text
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>}
 */
function readPackages(text) {
  try {
    return JSON.parse(text).packages ?? {};
  } catch {
    // A half-written record counts as none.
    return {};
  }
}

/** Brings node_modules up to date. Prints nothing when there is nothing to do. */
export async function ensureInstalled() {
  const lock = read('package-lock.json');
  if (lock === undefined) {
    throw new Stop('package-lock.json is missing. Restore it (git checkout package-lock.json).');
  }
  const record = path.join('node_modules', '.package-lock.json');
  if (isInstalled(lock, read(record))) {
    return;
  }
  requireDiskSpace();
  say('installing packages (a minute or two, only when they changed) …');
  // Development packages build the app; NODE_ENV=production would leave them out.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await run('npm', args);
  if (code !== 0) {
    throw new Stop(explainNpm(output));
  }
  if (!isInstalled(lock, read(record))) {
    throw new Stop('npm finished, but packages are missing. Delete node_modules and try again.');
  }
}

/**
 * What to do about a failed `npm ci`.
 * @param {string} output What npm wrote.
 */
export function explainNpm(output) {
  const advice = npmAdvice.find(({ sign }) => sign.test(output));
  return `the packages could not be installed. ${advice?.text ?? 'What npm said is above; deleting node_modules and running the command again often helps.'}`;
}

const npmAdvice = [
  {
    sign: /ENOSPC/,
    text: 'The disk is full: free about 1 GB and run the command again.',
  },
  {
    sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/,
    text: 'npm could not reach its registry: check the network (or the proxy that `npm config get proxy` names) and run the command again.',
  },
  {
    sign: /CERT|SELF_SIGNED|certificate/,
    text: 'npm does not trust the certificate of its registry: set NODE_EXTRA_CA_CERTS to your network’s certificate and run the command again.',
  },
  {
    sign: /EACCES|EPERM/,
    text: 'This folder may not be written to: check who owns it (and node_modules inside), then run the command again.',
  },
  {
    sign: /127|not found|ENOENT/,
    text: 'npm itself was not found: it comes with Node (https://nodejs.org).',
  },
];

function requireDiskSpace() {
  const { bavail, bsize } = fs.statfsSync(root);
  const megabytes = Math.floor((bavail * bsize) / 1e6);
  if (megabytes < neededMegabytes) {
    throw new Stop(
      `only ${megabytes} MB are free on this disk; the packages and the build need about ${neededMegabytes} MB. Free some space and run the command again.`,
    );
  }
}

/** @param {string} file */
function read(file) {
  const full = path.join(root, file);
  return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
}
