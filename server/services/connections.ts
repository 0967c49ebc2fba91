/** Linking accounts of other services: one attempt, one state, one exchange; tokens only ever sealed. */
import { createHash } from 'node:crypto';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
} from '#server/db/connections';
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';
import { type Limiter, limits } from '#server/lib/limits';
import { createSecretBox } from '#server/lib/secret-box';

import { connectionTexts } from './connection-texts.ts';
import { configured, type ServicesByName, type ServiceTokens } from './service-tokens.ts';

/** How long a link may take from starting it to coming back. */
const attemptLifetimeMs = 10 * 60_000;
const stateBytes = 32;
const verifierBytes = 48;

type ConnectionState = {
  readonly service: ServiceId;
  readonly state: 'linked' | 'unlinked' | 'unavailable';
  readonly accountName: string | undefined;
  /** Epoch milliseconds. */
  readonly linkedAt: number | undefined;
  readonly missing: readonly string[];
};

export type Connections = {
  readonly list: (telegramId: number) => Promise<readonly ConnectionState[]>;
  /** `origin` is the address at which the person has the app open. Answers where they say yes. */
  readonly start: (telegramId: number, service: ServiceId, origin: string) => Promise<string>;
  /** Answers what to say. Needs no session: the state says whose link this is. */
  readonly finish: (
    service: ServiceId,
    answer: { readonly code: string; readonly state: string },
    origin: string,
  ) => Promise<string>;
  readonly remove: (telegramId: number, service: ServiceId) => Promise<void>;
};

type Needs = {
  readonly limiter: Limiter;
  readonly services: ServicesByName;
  readonly tokens: ServiceTokens;
};

const serviceIds = ['spotify', 'anilist'] as const satisfies readonly ServiceId[];

export function createConnections(
  { env, database: { db }, clock, random }: Dependencies,
  { limiter, services, tokens }: Needs,
): Connections {
  const stored = createConnectionRepository(db);
  const attempts = createConnectionAttemptRepository(db);
  const box = createSecretBox({ secretKey: env.secretKey, random }, 'connection attempts');
  const redirectUri = (service: ServiceId, origin: string) =>
    `${env.publicUrl ?? origin}${connectedServices[service].returnPath}`;

  return {
    list: (telegramId) =>
      Promise.all(
        serviceIds.map(async (service) => {
          const connection = await stored.find({ telegramId, service });
          const isSetUp = services[service] !== undefined;
          return {
            service,
            state: isSetUp ? (connection ? 'linked' : 'unlinked') : 'unavailable',
            accountName: connection?.accountName,
            linkedAt: connection?.linkedAt,
            missing: isSetUp ? [] : connectionTexts.variables[service],
          };
        }),
      ),

    start: async (telegramId, service, origin) => {
      const oauth = configured(services, service);
      await limiter.take(limits.connectionAttempts, telegramId);
      const state = random.bytes(stateBytes).toString('base64url');
      const verifier = random.bytes(verifierBytes).toString('base64url');
      await attempts.add({
        stateHash: hashOf(state),
        telegramId,
        service,
        verifier: box.seal(verifier, hashOf(state)),
        expiresAt: clock() + attemptLifetimeMs,
      });
      return oauth.authorizeUrl({
        state,
        challenge: createHash('sha256').update(verifier).digest('base64url'),
        redirectUri: redirectUri(service, origin),
      });
    },

    finish: async (service, { code, state }, origin) => {
      const oauth = configured(services, service);
      const stateHash = hashOf(state);
      const attempt = await attempts.take(stateHash, service, clock());
      if (!attempt) {
        // A page that was loaded twice: the first one has done the work.
        const earlier = await attempts.find(stateHash, service, clock());
        if (earlier?.status === 'linked') {
          return connectionTexts.alreadyLinked(connectedServices[service].label);
        }
        throw new AppError('connection_attempt_unknown');
      }
      const verifier = box.open(attempt.verifier, stateHash);
      if (verifier === undefined) {
        throw new AppError('connection_attempt_unknown');
      }
      const exchanged = await oauth.exchange({
        code,
        verifier,
        redirectUri: redirectUri(service, origin),
      });
      const telegramId = attempt.telegram_id;
      const whose = { telegramId, service };
      await stored.put(whose, {
        ...tokens.seal(exchanged, whose),
        accountName: await oauth.accountName(exchanged.accessToken),
        linkedAt: clock(),
      });
      await attempts.finish(stateHash);
      return connectionTexts.linked(connectedServices[service].label);
    },

    remove: (telegramId, service) => stored.remove({ telegramId, service }),
  };
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}
