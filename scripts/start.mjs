/** `npm start`: installs, builds and serves. Plain JavaScript, because it runs before anything is installed. */
import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findServerNode, requireSetupNode } from './lib/node-version.mjs';
import { loadEnvFile, root, serverEnv, toolEnv } from './lib/run.mjs';
import { giveUp, Stop } from './lib/say.mjs';

const server = path.join(root, 'server', 'main.ts');
const lookForNpmEveryMs = 500;

try {
  restartWithServerEnv();
  requireSetupNode();
  process.chdir(root);
  loadEnvFile();
  // Checked before the long steps, so that a port in use is reported without waiting for a build.
  await requireFreePort(Number(process.env.PORT || 8080), process.env.HOST || '127.0.0.1');
  await ensureInstalled();
  const node = await findServerNode();
  await ensureBuilt();
  await serve(node);
} catch (failure) {
  giveUp(failure);
}

/** The allocator reads its settings when a process starts: this one becomes another with the same ID. */
function restartWithServerEnv() {
  const isSet = Object.keys(serverEnv).every((name) => process.env[name] !== undefined);
  // Absent in the Node that only installs.
  if (process.platform !== 'linux' || isSet || typeof process.execve !== 'function') {
    return;
  }
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...process.env, ...serverEnv });
}

/** Runs the server in this process when this Node can, else in the Node that can. @param {string} node */
async function serve(node) {
  stopWithNpm();
  if (node !== process.execPath) {
    serveIn(node);
    return;
  }
  // One process instead of two: a faster start, and signals and the exit code need no forwarding.
  process.argv[1] = server;
  await import(pathToFileURL(server).href);
}

/**
 * npm starts this through a shell that forwards no signals, so a container or supervisor that stops npm
 * would leave the server running. The server therefore stops when that shell is gone.
 */
function stopWithNpm() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== 'start') {
    return;
  }
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      process.kill(process.pid, 'SIGTERM');
    }
  }, lookForNpmEveryMs);
  timer.unref();
}

/** @param {string} node */
function serveIn(node) {
  const child = spawn(node, [server], {
    stdio: 'inherit',
    env: { ...serverEnv, ...process.env, ...toolEnv() },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl+C in a terminal reaches the server directly; a second signal would cut its shutdown short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) {
        child.kill(signal);
      }
    });
  }
  child.on('error', giveUp);
  child.on('exit', (code, signal) => {
    if (signal !== null) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
      return;
    }
    process.exit(code ?? 1);
  });
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<void>}
 */
function requireFreePort(port, host) {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      if (code === 'EADDRINUSE') {
        reject(
          new Stop(
            `port ${port} is in use, perhaps by another Nori. Stop that program, or choose another port: PORT=${port + 1} npm start`,
          ),
        );
      } else if (code === 'EACCES') {
        reject(
          new Stop(
            `this account may not open port ${port}. Choose one above 1023: PORT=8080 npm start`,
          ),
        );
      } else {
        // The server reports anything else itself, such as a wrong HOST.
        resolve();
      }
    });
    // The server also reports an invalid port.
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      resolve();
      return;
    }
    probe.listen({ port, ...(host === undefined ? {} : { host }) }, () =>
      probe.close(() => resolve()),
    );
  });
}
