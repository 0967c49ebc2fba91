/** Installs the servers that tests use, where that is possible. It runs before anything else is installed. */
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

/** Installs a NATS server where this account may. Without it, its tests report that they were skipped. */
export async function tryNats() {
  if (process.env.TEST_NATS_URL || natsPlaces.some((place) => locate(place) !== undefined)) {
    return;
  }
  if (canUseApt()) {
    say('installing the package "nats-server" for the tests of several machines …');
    if (await aptInstall('nats-server')) {
      return;
    }
  }
  say('no NATS server here: its tests are skipped (TEST_NATS_URL names a server).');
}

/** Debian's folder of servers is not on every PATH. */
const natsPlaces = ['nats-server', '/usr/sbin/nats-server'];

/** Debian packages with an S3 service. */
export const swiftPackages = [
  'swift-proxy',
  'swift-account',
  'swift-container',
  'swift-object',
  'memcached',
];
const swiftPrograms = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'swift-ring-builder',
  'memcached',
];

/** Installs OpenStack Swift where this account may. Without it, its tests report that they were skipped. */
export async function trySwift() {
  if (process.env.TEST_S3_ENDPOINT || findMissingProgram() === undefined) {
    return;
  }
  if (canUseApt()) {
    say('installing OpenStack Swift for the tests of the object store …');
    if (await aptInstall(...swiftPackages)) {
      return;
    }
  }
  say('no OpenStack Swift here: its tests are skipped (TEST_S3_ENDPOINT names an S3 service).');
}

/** @returns {string | undefined} A program without which Swift cannot run, and which is not here. */
export function findMissingProgram() {
  return swiftPrograms.find((name) => locate(name) === undefined);
}

function hasPostgres() {
  return (
    locate('postgres') !== undefined ||
    (fs.existsSync(debianFolder) && fs.readdirSync(debianFolder).length > 0)
  );
}
