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
 * Installs packages without asking. The output is shown only when it failed.
 * @param {readonly string[]} names
 * @returns {Promise<boolean>} Whether it worked.
 */
export async function aptInstall(...names) {
  const options = {
    isQuiet: true,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: installTimeoutMs,
  };
  await run('apt-get', ['update', '-qq'], options);
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...names],
    options,
  );
  if (code !== 0) {
    process.stderr.write(output);
  }
  return code === 0;
}
