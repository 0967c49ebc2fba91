/** `nori doctor`: what is set, what answers, what is missing, and what to do next. It changes nothing, and needs no server. */
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

import { type Env } from '#server/app/env';
import { environmentVariables, secretVariables } from '#server/app/env-variables';
import { createObjectFinder, hasRow, listObjects, type Row, sampleRows } from '#server/db/backup';
import { isBotHandled } from '#server/db/bot-locks';
import { type Database, readSchema } from '#server/db/client';
import { type ObjectStore } from '#server/lib/object-store';
import { secureRandom } from '#server/lib/random';
import { countSealedBefore } from '#server/services/key-rotation';

import {
  answerMs,
  bad,
  checkServices,
  type Finding,
  getReason,
  good,
  guard,
  probeSuffix,
  warning,
} from './answers.ts';
import { isDrawing } from './backup.ts';

export type Patient = {
  readonly env: Env;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Rejects when it cannot be opened. */
  readonly openDatabase: () => Promise<Database>;
  readonly objects: ObjectStore;
  /** Looks at every row and every object. */
  readonly isDeep: boolean;
};

type Opened = Omit<Patient, 'openDatabase'> & { readonly database: Database };

const sampleSize = 200;

export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const { env } = patient;
  const findings = [listVariables(patient)];
  const database = await patient.openDatabase().catch((error: unknown) => {
    const reason = getReason(error);
    findings.push(
      bad(
        'database',
        `It cannot be opened: ${reason}.`,
        env.databaseUrl === undefined
          ? 'Start the server, or run `nori migrate`: either makes the database. Or set NORI_DATA_DIR.'
          : 'Check DATABASE_URL, and that PostgreSQL runs.',
      ),
    );
  });
  try {
    const checks = [
      ...(database === undefined ? [] : listDatabaseChecks({ ...patient, database })),
      ...checkServices(patient),
    ];
    for (const found of await Promise.all(checks)) {
      findings.push(...found);
    }
  } finally {
    await database?.close();
  }
  return findings;
}

function listDatabaseChecks(opened: Opened): Promise<readonly Finding[]>[] {
  return [
    guard('database', async () => {
      const schema = await readSchema(opened.database.db);
      const found = [await checkDatabase(opened), checkSchema(schema)];
      if (schema.pending.length > 0 || schema.refusing.length > 0 || schema.isRestoring) {
        return found;
      }
      const rest = [
        guard('bot', () => checkLeader(opened)),
        guard('keys', () => checkKeys(opened)),
        guard('objects', () => checkObjects(opened)),
      ];
      return [...found, ...(await Promise.all(rest)).flat()];
    }),
    guard('notifications', () => checkNotifications(opened)),
  ];
}

function listVariables({ variables }: Patient): Finding {
  const names = Object.keys(environmentVariables).flatMap((name) => {
    const isFile = (variables[`${name}_FILE`]?.trim() ?? '') !== '' && secretVariables.has(name);
    if (!isFile && (variables[name]?.trim() ?? '') === '') {
      return [];
    }
    return [isFile ? `${name} (in a file)` : secretVariables.has(name) ? `${name} (secret)` : name];
  });
  return good(
    'environment',
    names.length === 0 ? 'No variable is set.' : `Set: ${names.join(', ')}.`,
  );
}

async function checkDatabase({ database, env }: Opened): Promise<Finding> {
  const { db, engine } = database;
  const query =
    engine === 'postgres'
      ? sql<{ version: string }>`select current_setting('server_version') as version`
      : sql<{ version: string }>`select sqlite_version() as version`;
  const { rows } = await query.execute(db);
  const startedAt = performance.now();
  await database.ping();
  const ms = (performance.now() - startedAt).toFixed(1);
  const version = rows[0]?.version ?? '';
  if (engine === 'sqlite') {
    return good('database', `SQLite in ${env.dataDir} ${version} answers in ${ms} ms.`);
  }
  return judgePostgres(version, ms);
}

/** `idle_session_timeout`, which ends the lock of a bot that hangs, is as old as this. */
const oldestPostgres = 14;

/** A version such as `15.6 (Debian 15.6-0)`. */
export function judgePostgres(version: string, ms: string): Finding {
  return Number.parseInt(version, 10) >= oldestPostgres
    ? good('database', `PostgreSQL ${version} answers in ${ms} ms.`)
    : bad(
        'database',
        `PostgreSQL ${version} is too old: a bot could not take its lock.`,
        `Use PostgreSQL ${oldestPostgres} or newer.`,
      );
}

function checkSchema(schema: Awaited<ReturnType<typeof readSchema>>): Finding {
  const { executed, newer, pending, refusing, isRestoring } = schema;
  if (isRestoring) {
    return bad('tables', 'A restore has not ended.', 'Run the same `nori restore` again.');
  }
  if (refusing.length > 0) {
    return bad(
      'tables',
      `This version does not work with them since the migration ${refusing[0]}.`,
      'Start a version that knows this migration.',
    );
  }
  if (pending.length > 0) {
    return bad(
      'tables',
      `${pending.length} migrations have yet to run, the first is ${pending[0]}.`,
      'Run `nori migrate`, or start the server, which runs them, too.',
    );
  }
  return good(
    'tables',
    newer.length === 0
      ? `They are those of this version (${executed.at(-1)}).`
      : `They are those of a newer version (${executed.at(-1)}), with which this one works.`,
  );
}

/** A notification that the direct address does not hear means a connection pooler in between. */
async function checkNotifications({ database, env }: Opened): Promise<readonly Finding[]> {
  if (database.engine === 'sqlite') {
    return [];
  }
  const client = new Client({
    connectionString: env.databaseDirectUrl,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  const channel = `nori_doctor_${randomUUID().replaceAll('-', '')}`;
  const abort = new AbortController();
  try {
    client.on('error', () => abort.abort());
    await client.connect();
    const isHeard = new Promise<boolean>((resolve) => {
      client.on('notification', () => resolve(true));
    });
    await client.query(`listen ${channel}`);
    await sql`select pg_notify(${channel}, '')`.execute(database.db);
    const waited = sleep(answerMs, false, { signal: abort.signal }).catch(() => false);
    return [
      (await Promise.race([isHeard, waited]))
        ? good('notifications', 'LISTEN and NOTIFY work through the direct address.')
        : bad(
            'notifications',
            'LISTEN hears nothing: a connection pooler is in between, and locks would not hold either.',
            'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
          ),
    ];
  } finally {
    abort.abort();
    await client.end().catch(() => undefined);
  }
}

async function checkLeader({ database, env }: Opened): Promise<readonly Finding[]> {
  const { botToken, botMode } = env;
  if (database.engine === 'sqlite' || botToken === undefined || botMode === 'off') {
    return [];
  }
  return (await isBotHandled(database, Number(botToken.split(':')[0])))
    ? [good('bot', 'A process handles the updates of the bot.')]
    : [
        warning(
          'bot',
          'No process handles the updates of the bot.',
          'Start a server with NORI_ROLE=all, or a list that has bot.',
        ),
      ];
}

async function checkKeys({ database, env }: Opened): Promise<readonly Finding[]> {
  const { keptKeys, connections } = await countSealedBefore({
    database,
    env,
    random: secureRandom,
  });
  const count = keptKeys + connections;
  const previous = env.secretKeys.length - 1;
  if (count === 0) {
    return [
      previous === 0
        ? good('keys', 'All that is sealed is sealed with the key of this server.')
        : warning(
            'keys',
            `${previous} earlier keys are set, and nothing that is stored is sealed with them.`,
            'Sessions and links of before are valid for up to a day; then SECRET_KEY_PREVIOUS can be removed.',
          ),
    ];
  }
  return [
    previous === 0
      ? bad(
          'keys',
          `${count} stored secrets are sealed with another key than that of this server.`,
          'Name that key in SECRET_KEY_PREVIOUS, or set SECRET_KEY to it.',
        )
      : warning(
          'keys',
          `${count} stored secrets are still sealed with an earlier key.`,
          'Keep SECRET_KEY_PREVIOUS until there are none: a running server seals them anew.',
        ),
  ];
}

async function checkObjects({ database, objects, isDeep }: Opened): Promise<readonly Finding[]> {
  const absent: string[] = [];
  let count = 0;
  const look = async (table: string, row: Row) => {
    for (const name of listObjects(table, row)) {
      count += 1;
      if (
        (await objects.read(name, (size) => ({ start: 0, end: Math.min(size, 1) - 1 }))) ===
        undefined
      ) {
        absent.push(name);
      }
    }
  };
  for await (const { table, rows } of sampleRows(database, isDeep ? undefined : sampleSize)) {
    for (const row of rows) {
      await look(table, row);
    }
  }
  const missing: string[] = [];
  for (const name of absent) {
    // Its row may have been removed meanwhile.
    if (await hasRow(database.db, name)) {
      missing.push(name);
    }
  }
  const found = [
    missing.length === 0
      ? good(
          'objects',
          `${count} objects that rows name are in the store${isDeep ? '' : ' (a sample)'}.`,
        )
      : bad(
          'objects',
          `${missing.length} of ${count} objects that rows name are missing, such as ${missing[0]}.`,
          'Restore the store from a backup. Users see these pictures as broken until they delete them.',
        ),
  ];
  return isDeep ? [...found, await findOrphans(database, objects)] : found;
}

/** Objects that neither a row nor the list of loose objects names. */
async function findOrphans(database: Database, objects: ObjectStore): Promise<Finding> {
  const hasName = createObjectFinder(database.db);
  const suspects: string[] = [];
  for await (const name of objects.listNames()) {
    const isOurs = isDrawing(name) || name.endsWith(probeSuffix);
    if (!isOurs && !(await hasName(name))) {
      suspects.push(name);
    }
  }
  // What was being stored meanwhile has its row by now.
  const orphans: string[] = [];
  for (const name of suspects) {
    if (!(await hasName(name))) {
      orphans.push(name);
    }
  }
  return orphans.length === 0
    ? good('orphans', 'Each object in the store belongs to a row.')
    : warning(
        'orphans',
        `${orphans.length} objects belong to no row, such as ${orphans[0]}.`,
        'They only take space. Earlier versions and broken restores leave them; remove them by hand.',
      );
}
