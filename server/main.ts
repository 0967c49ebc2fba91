/** Starts the server: reads the environment, opens the database, listens, and stops on a signal. */
import { type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createApp } from '#server/app/app';
import { type Dependencies } from '#server/app/dependencies';
import { type Env, EnvironmentMistake, readEnv } from '#server/app/env';
import { textModules } from '#server/app/text-modules';
import { listen } from '#server/http/listen';
import { trackRequests } from '#server/http/requests';
import { loadStaticSite } from '#server/http/static-site';
import { connectTelegramBot } from '#server/upstream/telegram/bot';
import { connectChatActions } from '#server/upstream/telegram/chat-actions';
import { connectTelegram } from '#server/upstream/telegram/telegram';

import { runBot } from './bot/bot.ts';
import { type Database, openDatabase, DataFolderInUse, migrate } from './db/client.ts';
import { openLanguages } from './lib/languages.ts';
import { createLog, createSecurityLog } from './lib/log.ts';
import { createDiskStore } from './lib/object-store.ts';
import { createPasswordHasher } from './lib/password-hasher.ts';
import { secureRandom } from './lib/random.ts';
import { startMaintenance } from './services/maintenance.ts';
import { openKeptKeys } from './services/key-rotation.ts';
import { createServices } from './services/services.ts';

/** How long requests under way may take to finish after a signal to stop. */
const graceMs = 10_000;

/** Prints a line for the operator; the log goes to standard error. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints why the server cannot run, and exits. */
function giveUp(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function prepareDatabase(env: Env): Promise<Database> {
  try {
    const database = openDatabase({
      dataDir: env.dataDir,
      url: env.databaseUrl,
      directUrl: env.databaseDirectUrl,
      connections: env.databaseConnections,
    });
    await migrate(database);
    return database;
  } catch (error) {
    if (error instanceof DataFolderInUse) {
      return giveUp(error.message);
    }
    const place =
      env.databaseUrl === undefined
        ? `in the data folder ${env.dataDir}`
        : 'at the address of DATABASE_URL';
    return giveUp(`The database ${place} cannot be opened: ${getReason(error)}`);
  }
}

/** A refused connection is an AggregateError with one error for each IP address. */
function getReason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
}

function readEnvironment(): Env {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (error instanceof EnvironmentMistake) {
      giveUp(`Some environment variables are wrong:\n${error.message}`);
    }
    throw error;
  }
}

async function start(): Promise<void> {
  const env = readEnvironment();
  const log = createLog(env.logLevel);
  const [database, site] = await Promise.all([
    prepareDatabase(env),
    loadStaticSite(resolve(import.meta.dirname, '../dist'), env.publicUrl),
  ]);
  const deps: Dependencies = {
    env,
    database,
    objects: createDiskStore(join(env.dataDir, 'pictures')),
    ...connectBot(env),
    clock: Date.now,
    random: secureRandom,
    keptKeys: await openKeptKeys({ env, database, random: secureRandom, clock: Date.now, log }),
    hasher: createPasswordHasher(),
    log,
    securityLog: createSecurityLog(),
    languages: openLanguages({
      folder: resolve(import.meta.dirname, '../locales'),
      modules: textModules,
      limitTo: env.languages,
      log,
    }),
    deliver: (telegramId, { text, code }) => {
      say(
        code === undefined
          ? `demo: no bot connected — message for ${telegramId}: ${text.replaceAll(/\s+/g, ' ')}`
          : `demo: no bot connected — one-time password for ${telegramId}: ${code}`,
      );
    },
    ...(site === undefined ? {} : { site }),
  };

  const services = createServices(deps);
  await services.generationJobs.resume();
  services.generationJobs.watch();
  await services.exports.watch();
  const stopMaintenance = startMaintenance(deps);
  const bot = runBot(deps, services, { say });
  const { fetch, settled } = trackRequests(createApp(deps, services, bot?.webhook).fetch);
  const server = listen({
    fetch,
    port: env.port,
    host: env.host,
    onListening: ({ port }) => {
      welcome(env, { port, isBuilt: site !== undefined });
      void introduceBot(deps);
      bot?.start();
    },
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    giveUp(
      error.code === 'EADDRINUSE'
        ? `Port ${env.port} is already in use. Stop what uses it, or set PORT to another one.`
        : `The server cannot listen at ${env.host}:${env.port}: ${error.message}`,
    );
  });

  let isStopping = false;
  const stop = (): void => {
    if (isStopping) {
      return;
    }
    isStopping = true;
    say('Stopping: requests under way are finished first.');
    stopMaintenance();
    // Jobs that take longer are continued after the next start.
    const jobsStopped = Promise.all([services.generationJobs.stop(), services.exports.stop()]);
    const botStopped = bot?.stop();
    const streamsEnded = services.chatStreams.stop();
    void close(server)
      .then(() => Promise.race([settled(), sleep(graceMs, undefined, { ref: false })]))
      .then(services.accountEvents.settled)
      .then(() => Promise.all([jobsStopped, botStopped, streamsEnded]))
      .then(() => database.close())
      .then(() => say('Stopped.'))
      .catch((error: unknown) => giveUp(`Could not stop cleanly: ${getReason(error)}`));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function connectBot({ botToken: token, telegramApiRoot: apiRoot }: Env) {
  return token === undefined
    ? { telegram: undefined }
    : {
        telegram: connectTelegram({ token, apiRoot }),
        telegramBot: connectTelegramBot({ token, apiRoot }),
        chatActions: connectChatActions({ token, apiRoot }),
      };
}

/** Tells the operator where the server runs and what is missing. */
function welcome(env: Env, { port, isBuilt }: { port: number; isBuilt: boolean }): void {
  const host = env.host === '0.0.0.0' || env.host === '::' ? 'localhost' : env.host;
  say(`Nori is running. Open ${env.publicUrl ?? `http://${host}:${port}`}`);
  if (!isBuilt) {
    say('The site is not built, so only the API answers. `npm run build` builds it.');
  }
  if (env.publicUrl !== undefined && env.trustedProxies.max === 0) {
    say(
      'Everybody who comes through a proxy or tunnel counts as one address. Set TRUST_PROXY=1 if it runs on this machine, or to its address.',
    );
  }
  if (env.botToken === undefined) {
    say('demo: no bot connected. One-time passwords are printed here; set BOT_TOKEN to send them.');
  } else if (env.botMode === 'off') {
    say('The bot only sends messages. Set BOT_MODE=polling, and it deletes what chats block.');
  }
}

/** Prints the name of the bot, or that Telegram does not answer, before the first code is needed. */
async function introduceBot({ telegram }: Dependencies): Promise<void> {
  try {
    const username = await telegram?.username();
    if (username !== undefined) {
      say(`The bot is @${username}.`);
    }
  } catch {
    say(
      'The bot does not answer. Check BOT_TOKEN and the network: until then no code can be sent.',
    );
  }
}

/** Resolves when the last request is answered, or after the grace time. */
function close(server: Server): Promise<void> {
  return new Promise((done) => {
    // A kept-alive connection counts as open until it is closed.
    const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(closeIdle);
      clearTimeout(force);
      done();
    });
  });
}

await start();
