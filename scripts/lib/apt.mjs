/** Installs Debian packages on machines (containers, CI) where this account may do so. */
import fs from 'node:fs';
import process from 'node:process';

import { run } from './run.mjs';

const installTimeoutMs = 5 * 60_000;

/** Whether this is a Debian-like machine on which this account may install packages. */
export function canUseApt() {
  return process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get');
}

/**
 * Installs one package without asking. Its output is shown only when it failed.
 * @param {string} name
 * @returns {Promise<boolean>} Whether it worked.
 */
export async function aptInstall(name) {
  const options = {
    isQuiet: true,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: installTimeoutMs,
  };
  await run('apt-get', ['update', '-qq'], options);
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', name],
    options,
  );
  if (code !== 0) {
    process.stderr.write(output);
  }
  return code === 0;
}
