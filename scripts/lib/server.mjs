/** Starts the real server for a benchmark, on a free port and an empty data folder, and removes both afterwards. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { root } from './run.mjs';
import { Stop } from './say.mjs';

const startTimeoutMs = 20_000;
const askEveryMs = 25;

/**
 * @param {NodeJS.ProcessEnv} [env] Added to the server's environment.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} Resolves when the server responds.
 */
export async function startServer(env = {}) {
  const port = await freePort();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-'));
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      NORI_DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill();
    await ended;
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const giveUpAt = Date.now() + startTimeoutMs;
  // Polls until the server is up.
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Stop('the server did not start. `npm start` shows why.');
    }
    await wait(askEveryMs);
  }
  return { url, stop };
}

/** @returns {Promise<number>} A free port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** @param {string} url @returns {Promise<boolean>} */
function isHealthy(url) {
  return new Promise((resolve) => {
    const request = http.get(`${url}/backend/health`, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}
