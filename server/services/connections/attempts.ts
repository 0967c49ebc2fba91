/** Links that are being made: one state, good once and for ten minutes, and one exchange of its code. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { type Dependencies } from '#server/app/dependencies';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
} from '#server/db/connections';
import { AppError } from '#server/lib/errors';
import { connectionRules, limits } from '#server/lib/limits';
import { createSecretBox } from '#server/lib/secret-box';
import { type Limiter } from '#server/services/limiter';
import { usualTimeoutMs } from '#server/upstream/connections/oauth';

import { configured, type ServicesByName, type ServiceTokens } from './service-tokens.ts';
import { connectionTexts } from './texts.ts';

const stateBytes = 32;
const verifierBytes = 48;
const lookEveryMs = 200;

/** What a service sends people back with. */
type WayBack = { readonly code: string; readonly state: string };

export type ConnectionAttempts = {
  /** `origin` is the address at which the person has the app open. Answers where they say yes. */
  readonly start: (telegramId: number, service: ServiceId, origin: string) => Promise<string>;
  /**
   * Answers what to say. Needs no session, as the state says whose link this is; `askerId` is who is
   * logged in where the person came back, if anybody, and must be the same.
   */
  readonly finish: (
    service: ServiceId,
    wayBack: WayBack,
    askerId: number | undefined,
  ) => Promise<string>;
};

export type AttemptNeeds = {
  readonly limiter: Limiter;
  readonly services: ServicesByName;
  readonly tokens: ServiceTokens;
};

export function createConnectionAttempts(
  { env, database: { db }, clock, random, serviceTimeoutMs = usualTimeoutMs }: Dependencies,
  { limiter, services, tokens }: AttemptNeeds,
): ConnectionAttempts {
  /** Milliseconds that an exchange takes at most, the name of the account included. */
  const patienceMs = 2 * serviceTimeoutMs;
  const stored = createConnectionRepository(db);
  const attempts = createConnectionAttemptRepository(db);
  const box = createSecretBox({ secretKey: env.secretKey, random }, 'connection attempts');
  /** Links that are being finished right now, by state and code. */
  const finishing = new Map<string, Promise<string>>();

  /** Exchanges the code for the one page that gets the attempt. */
  async function finishOnce(service: ServiceId, { code, state }: WayBack): Promise<string> {
    const oauth = configured(services, service);
    const stateHash = hashOf(state);
    const attempt = await attempts.take(stateHash, service, clock());
    if (!attempt) {
      return whenTaken(service, stateHash);
    }
    const verifier = box.open(attempt.verifier, stateHash);
    if (verifier === undefined) {
      throw new AppError('connection_attempt_unknown');
    }
    const whose = { telegramId: attempt.telegram_id, service };
    try {
      const exchanged = await oauth.exchange({ code, verifier, redirectUri: attempt.redirect_uri });
      await stored.put(whose, {
        ...tokens.seal(exchanged, whose),
        accountName: await oauth.accountName(exchanged.accessToken),
        linkedAt: clock(),
      });
    } catch (error) {
      // A state is good once, whatever comes of it.
      await attempts.remove(stateHash);
      throw error;
    }
    await attempts.finish(stateHash);
    return connectionTexts.linked(connectedServices[service].label);
  }

  /**
   * A page that was loaded again: the first time has done the work, or has failed. Another server on
   * the same database may be at it still.
   */
  async function whenTaken(service: ServiceId, stateHash: string): Promise<string> {
    const deadline = performance.now() + patienceMs;
    let attempt = await attempts.find(stateHash, service, clock());
    while (attempt?.status === 'taken' && performance.now() < deadline) {
      // One look after the other is the point.
      await sleep(lookEveryMs);
      attempt = await attempts.find(stateHash, service, clock());
    }
    if (attempt?.status !== 'linked') {
      throw new AppError('connection_attempt_unknown');
    }
    return connectionTexts.alreadyLinked(connectedServices[service].label);
  }

  return {
    start: async (telegramId, service, origin) => {
      const oauth = configured(services, service);
      await limiter.take(limits.connectionAttempts, telegramId);
      const state = random.bytes(stateBytes).toString('base64url');
      const verifier = random.bytes(verifierBytes).toString('base64url');
      const redirectUri = `${env.publicUrl ?? origin}${connectedServices[service].returnPath}`;
      await attempts.add({
        stateHash: hashOf(state),
        telegramId,
        service,
        verifier: box.seal(verifier, hashOf(state)),
        redirectUri,
        expiresAt: clock() + connectionRules.attemptLifetimeMs,
      });
      return oauth.authorizeUrl({ state, challenge: hashOf(verifier), redirectUri });
    },

    finish: async (service, wayBack, askerId) => {
      configured(services, service);
      const attempt = await attempts.find(hashOf(wayBack.state), service, clock());
      if (!attempt) {
        throw new AppError('connection_attempt_unknown');
      }
      if (askerId !== undefined && askerId !== attempt.telegram_id) {
        // Somebody may have sent this link to a person whose account they want to have as theirs.
        throw new AppError('foreign_person', { detail: connectionTexts.foreignLink });
      }
      // A page that is loaded twice at the same time hears the same.
      const key = hashOf(`${service} ${wayBack.state} ${wayBack.code}`);
      const running =
        finishing.get(key) ?? finishOnce(service, wayBack).finally(() => finishing.delete(key));
      finishing.set(key, running);
      return running;
    },
  };
}

/** S256, for states that are looked up and verifiers that are challenged. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
