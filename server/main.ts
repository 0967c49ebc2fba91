/** Starts the server: reads the environment, opens the database, listens, and stops on a signal. */
import { type Server } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createApp, createProbeApp } from '#server/app/app';
import { type Dependencies } from '#server/app/dependencies';
import { type Env, EnvironmentMistake, readEnv } from '#server/app/env';
import { allRoles } from '#server/app/env-values';
import { openOwnDatabase, openOwnDependencies, openOwnStore } from '#server/app/own-dependencies';
import { startTelemetry } from '#server/app/telemetry';
import { listen } from '#server/http/listen';
import { trackRequests } from '#server/http/requests';
import { loadStaticSite } from '#server/http/static-site';
import { connectTelegramBot } from '#server/upstream/telegram/bot';
import { connectChatActions } from '#server/upstream/telegram/chat-actions';
import { connectTelegram } from '#server/upstream/telegram/telegram';

import { runBot } from './bot/bot.ts';
import { type Database, DataFolderInUse, migrate } from './db/client.ts';
import { createLog } from './lib/log.ts';
import { watchStore } from './lib/object-store.ts';
import { startMaintenance } from './services/maintenance.ts';
import { createServices, type Services } from './services/services.ts';

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
    const database = openOwnDatabase(env);
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

function loadSite({ publicUrl, s3 }: Env) {
  return loadStaticSite(resolve(import.meta.dirname, '../dist'), publicUrl, s3?.publicEndpoint);
}

async function start(): Promise<void> {
  const env = readEnvironment();
  const log = createLog(env.logLevel);
  const isWeb = env.roles.has('web');
  const [database, site] = await Promise.all([
    prepareDatabase(env),
    isWeb ? loadSite(env) : undefined,
  ]);
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const deps: Dependencies = {
    ...(await openOwnDependencies({ env, database, log })),
    objects: watchStore(openOwnStore(env, log)),
    ...connectBot(env),
    deliver: (telegramId, { text, code }) => {
      say(
        code === undefined
          ? `demo: no bot connected — message for ${telegramId}: ${text.replaceAll(/\s+/g, ' ')}`
          : `demo: no bot connected — one-time password for ${telegramId}: ${code}`,
      );
    },
    ...(site === undefined ? {} : { site }),
    isStopping,
  };

  const telemetry = await startTelemetry(deps, say).catch((error: unknown) =>
    giveUp(`The metrics cannot be served at the port ${env.metricsPort}: ${getReason(error)}`),
  );
  const services = createServices(deps);
  const stopWorker = await startWorker(deps, services);
  const bot = runBot(deps, services, { say });
  const app = isWeb ? createApp(deps, services, bot?.webhook) : createProbeApp(deps);
  const { fetch, settled } = trackRequests(app.fetch);
  const server = listen({
    fetch,
    port: env.port,
    host: env.host,
    isStopping,
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

  async function stop(drained: Promise<void>): Promise<void> {
    await drained;
    say('Stopping: requests under way are finished first.');
    // Jobs that take longer are continued by another process, or after the next start.
    const jobsStopped = stopWorker();
    const botStopped = bot?.stop();
    const streamsEnded = services.chatStreams.stop();
    await close(server);
    await Promise.race([settled(), sleep(graceMs, undefined, { ref: false })]);
    await services.accountEvents.settled();
    await Promise.all([jobsStopped, botStopped, streamsEnded]);
    await services.chatEvents.stop();
    await telemetry.stop();
    await database.close();
  }

  onSignal(stopping, () => {
    const drained = drain(isWeb ? env.drainMs : 0, services);
    stop(drained.done).then(
      () => say('Stopped.'),
      (error: unknown) => giveUp(`Could not stop cleanly: ${getReason(error)}`),
    );
    return drained.skip;
  });
}

/** Makes pictures and exports, and removes old data, where that is a role of this process. Returns how it stops. */
async function startWorker(
  deps: Dependencies,
  services: Services,
): Promise<() => Promise<unknown>> {
  const { generationJobs, exports } = services;
  const stopJobs = () => Promise.all([generationJobs.stop(), exports.stop()]);
  if (!deps.env.roles.has('worker')) {
    return stopJobs;
  }
  await generationJobs.resume();
  generationJobs.watch();
  await exports.watch();
  const stopMaintenance = startMaintenance(deps);
  return () => {
    stopMaintenance();
    return stopJobs();
  };
}

/** Calls `stop` at the first signal; what it returns is called at the second. */
function onSignal(stopping: AbortController, stop: () => () => void): void {
  let skip: (() => void) | undefined;
  const hear = (): void => {
    if (stopping.signal.aborted) {
      skip?.();
      return;
    }
    stopping.abort();
    skip = stop();
  };
  process.on('SIGTERM', hear);
  process.on('SIGINT', hear);
}

/**
 * Goes on answering while `/readyz` already says no, until balancers have noticed. Pages that follow a chat connect
 * anew after half of the time: before, they could come back to this process.
 */
function drain(drainMs: number, { chatStreams }: Pick<Services, 'chatStreams'>) {
  const skipping = new AbortController();
  const pause = () => sleep(drainMs / 2, undefined, skipping).catch(() => undefined);
  const run = async (): Promise<void> => {
    if (drainMs > 0) {
      say(
        `Requests are answered for ${drainMs / 1000} more seconds. A second signal ends the wait.`,
      );
      await pause();
      void chatStreams.stop();
      await pause();
    }
  };
  return { done: run(), skip: () => skipping.abort() };
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
  const here = `http://${host}:${port}`;
  const roles = env.roles.size < allRoles.length ? ` as ${[...env.roles].join(' and ')}` : '';
  if (!env.roles.has('web')) {
    say(`Nori is running${roles}. It answers ${here}/livez and ${here}/readyz only.`);
    return;
  }
  say(`Nori is running${roles}. Open ${env.publicUrl ?? here}`);
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
