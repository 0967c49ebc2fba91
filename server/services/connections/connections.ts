/** Linked accounts: listing, linking and unlinking them. */
import { setTimeout as sleep } from 'node:timers/promises';

import { connectedServices, type ServiceId, serviceIds } from '#contract/endpoints/connections';
import { type Dependencies } from '#server/app/dependencies';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
  type StoredConnection,
} from '#server/db/connections';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { connectionRules, limits } from '#server/lib/limits';
import { type Caller } from '#server/lib/requester';
import { createSecretBox, type SecretBox } from '#server/lib/secret-box';
import { type Limiter } from '#server/services/limiter';
import {
  defaultTimeoutMs,
  type OAuthService,
  serviceVariables,
} from '#server/upstream/connections/oauth';

import {
  type Confirmations,
  createConfirmations,
  type ConfirmationTools,
  hash,
  type Unconfirmed,
} from './confirmations.ts';
import { requireService, type ServicesByName, type ServiceTokens } from './service-tokens.ts';
import { connectionTexts } from './texts.ts';

type ConnectionState = {
  readonly service: ServiceId;
  readonly state: 'linked' | 'unlinked' | 'unavailable';
  readonly accountName?: string | undefined;
  /** Epoch milliseconds. */
  readonly linkedAt?: number;
  /** When the user has to link again, in epoch milliseconds; undefined when unknown. */
  readonly endsAt?: number | undefined;
  /** The variables that the operator must set. */
  readonly missing: readonly string[];
};

export type Connections = ConnectionAttempts & {
  readonly list: (telegramId: number) => Promise<readonly ConnectionState[]>;
  readonly remove: (telegramId: number, service: ServiceId, caller: Caller) => Promise<void>;
  /** Ends the links of a user that have begun. */
  readonly dropAttempts: (telegramId: number) => Promise<void>;
};

export function createConnectionService(deps: Dependencies, tools: Tools): Connections {
  const stored = createConnectionRepository(deps.database.db);
  const attempts = createConnectionAttemptRepository(deps.database.db);

  async function readState(telegramId: number, service: ServiceId): Promise<ConnectionState> {
    const oauth = tools.services[service];
    if (oauth === undefined) {
      return { service, state: 'unavailable', missing: serviceVariables[service] };
    }
    const found = await stored.find({ telegramId, service });
    if (!found || hasExpired(found, deps.clock())) {
      return { service, state: 'unlinked', missing: [] };
    }
    const { accountName, linkedAt } = found;
    const endsAt = findEnd(oauth, found);
    return { service, state: 'linked', accountName, linkedAt, endsAt, missing: [] };
  }

  return {
    ...createAttempts(deps, tools),

    list: (telegramId) => Promise.all(serviceIds.map((service) => readState(telegramId, service))),

    dropAttempts: (telegramId) => attempts.removeAll({ telegramId }),

    remove: async (telegramId, service, caller) => {
      // Otherwise an attempt in progress would link the account again.
      await attempts.removeAll({ telegramId, service });
      if (await stored.remove({ telegramId, service })) {
        const detail = connectedServices[service].label;
        await tools.accountEvents.record({ kind: 'unlinked', telegramId, caller, detail });
      }
    },
  };
}

/** Whether the token has expired and cannot be renewed. */
function hasExpired({ refreshToken, expiresAt }: StoredConnection, now: number): boolean {
  return refreshToken === undefined && expiresAt !== undefined && expiresAt <= now;
}

/** When the user has to link again, in epoch milliseconds; undefined when the service does not say. */
function findEnd(
  { consentMonths }: OAuthService,
  { refreshToken, expiresAt, linkedAt }: StoredConnection,
): number | undefined {
  if (consentMonths === undefined) {
    return refreshToken === undefined ? expiresAt : undefined;
  }
  const end = new Date(linkedAt);
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + consentMonths);
  if (end.getUTCDate() !== day) {
    // The last day of a shorter month.
    end.setUTCDate(0);
  }
  return end.getTime();
}

const stateBytes = 32;
const verifierBytes = 48;
const pollEveryMs = 200;

/** The query with which a service sends the user back. */
type OAuthReturn = { readonly code: string; readonly state: string };

/** Who opened the page to which the service sent them back. */
type Visitor = { readonly sessionUserId: number | undefined; readonly caller: Caller };

type ConnectionAttempts = Pick<Confirmations, 'confirm'> & {
  /** Returns the address at which the user agrees. `origin` is that of the page. */
  readonly start: (telegramId: number, service: ServiceId, origin: string) => Promise<string>;
  /**
   * Links the account and returns the message for the user. A session must belong to the user who began. Without one
   * nothing is linked before that user confirms it.
   */
  readonly finish: (
    service: ServiceId,
    returned: OAuthReturn,
    visitor: Visitor,
  ) => Promise<string | Unconfirmed>;
};

type Tools = ConfirmationTools & {
  readonly limiter: Limiter;
  readonly services: ServicesByName;
  readonly tokens: ServiceTokens;
};

function createAttempts(deps: Dependencies, tools: Tools): ConnectionAttempts {
  const { env, clock, random } = deps;
  const attempts = createConnectionAttemptRepository(deps.database.db);
  const box = createSecretBox(deriveKeys(env.secretKeys, 'nori connection attempts'), random);
  const confirmations = createConfirmations(deps, tools);
  const exchange = createExchange(deps, { ...tools, box, confirmations });
  /** By service, state and code. */
  const finishing = new Map<string, Promise<string | Unconfirmed>>();

  return {
    confirm: (visit) => confirmations.confirm(visit),

    start: async (telegramId, service, origin) => {
      const oauth = requireService(tools.services, service);
      await tools.limiter.take(limits.connectionAttempts, telegramId);
      const state = random.bytes(stateBytes).toString('base64url');
      const verifier = random.bytes(verifierBytes).toString('base64url');
      const redirectUri = `${env.publicUrl ?? origin}${connectedServices[service].returnPath}`;
      await attempts.add({
        stateHash: hash(state),
        telegramId,
        service,
        verifier: box.seal(verifier, hash(state)),
        redirectUri,
        expiresAt: clock() + connectionRules.attemptLifetimeMs,
      });
      return oauth.authorizeUrl({ state, challenge: hash(verifier), redirectUri });
    },

    finish: async (service, returned, visitor) => {
      requireService(tools.services, service);
      const { sessionUserId } = visitor;
      const attempt = await attempts.find(hash(returned.state), service, clock());
      if (!attempt) {
        throw new AppError('connection_attempt_unknown');
      }
      if (sessionUserId !== undefined && sessionUserId !== attempt.telegram_id) {
        // An attacker may have sent this link, to have the user's account linked to their own.
        throw new AppError('foreign_person', { detail: (say) => say(connectionTexts).foreignLink });
      }
      // A page that is loaded twice at the same time gets the same answer.
      const key = hash(`${service} ${returned.state} ${returned.code}`);
      const running =
        finishing.get(key) ??
        exchange(service, returned, visitor).finally(() => finishing.delete(key));
      finishing.set(key, running);
      return running;
    },
  };
}

type ExchangeTools = Tools & {
  readonly box: SecretBox;
  readonly confirmations: Confirmations;
};

/** Returns the function that claims an attempt and exchanges its code. */
function createExchange(
  { database: { db }, clock, log, serviceTimeoutMs = defaultTimeoutMs }: Dependencies,
  { services, tokens, box, confirmations }: ExchangeTools,
) {
  /** The longest time that an exchange and reading the name take. */
  const maxExchangeMs = 2 * serviceTimeoutMs;
  const attempts = createConnectionAttemptRepository(db);

  /** For a page that was loaded again: waits for the first load, which another server process may handle. */
  async function waitForOther(service: ServiceId, stateHash: string) {
    const deadline = performance.now() + maxExchangeMs;
    let attempt = await attempts.find(stateHash, service, clock());
    while (attempt?.status === 'taken' && performance.now() < deadline) {
      await sleep(pollEveryMs);
      attempt = await attempts.find(stateHash, service, clock());
    }
    return attempt;
  }

  return async (
    service: ServiceId,
    { code, state }: OAuthReturn,
    visitor: Visitor,
  ): Promise<string | Unconfirmed> => {
    const { label } = connectedServices[service];
    const oauth = requireService(services, service);
    const stateHash = hash(state);
    const proofs = confirmations.prove(stateHash, code);
    const attempt = await attempts.take(stateHash, service, clock());
    if (!attempt) {
      const found = await waitForOther(service, stateHash);
      return confirmations.resume({ found, service, stateHash, proofs, ...visitor });
    }
    const verifier = box.open(attempt.verifier, stateHash);
    if (verifier === undefined) {
      throw new AppError('connection_attempt_unknown');
    }
    const connection = { telegramId: attempt.telegram_id, service };
    try {
      const exchanged = await oauth.exchange({ code, verifier, redirectUri: attempt.redirect_uri });
      const answer = {
        ...tokens.seal(exchanged, connection),
        accountName: await oauth.accountName(exchanged.accessToken),
      };
      return await confirmations.settle({ ...connection, stateHash, proofs, answer, ...visitor });
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_key_refused') {
        log.error(`${label} refuses this server. Check the client ID and the secret.`);
      }
      // A state is valid once, also after a failure.
      await attempts.remove(stateHash);
      throw error;
    }
  };
}
