/** Exchanges a service's code: once on a device, in however many tabs the callback page is opened. */
import * as v from 'valibot';

import {
  confirmConnection,
  connectedServices,
  finishAniList,
  finishSpotify,
  type ServiceId,
} from '#contract/endpoints/connections';
import { ApiError, call, errorText } from '#lib/api';
import { tellOtherTabs } from '#lib/other-tabs';
import { storedValue } from '#lib/storage';

import { callbackTexts as texts } from './texts.ts';

export const resultSchema = v.variant('kind', [
  v.object({ kind: v.literal('linked') }),
  v.object({ kind: v.literal('failed'), message: v.string() }),
]);
type Result = v.InferOutput<typeof resultSchema>;

/** The server has sent the user who began a code, with which this page links the account. */
export const unconfirmedSchema = v.object({
  kind: v.literal('unconfirmed'),
  id: v.string(),
  state: v.string(),
  confirmation: v.string(),
  telegramUser: v.string(),
});
export type Unconfirmed = v.InferOutput<typeof unconfirmedSchema>;

/** The query with which a service sends the user back. */
type Code = { readonly code: string; readonly state: string };

const running = new Map<string, Promise<Result | Unconfirmed | undefined>>();

/**
 * Exchanges a code, or returns the result that this or another tab has had for it: many backends refuse a
 * code that was used, though the account is linked. Resolves to undefined when the server did not answer;
 * another call then tries again. Not a query, because the end of a session clears queries and must not stop it.
 */
export function exchangeOnce(
  service: ServiceId,
  code: Code,
): Promise<Result | Unconfirmed | undefined> {
  const id = hash(`${service} ${code.state} ${code.code}`);
  const exchange = async () => readResult(id) ?? exchangeCode(service, { ...code, id });
  const result =
    running.get(id) ?? runAlone(`callback_${id}`, exchange).finally(() => running.delete(id));
  running.set(id, result);
  return result;
}

/** Newest first. A code is named by its hash only. */
const storedResults = storedValue(
  'nori_callback_results',
  v.array(v.object({ id: v.string(), result: resultSchema })),
);
const maxResults = 10;

/** The result that this device has had. */
export function readResult(id: string): Result | undefined {
  return storedResults.read()?.find((stored) => stored.id === id)?.result;
}

function storeResult(id: string, result: Result): Result {
  storedResults.write([{ id, result }, ...(storedResults.read() ?? [])].slice(0, maxResults));
  return result;
}

async function exchangeCode(
  service: ServiceId,
  { id, code, state }: Code & { readonly id: string },
): Promise<Result | Unconfirmed | undefined> {
  try {
    const endpoint = service === 'spotify' ? finishSpotify : finishAniList;
    const answer = await call(endpoint, { code, state });
    if ('needs_code' in answer) {
      const { confirmation, telegram_user: telegramUser } = answer;
      return { kind: 'unconfirmed', id, state, confirmation, telegramUser };
    }
    tellOtherTabs('connections');
    return storeResult(id, { kind: 'linked' });
  } catch (error) {
    const { code: reason, status } =
      error instanceof ApiError ? error : { code: 'unreadable', status: 0 };
    if (reason === 'no_response') {
      return undefined;
    }
    const { label } = connectedServices[service];
    const failed = {
      kind: 'failed',
      message: errorText(error, texts.notCompleted(label)),
    } as const;
    // A server that is busy or broken may have left the code unused.
    const isFinal = status >= 400 && status < 500 && status !== 429;
    return isFinal ? storeResult(id, failed) : failed;
  }
}

/** A refused code; the next one may be right. */
type Problem = { readonly kind: 'problem'; readonly message: string; readonly isWrong: boolean };

/** Links the account with the code that the bot has sent. */
export async function confirm(
  service: ServiceId,
  { id, state, confirmation }: Unconfirmed,
  code: string,
): Promise<Result | Problem> {
  // Another tab may have linked it.
  const known = readResult(id);
  if (known) {
    return known;
  }
  try {
    await call(confirmConnection, { service, state, confirmation, otp_code: code });
    tellOtherTabs('connections');
    return storeResult(id, { kind: 'linked' });
  } catch (error) {
    const message = errorText(error, texts.notCompleted(connectedServices[service].label));
    const reason = error instanceof ApiError ? error.code : '';
    return reason === 'connection_attempt_unknown'
      ? storeResult(id, { kind: 'failed', message })
      : { kind: 'problem', message, isWrong: reason === 'invalid_code' };
  }
}

/** A short name for a text that must not be stored. Not a cipher: it only has to differ and to hide. */
function hash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  return `${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`;
}

/** Runs the work while no other tab runs work of this name. The work must not reject. */
async function runAlone<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  // Missing in old web views, and on pages without HTTPS.
  const locks: LockManager | null | undefined = navigator.locks;
  return locks ? locks.request(`nori_${name}`, work) : runWithClaim(name, work);
}

/** How often a tab renews its claim, and how often the others look. */
const beatMs = 250;
/** The tab of a claim of this age was closed. Hidden tabs may be as slow as one beat a second. */
const staleMs = 5000;
/** Two tabs that claim at the same moment see each other's claim after this time; the last one counts. */
const settleMs = 50;

async function runWithClaim<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const claim = storedValue(`nori_${name}`, v.object({ owner: v.string(), at: v.number() }));
  const owner = Math.random().toString(36);
  const write = () => claim.write({ owner, at: Date.now() });

  while (claim.read()?.owner !== owner) {
    const at = claim.read()?.at ?? 0;
    const isFree = Math.abs(Date.now() - at) > staleMs;
    if (isFree) {
      write();
    }
    await sleep(isFree ? settleMs : beatMs);
  }
  const beat = setInterval(write, beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    claim.write(undefined);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
