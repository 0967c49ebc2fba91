/** Which of the other services answer that a server is set up with. Nothing is changed, except one object that is removed again. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { access, constants, statfs } from 'node:fs/promises';

import { type Env } from '#server/app/env';
import { type ObjectStore } from '#server/lib/object-store';
import { pixaiRoot } from '#server/upstream/images/pixai';
import { createApi } from '#server/upstream/telegram/calls';

export type Finding = {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly says: string;
  /** What the operator can do. */
  readonly next?: string;
};

export const good = (check: string, says: string): Finding => ({ check, state: 'good', says });
export const warning = (check: string, says: string, next: string): Finding => ({
  check,
  state: 'warning',
  says,
  next,
});
export const bad = (check: string, says: string, next: string): Finding => ({
  check,
  state: 'bad',
  says,
  next,
});

/** How long others may take to answer. */
export const answerMs = 5000;
const minute = 60_000;
const megabyte = 1_000_000;

type Needs = { readonly env: Env; readonly objects: ObjectStore };

export function checkServices(needs: Needs): readonly Promise<readonly Finding[]>[] {
  const { env } = needs;
  return [
    guard('store', () => checkStore(needs)),
    ...(env.natsUrl === undefined ? [] : [guard('nats', () => checkNats(env.natsUrl))]),
    guard('telegram', () => checkTelegram(env)),
    ...listEngines(env).map(([name, url]) => guard(name, () => checkAddress(name, url))),
    guard('address', () => checkPublicUrl(env)),
  ];
}

/** A check that fails is a finding, too. */
export async function guard(
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [bad(check, `It could not be checked: ${getReason(error)}.`, 'See what the line says.')];
  }
}

/** A refused connection is an AggregateError with one error for each IP address. */
export function getReason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return (first instanceof Error ? first.message : String(first)).replace(/\.+$/, '');
}

/** What the name of the object ends with that is stored and removed again. */
export const probeSuffix = '-probe';

async function checkStore({ env, objects }: Needs): Promise<readonly Finding[]> {
  if (env.s3 === undefined) {
    return checkFolder(env);
  }
  const name = `doctor-${randomUUID()}${probeSuffix}`;
  const bytes = Buffer.from(name);
  const isStored = await objects.put(name, bytes).then(
    () => true,
    () => false,
  );
  if (!isStored) {
    return [
      bad(
        'store',
        `The bucket ${env.s3.bucket} does not answer, or refuses to store: the log says which.`,
        'Check S3_ENDPOINT, S3_BUCKET, S3_REGION, both keys, and the clock of this machine.',
      ),
    ];
  }
  const found = await objects.read(name);
  await objects.remove(name);
  if (found?.bytes.equals(bytes) !== true || (await objects.read(name)) !== undefined) {
    return [
      bad(
        'store',
        `The bucket ${env.s3.bucket} does not return what was stored.`,
        'Check S3_ENDPOINT and S3_BUCKET: they must lead to one bucket, without a cache in between.',
      ),
    ];
  }
  return [
    good('store', `The bucket ${env.s3.bucket} stores, returns and removes objects.`),
    await checkClock(env.s3.endpoint),
  ];
}

/** A bucket refuses calls that were signed at another time. */
async function checkClock(endpoint: string): Promise<Finding> {
  const response = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(answerMs) });
  const skewMs = Math.abs(Date.now() - Date.parse(response.headers.get('Date') ?? ''));
  const says = `The clocks of this machine and of the bucket differ by ${Math.round(skewMs / 1000)} s.`;
  return Number.isNaN(skewMs) || skewMs < minute
    ? good('clock', Number.isNaN(skewMs) ? 'The bucket does not say what time it is.' : says)
    : bad('clock', says, 'Set the clock of this machine, for example by NTP.');
}

async function checkFolder({ dataDir, storage }: Env): Promise<readonly Finding[]> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK);
  } catch {
    return [
      bad(
        'store',
        `The data folder ${dataDir} does not exist, or this account may not write to it.`,
        'Check NORI_DATA_DIR and who owns the folder.',
      ),
    ];
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = Math.floor((bavail * bsize) / megabyte);
  return [
    bavail * bsize > storage.free
      ? good('store', `The data folder ${dataDir} can be written, and ${free} MB are free.`)
      : bad(
          'store',
          `Only ${free} MB are free, less than STORAGE_FREE_MB: no picture is made or saved.`,
          'Free space, or set STORAGE_FREE_MB lower.',
        ),
  ];
}

async function checkNats(url = ''): Promise<readonly Finding[]> {
  const connection = await connect({ servers: url, timeout: answerMs, reconnect: false });
  try {
    const manager = await jetstreamManager(connection, { timeout: answerMs });
    const { streams } = await manager.getAccountInfo();
    return [
      good(
        'nats',
        `NATS ${connection.info?.version ?? ''} answers, with JetStream (${streams} streams).`,
      ),
    ];
  } finally {
    await connection.close();
  }
}

async function checkTelegram({
  botToken: token,
  telegramApiRoot: apiRoot,
  botMode,
}: Env): Promise<readonly Finding[]> {
  if (token === undefined) {
    return [
      warning(
        'telegram',
        'There is no bot: codes are printed on the console of the server.',
        'Set BOT_TOKEN to the token that BotFather gives you.',
      ),
    ];
  }
  const api = createApi({ token, apiRoot }, answerMs / 1000);
  // Its errors may hold the token.
  const answer = await Promise.all([api.getMe(), api.getWebhookInfo()]).catch(() => undefined);
  if (answer === undefined) {
    return [
      bad(
        'telegram',
        'The bot does not answer.',
        'Check BOT_TOKEN, TELEGRAM_API_ROOT and the network.',
      ),
    ];
  }
  const [me, hook] = answer;
  const found = [
    good('telegram', `The bot is @${me.username}; ${hook.pending_update_count} updates wait.`),
  ];
  if (!me.supports_inline_queries) {
    found.push(
      warning(
        'telegram',
        'The bot does not hear what is written to it by its name in other chats.',
        'Send /setinline to BotFather, then /setinlinefeedback (100%), and restart.',
      ),
    );
  }
  const isHooked = (hook.url ?? '') !== '';
  if (isHooked !== (botMode === 'webhook')) {
    found.push(
      warning(
        'telegram',
        isHooked
          ? `Telegram sends updates to a webhook, but BOT_MODE is ${botMode}.`
          : 'Telegram sends updates nowhere, but BOT_MODE is webhook.',
        'A server with the role bot sets or removes the webhook when it starts.',
      ),
    );
  }
  const failedAt = hook.last_error_date;
  if (failedAt !== undefined && hook.pending_update_count > 0) {
    found.push(
      warning(
        'telegram',
        `Telegram could not deliver an update at ${new Date(failedAt * 1000).toISOString()}: ${hook.last_error_message}.`,
        'Check that PUBLIC_URL leads to this server from the outside.',
      ),
    );
  }
  return found;
}

function listEngines(env: Env): readonly (readonly [string, string])[] {
  const engines: Readonly<Record<string, string | undefined>> = {
    PIXAI_API_ROOT: env.pixaiApiKey === undefined ? undefined : (env.pixaiApiRoot ?? pixaiRoot),
    A1111_URL: env.a1111Url,
    IMAGINE_API_URL: env.imagine?.apiRoot,
    MIDJOURNEY_PROXY_URL: env.midjourney?.url,
    KUSA_STYLES_URL: env.kusa?.url,
    ENHANCE_URL: env.enhanceUrl,
    SPEECH_URL: env.speech.server?.url,
  };
  return Object.entries(engines).flatMap(([name, url]) =>
    url === undefined ? [] : [[name, url] as const],
  );
}

/** Any answer will do: a request that makes something may cost money. */
async function checkAddress(name: string, url: string): Promise<readonly Finding[]> {
  const { host } = new URL(url);
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => undefined);
  return response === undefined
    ? [bad(name, `${host} does not answer.`, `Check ${name} and the network.`)]
    : [good(name, `${host} answers.`)];
}

async function checkPublicUrl({ publicUrl }: Env): Promise<readonly Finding[]> {
  if (publicUrl === undefined) {
    return [
      warning(
        'address',
        'PUBLIC_URL is not set.',
        'Set it to the address that people open, when there is one.',
      ),
    ];
  }
  const response = await fetch(`${publicUrl}/backend/health`, {
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => undefined);
  return response?.ok === true
    ? [good('address', `A server answers at ${publicUrl}.`)]
    : [
        warning(
          'address',
          `No server answers at ${publicUrl}${response === undefined ? '' : ` (${response.status})`}.`,
          'Start the server; if it runs, check the proxy in front of it.',
        ),
      ];
}
