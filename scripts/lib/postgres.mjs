/** Provides PostgreSQL for the repository tests where it can be installed. */
import fs from 'node:fs';
import process from 'node:process';

import { aptInstall, canUseApt } from './apt.mjs';
import { locate } from './browser.mjs';
import { say } from './say.mjs';

const debianFolder = '/usr/lib/postgresql';

/** Installs PostgreSQL where this account may. Without it, its tests report that they were skipped. */
export async function tryPostgres() {
  if (process.env.TEST_DATABASE_URL || hasPostgres()) {
    return;
  }
  if (canUseApt()) {
    say('installing the package "postgresql" for the database tests …');
    if (await aptInstall('postgresql')) {
      return;
    }
  }
  say(
    'no PostgreSQL here: the database tests run on SQLite only (TEST_DATABASE_URL names a server).',
  );
}

function hasPostgres() {
  return (
    locate('postgres') !== undefined ||
    (fs.existsSync(debianFolder) && fs.readdirSync(debianFolder).length > 0)
  );
}
