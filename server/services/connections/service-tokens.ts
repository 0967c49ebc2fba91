/** The tokens of linked accounts: sealed in the database, renewed when they end, and nowhere else. */
import { setTimeout as sleep } from 'node:timers/promises';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { type Dependencies } from '#server/app/dependencies';
import { createConnectionRepository, type StoredConnection } from '#server/db/connections';
import { AppError } from '#server/lib/errors';
import { createSecretBox } from '#server/lib/secret-box';
import {
  type OAuthService,
  serviceVariables,
  type Tokens,
} from '#server/upstream/connections/oauth';

import { connectionTexts } from './texts.ts';

/** A token that ends this soon is as good as ended. */
const renewBeforeMs = 60_000;
/** Longer than it takes to write a row. */
const settleMs = 1000;

type Whose = { readonly telegramId: number; readonly service: ServiceId };
type SealedTokens = Pick<StoredConnection, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** Undefined where whoever runs the server has not set a service up. */
export type ServicesByName = Readonly<Record<ServiceId, OAuthService | undefined>>;

export type ServiceTokens = {
  readonly seal: (tokens: Tokens, whose: Whose) => SealedTokens;
  /**
   * A token that works, renewed if need be. `refused` is one that the service does not take: another
   * one is answered. Throws `not_linked`, and `connection_lost` when the person has taken the link
   * back at the service.
   */
  readonly read: (whose: Whose, refused?: string) => Promise<string>;
};

/** The service, or a refusal that says what sets it up. */
export function configured(services: ServicesByName, service: ServiceId): OAuthService {
  const found = services[service];
  if (!found) {
    const { label } = connectedServices[service];
    throw new AppError('service_not_set_up', {
      detail: connectionTexts.notSetUp(label, serviceVariables[service]),
    });
  }
  return found;
}

function keyOf({ telegramId, service }: Whose): string {
  return `${telegramId}/${service}`;
}

export function createServiceTokens(
  { env, database: { db, engine }, clock, random }: Dependencies,
  services: ServicesByName,
): ServiceTokens {
  const stored = createConnectionRepository(db);
  const box = createSecretBox({ secretKey: env.secretKey, random }, 'connections');
  const renewing = new Map<string, Promise<string>>();

  function seal({ accessToken, refreshToken, lifetimeS }: Tokens, whose: Whose): SealedTokens {
    return {
      accessToken: box.seal(accessToken, keyOf(whose)),
      refreshToken: refreshToken === undefined ? undefined : box.seal(refreshToken, keyOf(whose)),
      expiresAt: lifetimeS === undefined ? undefined : clock() + lifetimeS * 1000,
    };
  }

  async function renew(whose: Whose): Promise<string> {
    const known = await stored.find(whose);
    const refreshToken = known?.refreshToken && box.open(known.refreshToken, keyOf(whose));
    const { refresh } = configured(services, whose.service);
    if (!known || !refreshToken || !refresh) {
      return lose(whose, known);
    }
    try {
      const fresh = await refresh(refreshToken);
      // Some services keep the refresh token, others give the next one each time.
      const next = { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
      if (await stored.renew(whose, known.accessToken, seal(next, whose))) {
        return fresh.accessToken;
      }
      // Unlinked, or linked anew, while the service was asked.
      throw new AppError('connection_lost');
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'connection_lost')) {
        throw error;
      }
      return lose(whose, known);
    }
  }

  /** Forgets a connection that is good no more, unless another has come in its place meanwhile. */
  async function lose(whose: Whose, known: StoredConnection | undefined): Promise<string> {
    if (known) {
      if (engine === 'postgres') {
        // Another server may have used the refresh token first, and be about to write the next one.
        await sleep(settleMs);
      }
      await stored.remove(whose, known.accessToken);
    }
    const current = await stored.find(whose);
    const token = current && box.open(current.accessToken, keyOf(whose));
    if (token === undefined) {
      throw new AppError('connection_lost');
    }
    return token;
  }

  /** Of several at once one renews: a refresh token may be good only once. */
  function renewOnce(whose: Whose): Promise<string> {
    const key = keyOf(whose);
    const running = renewing.get(key) ?? renew(whose).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  }

  return {
    seal,

    read: async (whose, refused) => {
      configured(services, whose.service);
      const known = await stored.find(whose);
      if (!known) {
        const { label } = connectedServices[whose.service];
        throw new AppError('not_linked', { detail: connectionTexts.notLinked(label) });
      }
      const isOld = known.expiresAt !== undefined && known.expiresAt - renewBeforeMs <= clock();
      const token = box.open(known.accessToken, keyOf(whose));
      return isOld || token === undefined || token === refused ? renewOnce(whose) : token;
    },
  };
}
