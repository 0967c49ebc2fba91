/** The tokens of linked accounts: stored encrypted, and renewed when they expire. */
import { setTimeout as sleep } from 'node:timers/promises';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { type Dependencies } from '#server/app/dependencies';
import {
  createConnectionRepository,
  createSealRepository,
  type StoredConnection,
} from '#server/db/connections';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { createSecretBox, type SecretBox } from '#server/lib/secret-box';
import { type OAuthService, type Tokens } from '#server/upstream/connections/oauth';

import { connectionTexts } from './texts.ts';

/** A token is renewed when it expires within this time. */
const renewBeforeMs = 60_000;
/** Another server process has stored its new tokens after this time. */
const settleMs = 1000;

type ConnectionKey = { readonly telegramId: number; readonly service: ServiceId };
type SealedTokens = Pick<StoredConnection, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** Undefined for services that the operator has not set up. */
export type ServicesByName = Readonly<Record<ServiceId, OAuthService | undefined>>;

export type ServiceTokens = {
  readonly seal: (tokens: Tokens, connection: ConnectionKey) => SealedTokens;
  /**
   * Returns a valid access token, renewed if necessary. `refused` is a token that the service has
   * refused; it is not returned. Throws `not_linked`, and `connection_lost` when the user has ended
   * the link at the service.
   */
  readonly read: (connection: ConnectionKey, refused?: string) => Promise<string>;
};

/** Throws `service_not_set_up`. */
export function requireService(services: ServicesByName, service: ServiceId): OAuthService {
  const found = services[service];
  if (!found) {
    const { label } = connectedServices[service];
    throw new AppError('service_not_set_up', {
      detail: (say) => say(connectionTexts).notSetUp(label),
    });
  }
  return found;
}

function toText({
  telegramId,
  service,
}: {
  readonly telegramId: number;
  readonly service: string;
}): string {
  return `${telegramId}/${service}`;
}

type BoxNeeds = Pick<Dependencies, 'env' | 'random'>;

function createTokenBox({ env, random }: BoxNeeds): SecretBox {
  return createSecretBox(deriveKeys(env.secretKeys, 'nori connections'), random);
}

/** Connections that are read at once. */
const batchSize = 200;

/**
 * Seals all tokens with the first key that other keys have sealed, so that those are no longer needed. Can be broken off
 * and repeated at any time.
 */
export async function sealTokensAnew({
  database: { db },
  ...needs
}: BoxNeeds & Pick<Dependencies, 'database'>): Promise<void> {
  const { prefix, open, seal } = createTokenBox(needs);
  const stored = createSealRepository(db);
  const sealAnew = (text: string | undefined, context: string) => {
    const opened = text === undefined ? undefined : open(text, context);
    return opened === undefined ? text : seal(opened, context);
  };
  let batch = await stored.listSealedOtherwise(prefix, batchSize);
  while (batch.length > 0) {
    for (const { connection, ...tokens } of batch) {
      const context = toText(connection);
      await stored.replaceSeals(connection, tokens, {
        accessToken: sealAnew(tokens.accessToken, context) ?? tokens.accessToken,
        refreshToken: sealAnew(tokens.refreshToken, context),
      });
    }
    const last = batch.at(-1)?.connection;
    batch = await stored.listSealedOtherwise(prefix, batchSize, last);
  }
}

/** How many connections need another key than the first. */
export function countOtherwiseSealed({
  database: { db },
  ...needs
}: BoxNeeds & Pick<Dependencies, 'database'>): Promise<number> {
  return createSealRepository(db).countSealedOtherwise(createTokenBox(needs).prefix);
}

type Renewal = {
  readonly connection: ConnectionKey;
  readonly known: StoredConnection;
  readonly refreshToken: string;
  readonly fresh: SealedTokens;
};

/** Returns a function that stores renewed tokens; false when the user has unlinked the account, or linked another. */
function createTokenWriter(stored: ReturnType<typeof createConnectionRepository>, box: SecretBox) {
  return async ({ connection, known, refreshToken, fresh }: Renewal): Promise<boolean> => {
    if (await stored.renew(connection, known.accessToken, fresh)) {
      return true;
    }
    // Another key may have sealed the same tokens meanwhile; the service has given the new ones only once.
    const current = await stored.find(connection);
    return (
      current?.refreshToken !== undefined &&
      box.open(current.refreshToken, toText(connection)) === refreshToken &&
      stored.renew(connection, current.accessToken, fresh)
    );
  };
}

export function createServiceTokens(
  { env, database: { db, engine }, clock, random }: Dependencies,
  services: ServicesByName,
): ServiceTokens {
  const stored = createConnectionRepository(db);
  const box = createTokenBox({ env, random });
  const write = createTokenWriter(stored, box);
  const renewing = new Map<string, Promise<string>>();

  function seal(
    { accessToken, refreshToken, lifetimeS }: Tokens,
    connection: ConnectionKey,
  ): SealedTokens {
    return {
      accessToken: box.seal(accessToken, toText(connection)),
      refreshToken:
        refreshToken === undefined ? undefined : box.seal(refreshToken, toText(connection)),
      expiresAt: lifetimeS === undefined ? undefined : clock() + lifetimeS * 1000,
    };
  }

  async function renew(connection: ConnectionKey): Promise<string> {
    const known = await stored.find(connection);
    const refreshToken = known?.refreshToken && box.open(known.refreshToken, toText(connection));
    const { refresh } = requireService(services, connection.service);
    if (!known || !refreshToken || !refresh) {
      return dropConnection(connection, known);
    }
    try {
      const fresh = await refresh(refreshToken);
      // Some services send a new refresh token each time, others do not.
      const next = { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
      if (await write({ connection, known, refreshToken, fresh: seal(next, connection) })) {
        return fresh.accessToken;
      }
      // Unlinked or linked again meanwhile.
      throw new AppError('connection_lost');
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'connection_lost')) {
        throw error;
      }
      return dropConnection(connection, known);
    }
  }

  /** Removes an ended connection, and returns the token of a newer one, if there is one. Throws `connection_lost`. */
  async function dropConnection(
    connection: ConnectionKey,
    known: StoredConnection | undefined,
  ): Promise<string> {
    if (known) {
      if (engine === 'postgres') {
        // Another server process may have used the refresh token, and may be storing the next one.
        await sleep(settleMs);
      }
      await stored.remove(connection, known.accessToken);
    }
    const current = await stored.find(connection);
    const token = current && box.open(current.accessToken, toText(connection));
    if (token === undefined) {
      throw new AppError('connection_lost');
    }
    return token;
  }

  /** Simultaneous calls share one renewal, because a refresh token may be valid only once. */
  function renewOnce(connection: ConnectionKey): Promise<string> {
    const key = toText(connection);
    const running = renewing.get(key) ?? renew(connection).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  }

  return {
    seal,

    read: async (connection, refused) => {
      requireService(services, connection.service);
      const known = await stored.find(connection);
      if (!known) {
        const { label } = connectedServices[connection.service];
        throw new AppError('not_linked', {
          detail: (say) => say(connectionTexts).notLinked(label),
        });
      }
      const isOld = known.expiresAt !== undefined && known.expiresAt - renewBeforeMs <= clock();
      const token = box.open(known.accessToken, toText(connection));
      return isOld || token === undefined || token === refused ? renewOnce(connection) : token;
    },
  };
}
