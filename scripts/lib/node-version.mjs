/** Finds the Node that runs the server: this one, or the one that npm installed. */
import path from 'node:path';
import process from 'node:process';

import { root, run } from './run.mjs';
import { say, Stop } from './say.mjs';

/** The set-up needs this version; Vite needs the same. */
const setupNode = '20.19.0';
/** The server needs type stripping and argon2 from node:crypto (24.7). */
const serverNode = '24.7.0';

/**
 * Whether one Node version is at least another. False for an unreadable version.
 * @param {string} version Such as "24.21.0" or "v24.21.0".
 * @param {string} needed
 */
export function isAtLeast(version, needed) {
  const have = version.trim().replace(/^v/, '').split('.').map(Number);
  for (const [index, want] of needed.split('.').map(Number).entries()) {
    const part = have[index] ?? Number.NaN;
    if (part !== want) {
      return part > want;
    }
  }
  return true;
}

/** Stops with a message when this Node is too old even for the set-up. */
export function requireSetupNode(version = process.versions.node) {
  if (!isAtLeast(version, setupNode)) {
    throw new Stop(
      `this is Node ${version}; Nori needs Node ${setupNode} or newer. Install it from https://nodejs.org and run the command again.`,
    );
  }
}

/**
 * Finds the Node that runs the server. Fetches it when npm was told not to run install scripts.
 * @returns {Promise<string>} Path of an executable.
 */
export async function findServerNode() {
  if (isAtLeast(process.versions.node, serverNode)) {
    return process.execPath;
  }
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const executable = path.join(root, 'node_modules', 'node', 'bin', name);
  if (await runsServer(executable)) {
    return executable;
  }
  say('npm left out the Node that the server needs (install scripts are off); fetching it now.');
  // Runs the install script that was left out, and links the result into node_modules/.bin.
  await run('npm', ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']);
  if (await runsServer(executable)) {
    return executable;
  }
  throw new Stop(
    `the server needs Node ${serverNode} or newer and this is ${process.versions.node}. npm could not fetch one for this machine: install Node 24 from https://nodejs.org and run the command again.`,
  );
}

/** @param {string} executable */
async function runsServer(executable) {
  const { code, output } = await run(executable, ['--version'], { isQuiet: true });
  return code === 0 && isAtLeast(output, serverNode);
}
