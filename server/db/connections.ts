/** Stores linked accounts and attempts to link one. All tokens are encrypted. */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

import { type Tables } from './tables.ts';

/** Times are epoch milliseconds. */
export type StoredConnection = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Undefined when the service does not say. */
  readonly expiresAt: number | undefined;
  readonly accountName: string | undefined;
  readonly linkedAt: number;
};

type ConnectionKey = { readonly telegramId: number; readonly service: string };

export function createConnectionRepository(db: Kysely<Tables>) {
  return {
    async find({ telegramId, service }: ConnectionKey): Promise<StoredConnection | undefined> {
      const row = await db
        .selectFrom('connections')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .where('service', '=', service)
        .executeTakeFirst();
      return (
        row && {
          accessToken: row.access_token,
          refreshToken: row.refresh_token ?? undefined,
          expiresAt: row.expires_at ?? undefined,
          accountName: row.account_name ?? undefined,
          linkedAt: row.linked_at,
        }
      );
    },

    /** Replaces an earlier connection. */
    async put({ telegramId, service }: ConnectionKey, connection: StoredConnection): Promise<void> {
      const fresh = {
        access_token: connection.accessToken,
        refresh_token: connection.refreshToken ?? null,
        expires_at: connection.expiresAt ?? null,
        account_name: connection.accountName ?? null,
        linked_at: connection.linkedAt,
      };
      await db
        .insertInto('connections')
        .values({ ...fresh, telegram_id: telegramId, service })
        .onConflict((conflict) => conflict.columns(['telegram_id', 'service']).doUpdateSet(fresh))
        .execute();
    },

    /** Replaces tokens. Returns false when `replaced` is not the stored access token. */
    async renew(
      { telegramId, service }: ConnectionKey,
      replaced: string,
      fresh: Pick<StoredConnection, 'accessToken' | 'refreshToken' | 'expiresAt'>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('connections')
        .set({
          access_token: fresh.accessToken,
          refresh_token: fresh.refreshToken ?? null,
          expires_at: fresh.expiresAt ?? null,
        })
        .where('telegram_id', '=', telegramId)
        .where('service', '=', service)
        .where('access_token', '=', replaced)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** With `accessToken`, removes the connection only if it has that token. Returns whether there was one. */
    async remove({ telegramId, service }: ConnectionKey, accessToken?: string): Promise<boolean> {
      const found = db
        .deleteFrom('connections')
        .where('telegram_id', '=', telegramId)
        .where('service', '=', service);
      const { numDeletedRows } = await (
        accessToken === undefined ? found : found.where('access_token', '=', accessToken)
      ).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Removes connections that have expired and cannot be renewed. */
    async removeExpired(now: number): Promise<void> {
      await db
        .deleteFrom('connections')
        .where('refresh_token', 'is', null)
        .where('expires_at', '<=', now)
        .execute();
    },
  };
}

type Seals = Pick<StoredConnection, 'accessToken' | 'refreshToken'>;

type SealedConnection = Seals & { readonly connection: ConnectionKey };

/** Those of which a token does not begin with `prefix`, which says what key has sealed it. */
const isSealedOtherwise = (prefix: string) => (eb: ExpressionBuilder<Tables, 'connections'>) =>
  eb.or([
    eb('access_token', 'not like', `${prefix}%`),
    // No condition is true of null.
    eb('refresh_token', 'not like', `${prefix}%`),
  ]);

/** The tokens of connections as they are stored, for a new key of the server. */
export function createSealRepository(db: Kysely<Tables>) {
  return {
    /** In the order of their keys, those after `after`. */
    async listSealedOtherwise(
      prefix: string,
      max: number,
      after: ConnectionKey = { telegramId: 0, service: '' },
    ): Promise<readonly SealedConnection[]> {
      const rows = await db
        .selectFrom('connections')
        .select(['telegram_id', 'service', 'access_token', 'refresh_token'])
        .where(
          sql<boolean>`(telegram_id, service) > (cast(${after.telegramId} as bigint), ${after.service})`,
        )
        .where(isSealedOtherwise(prefix))
        .orderBy('telegram_id')
        .orderBy('service')
        .limit(max)
        .execute();
      return rows.map((row) => ({
        connection: { telegramId: row.telegram_id, service: row.service },
        accessToken: row.access_token,
        refreshToken: row.refresh_token ?? undefined,
      }));
    },

    async countSealedOtherwise(prefix: string): Promise<number> {
      const { count } = await db
        .selectFrom('connections')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(isSealedOtherwise(prefix))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Does nothing when the tokens are no longer those of `replaced`. */
    async replaceSeals(
      { telegramId, service }: ConnectionKey,
      replaced: Seals,
      fresh: Seals,
    ): Promise<void> {
      await db
        .updateTable('connections')
        .set({ access_token: fresh.accessToken, refresh_token: fresh.refreshToken ?? null })
        .where('telegram_id', '=', telegramId)
        .where('service', '=', service)
        .where('access_token', '=', replaced.accessToken)
        .execute();
    },
  };
}

type Attempt = ConnectionKey & {
  readonly stateHash: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
};

export function createConnectionAttemptRepository(db: Kysely<Tables>) {
  return {
    async add({ telegramId, service, ...attempt }: Attempt): Promise<void> {
      await db
        .insertInto('connection_attempts')
        .values({
          state_hash: attempt.stateHash,
          telegram_id: telegramId,
          service,
          verifier: attempt.verifier,
          redirect_uri: attempt.redirectUri,
          status: 'pending',
          expires_at: attempt.expiresAt,
        })
        .execute();
    },

    async find(stateHash: string, service: string, now: number) {
      return db
        .selectFrom('connection_attempts')
        .select(['telegram_id', 'status', 'answer'])
        .where('state_hash', '=', stateHash)
        .where('service', '=', service)
        .where('expires_at', '>', now)
        .executeTakeFirst();
    },

    /** Claims an attempt, so that its code is exchanged once. Undefined when it is claimed already. */
    async take(stateHash: string, service: string, now: number) {
      return db
        .updateTable('connection_attempts')
        .set({ status: 'taken' })
        .where('state_hash', '=', stateHash)
        .where('service', '=', service)
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .returning(['telegram_id', 'verifier', 'redirect_uri'])
        .executeTakeFirst();
    },

    /** Of two calls at the same time, one returns true; none does when the attempt is gone. */
    async finish(stateHash: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('connection_attempts')
        .set({ status: 'linked', verifier: '', answer: null })
        .where('state_hash', '=', stateHash)
        .where('status', 'in', ['taken', 'unconfirmed'])
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async remove(stateHash: string): Promise<void> {
      await db.deleteFrom('connection_attempts').where('state_hash', '=', stateHash).execute();
    },

    /** Those of all services when none is named. */
    async removeAll({
      telegramId,
      service,
    }: Pick<ConnectionKey, 'telegramId'> & { readonly service?: string }): Promise<void> {
      const found = db.deleteFrom('connection_attempts').where('telegram_id', '=', telegramId);
      await (service === undefined ? found : found.where('service', '=', service)).execute();
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('connection_attempts').where('expires_at', '<=', now).execute();
    },
  };
}

/** Attempts that the user has yet to confirm. */
export function createUnconfirmedRepository(db: Kysely<Tables>) {
  return {
    /** Keeps what the service has answered until the user confirms it. Returns false when the attempt is gone. */
    async hold(stateHash: string, held: { answer: string; expiresAt: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('connection_attempts')
        .set({
          status: 'unconfirmed',
          verifier: '',
          answer: held.answer,
          expires_at: held.expiresAt,
        })
        .where('state_hash', '=', stateHash)
        .where('status', '=', 'taken')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Removes an attempt whose code was tried too often. Returns whether it was removed. */
    async removeLocked(stateHash: string, maxTries: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('connection_attempts')
        .where('state_hash', '=', stateHash)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('otps')
              .select('id')
              .where('purpose', '=', 'connection')
              .where('subject', '=', stateHash)
              .where('tries', '>=', maxTries),
          ),
        )
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
