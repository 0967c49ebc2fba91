/** The commands of the operator: `nori <command>`. Each is an entry of one table, from which the help is made, too. */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { type Dependencies } from '#server/app/dependencies';
import { type Env, EnvironmentMistake, readEnv } from '#server/app/env';
import { openOwnDatabase, openOwnDependencies, openOwnStore } from '#server/app/own-dependencies';
import { keyFile } from '#server/app/secret-key';

import { type Finding, getReason } from './cli/answers.ts';
import { backUp, CommandMistake, restore } from './cli/backup.ts';
import { examine } from './cli/doctor.ts';
import { type Database, DataFolderInUse, migrate, readSchema, SchemaMistake } from './db/client.ts';
import { createLog } from './lib/log.ts';
import { createServices } from './services/services.ts';

type Call = {
  readonly args: readonly string[];
  readonly has: (option: string) => boolean;
};

type Command = {
  /** What follows the name. All are needed. */
  readonly args: readonly string[];
  readonly options: readonly string[];
  readonly about: string;
  /** Returns the exit code: 0 when all is well, 1 when not. */
  readonly run: (call: Call) => Promise<number>;
};

const exitCodes = { fine: 0, failed: 1, cannotRun: 2 } as const;

const commands: Readonly<Record<string, Command>> = {
  migrate: {
    args: [],
    options: [],
    about: 'Brings the tables of the database up to date. Servers do it, too, when they start.',
    run: runMigrate,
  },
  doctor: {
    args: [],
    options: ['--deep', '--json'],
    about:
      'Says what is set, what answers, what is missing, and what to do next. --deep looks at every picture.',
    run: runDoctor,
  },
  backup: {
    args: ['<folder>'],
    options: ['--with-key'],
    about:
      'Writes all rows of one moment, and their pictures, into a new folder, while servers run. --with-key adds the secret key.',
    run: runBackup,
  },
  restore: {
    args: ['<folder>'],
    options: [],
    about: 'Fills an empty database and an empty store from a backup, also one of the other kind.',
    run: runRestore,
  },
  export: {
    args: ['<telegram id>', '<file.zip>'],
    options: [],
    about: 'Writes all that is stored about a user, as the page of the account does.',
    run: runExport,
  },
  erase: {
    args: ['<telegram id>'],
    options: ['--yes'],
    about:
      'Deletes an account and all that is stored about its user. --yes does not wait for a confirmation.',
    run: runErase,
  },
  help: {
    args: [],
    options: [],
    about: 'Lists these commands.',
    run: async () => {
      say(describeCommands());
      return exitCodes.fine;
    },
  },
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describeCommands(): string {
  const lines = Object.entries(commands).map(([name, command]) => {
    const options = command.options.map((option) => `[${option}]`);
    return `  ${['nori', name, ...command.args, ...options].join(' ')}\n      ${command.about}`;
  });
  return [
    'The commands of Nori. Variables are read as the server reads them (README.md).',
    ...lines,
  ].join('\n');
}

/** Where the command was typed: npm runs it elsewhere. */
const toPath = (given: string) => resolve(process.env['INIT_CWD'] ?? '.', given);

const toPlace = (env: Env) => ({
  env,
  say,
  objects: openOwnStore(env, createLog(env.logLevel)),
});

async function withDatabase<Result>(
  { env, isReadOnly = false }: { readonly env: Env; readonly isReadOnly?: boolean },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  let database: Database | undefined;
  try {
    database = openOwnDatabase(env, isReadOnly);
    await database.ping();
  } catch (error) {
    await database?.close();
    if (error instanceof DataFolderInUse) {
      throw error;
    }
    throw new CommandMistake(`${nameDatabase(env)} cannot be opened: ${getReason(error)}.`);
  }
  try {
    return await work(database);
  } catch (error) {
    throw error instanceof SchemaMistake
      ? new CommandMistake(`${nameDatabase(env)} cannot be used: ${error.message}.`)
      : error;
  } finally {
    await database.close();
  }
}

const nameDatabase = (env: Env) =>
  env.databaseUrl === undefined
    ? `The database in the data folder ${env.dataDir}`
    : 'The database at the address of DATABASE_URL';

async function runMigrate(): Promise<number> {
  return withDatabase({ env: readEnv(process.env) }, async (database) => {
    const ran = await migrate(database);
    const { executed, newer } = await readSchema(database.db);
    if (ran.length > 0) {
      say(`${ran.length} migrations have run: ${ran.join(', ')}.`);
    } else {
      say(
        newer.length > 0
          ? `The tables are those of a newer version (${executed.at(-1)}), with which this one works.`
          : `The tables are up to date (${executed.at(-1)}).`,
      );
    }
    return exitCodes.fine;
  });
}

/** A look at a server must not make a key for it. */
function readEnvAsItIs(): Env {
  const variables = { ...process.env };
  const folder = variables['NORI_DATA_DIR']?.trim() || '.data';
  const isSet = ['SECRET_KEY', 'SECRET_KEY_FILE', 'DATABASE_URL'].some(
    (name) => (variables[name]?.trim() ?? '') !== '',
  );
  const isNew = !isSet && !existsSync(keyFile(folder));
  return readEnv(isNew ? { ...variables, SECRET_KEY: 'none'.repeat(8) } : variables);
}

async function diagnose(env: Env, isDeep: boolean): Promise<readonly Finding[]> {
  return examine({
    ...toPlace(env),
    variables: process.env,
    openDatabase: async () => {
      const database = openOwnDatabase(env, true);
      await database.ping();
      return database;
    },
    isDeep,
  });
}

const isWell = (findings: readonly Finding[]) => findings.every(({ state }) => state !== 'bad');

function sayFindings(findings: readonly Finding[]): void {
  for (const { check, state, says, next } of findings) {
    say(`${state.padEnd(8)} ${check}: ${says}`);
    if (next !== undefined) {
      say(`         → ${next}`);
    }
  }
  const failed = findings.filter(({ state }) => state === 'bad').length;
  say(failed === 0 ? 'All is well.' : `${failed} of ${findings.length} checks failed.`);
}

async function runDoctor({ has }: Call): Promise<number> {
  const findings = await diagnose(readEnvAsItIs(), has('--deep'));
  if (has('--json')) {
    say(JSON.stringify({ is_well: isWell(findings), findings }, null, 2));
  } else {
    sayFindings(findings);
  }
  return isWell(findings) ? exitCodes.fine : exitCodes.failed;
}

async function runBackup({ args: [folder = ''], has }: Call): Promise<number> {
  const env = readEnvAsItIs();
  await withDatabase({ env, isReadOnly: true }, (database) =>
    backUp({ ...toPlace(env), database }, { folder: toPath(folder), withKey: has('--with-key') }),
  );
  return exitCodes.fine;
}

async function runRestore({ args: [folder = ''] }: Call): Promise<number> {
  const env = readEnv(process.env);
  await withDatabase({ env }, (database) => restore({ ...toPlace(env), database }, toPath(folder)));
  // The key may be the one of the backup now.
  const findings = await diagnose(readEnv(process.env), false);
  sayFindings(findings);
  return isWell(findings) ? exitCodes.fine : exitCodes.failed;
}

function readId(given: string): number {
  if (!/^[1-9]\d{0,15}$/.test(given)) {
    throw new CommandMistake(`${given} is no Telegram ID, which is a number such as 123456789.`);
  }
  return Number(given);
}

type Opened = { readonly deps: Dependencies; readonly services: ReturnType<typeof createServices> };

/** The services of a server that receives nothing and sends nothing. */
async function withServices<Result>(
  { env, isReadOnly = false }: { readonly env: Env; readonly isReadOnly?: boolean },
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const log = createLog(env.logLevel);
  return withDatabase({ env, isReadOnly }, async (database) => {
    const { pending, refusing } = await readSchema(database.db);
    if (pending.length > 0 || refusing.length > 0) {
      throw new SchemaMistake(
        'its tables are not those of this version. `nori doctor` says what to do',
      );
    }
    const deps: Dependencies = {
      ...(await openOwnDependencies({ env, database, log })),
      objects: openOwnStore(env, log),
      telegram: undefined,
      deliver: () => undefined,
    };
    return work({ deps, services: createServices(deps) });
  });
}

/** What stands in the log of security events in the place of an address has none. */
const operator = {
  caller: { address: 'operator', userAgent: undefined },
  detail: 'by the operator',
};

async function hasAccount(
  { database: { db } }: Dependencies,
  telegramId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('people')
    .select('telegram_id')
    .where('telegram_id', '=', telegramId)
    .executeTakeFirst();
  return row !== undefined;
}

async function runExport({ args: [id = '', file = ''] }: Call): Promise<number> {
  const telegramId = readId(id);
  const path = toPath(file);
  return withServices(
    { env: readEnv(process.env), isReadOnly: true },
    async ({ deps, services }) => {
      const zip = await open(path, 'wx', 0o600).catch((error: unknown) => {
        throw new CommandMistake(`${path} cannot be made: ${getReason(error)}.`);
      });
      try {
        await services.exports.write(telegramId, { write: (bytes) => zip.writeFile(bytes) });
        await zip.sync();
      } finally {
        await zip.close();
      }
      services.accountEvents.noteOnly('export', { telegramId, ...operator });
      const isKnown = await hasAccount(deps, telegramId);
      say(
        `All that is stored about ${telegramId} is in ${path}${isKnown ? '' : '. There is no account with this ID'}.`,
      );
      return exitCodes.fine;
    },
  );
}

async function runErase({ args: [id = ''], has }: Call): Promise<number> {
  const telegramId = readId(id);
  return withServices({ env: readEnv(process.env) }, async ({ deps, services }) => {
    const isKnown = await hasAccount(deps, telegramId);
    if (!has('--yes') && !(await isConfirmed(telegramId, isKnown))) {
      say('Nothing was deleted.');
      return exitCodes.failed;
    }
    await services.erasure.erase(telegramId);
    services.accountEvents.noteOnly('account_deleted', { telegramId, ...operator });
    say(`All that was stored about ${telegramId} is deleted. Backups still have it.`);
    return exitCodes.fine;
  });
}

async function isConfirmed(telegramId: number, isKnown: boolean): Promise<boolean> {
  const lines = createInterface({ input: process.stdin });
  say(
    `${isKnown ? 'The account' : 'There is no account with this ID. What the bot has seen'} of ${telegramId} will be deleted, with pictures and settings of theirs. Type the ID to confirm:`,
  );
  try {
    for await (const line of lines) {
      return line.trim() === String(telegramId);
    }
    return false;
  } finally {
    lines.close();
  }
}

async function main([name = 'help', ...rest]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new CommandMistake(`There is no command ${name}. \`nori help\` lists them.`);
  }
  const usage = `Usage: ${['nori', name, ...command.args, ...command.options.map((option) => `[${option}]`)].join(' ')}`;
  const { values, positionals } = parse(rest, command, usage);
  if (positionals.length !== command.args.length) {
    throw new CommandMistake(usage);
  }
  return command.run({
    args: positionals,
    has: (option) => values[option.replace('--', '')] === true,
  });
}

function parse(args: readonly string[], { options }: Command, usage: string) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        options.map((option) => [option.replace('--', ''), { type: 'boolean' } as const]),
      ),
    });
  } catch {
    throw new CommandMistake(usage);
  }
}

try {
  const [, , first, ...rest] = process.argv;
  const isHelp = first === undefined || first === '--help' || first === '-h';
  process.exit(await main(isHelp ? ['help'] : [first, ...rest]));
} catch (error) {
  const isKnown = error instanceof CommandMistake || error instanceof DataFolderInUse;
  const text =
    error instanceof EnvironmentMistake
      ? `Some environment variables are wrong:\n${error.message}`
      : isKnown
        ? error.message
        : `It failed: ${getReason(error)}.`;
  process.stderr.write(`${text}\n`);
  process.exit(exitCodes.cannotRun);
}
