/** What the server and the command line both work with, as the environment says. */
import { join, resolve } from 'node:path';
import { type Logger } from 'pino';

import { openDatabase, type Database } from '#server/db/client';
import { openLanguages } from '#server/lib/languages';
import { createSecurityLog } from '#server/lib/log';
import { createDiskStore, type ObjectStore } from '#server/lib/object-store';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { secureRandom } from '#server/lib/random';
import { createS3Store } from '#server/lib/s3-store';
import { openKeptKeys } from '#server/services/key-rotation';

import { type Dependencies } from './dependencies.ts';
import { type Env } from './env.ts';
import { textModules } from './text-modules.ts';

/** `isReadOnly` also opens SQLite beside a server. Throws what `openDatabase` throws. */
export const openOwnDatabase = (env: Env, isReadOnly = false): Database =>
  openDatabase({
    dataDir: env.dataDir,
    url: env.databaseUrl,
    directUrl: env.databaseDirectUrl,
    connections: env.databaseConnections,
    isReadOnly,
  });

export const openOwnStore = (env: Env, log: Logger): ObjectStore =>
  env.s3 === undefined
    ? createDiskStore(join(env.dataDir, 'pictures'))
    : createS3Store(env.s3, { log });

type Opened = Pick<Dependencies, 'env' | 'database' | 'log'>;
type Own = Pick<
  Dependencies,
  'keptKeys' | 'clock' | 'random' | 'hasher' | 'securityLog' | 'languages'
>;

export async function openOwnDependencies({ env, database, log }: Opened): Promise<Opened & Own> {
  const clock = Date.now;
  const random = secureRandom;
  return {
    env,
    database,
    log,
    keptKeys: await openKeptKeys({ env, database, random, clock, log }),
    clock,
    random,
    hasher: createPasswordHasher(),
    securityLog: createSecurityLog(),
    languages: openLanguages({
      folder: resolve(import.meta.dirname, '../../locales'),
      modules: textModules,
      limitTo: env.languages,
      log,
    }),
  };
}
