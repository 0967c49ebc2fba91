/** Runs other programs and returns how they ended. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** npm is a script (`npm.cmd`) on Windows, and those start through a shell only. */
const isWindows = process.platform === 'win32';

/**
 * What the server starts with. The memory allocator of Linux keeps what was freed apart for each thread, and hashes of
 * passwords and pictures take 20 MB each, in several threads.
 */
export const serverEnv = { MALLOC_ARENA_MAX: '2' };

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] Folder to run in; the project when absent.
 * @property {NodeJS.ProcessEnv} [env] Added to the environment of this process.
 * @property {boolean} [isQuiet] Collect the output instead of showing it.
 * @property {number} [timeoutMs] Stop the program after this long; it then counts as failed.
 */

/**
 * Runs a program to its end. Never rejects: a program that does not exist ends with code 127.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} `output` is what it wrote on stderr, and on stdout too when quiet.
 */
export function run(command, args, { cwd = root, env = {}, isQuiet = false, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', 'pipe'],
      shell: isWindows && command === 'npm',
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => {
      output += chunk;
      if (!isQuiet) {
        process.stderr.write(chunk);
      }
    });
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The environment in which the project's own tools and their Node are found first. */
export function toolEnv() {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const bin = path.join(root, 'node_modules', '.bin');
  return { [key]: [bin, process.env[key]].join(path.delimiter) };
}

/** Reads `.env` into the environment; variables that are already set win. */
export function loadEnvFile() {
  const file = path.join(root, '.env');
  if (fs.existsSync(file)) {
    process.loadEnvFile(file);
  }
}
