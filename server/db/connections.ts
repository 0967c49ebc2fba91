/** Stores linked accounts and the links that are being made. Tokens come and go encrypted. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

/** Times are epoch milliseconds; tokens are sealed. */
export type StoredConnection = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Absent when the token has no end that we know of. */
  readonly expiresAt: number | undefined;
  readonly accountName: string | undefined;
  readonly linkedAt: number;
};

type Whose = { readonly telegramId: number; readonly service: string };

export function createConnectionRepository(db: Kysely<Tables>) {
  return {
    async find({ telegramId, service }: Whose): Promise<StoredConnection | undefined> {
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

    /** Stores a connection in the place of an earlier one. */
    async put({ telegramId, service }: Whose, connection: StoredConnection): Promise<void> {
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

    /** Puts new tokens in the place of `replaced`; answers false when those are not there any more. */
    async renew(
      { telegramId, service }: Whose,
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

    /** Removes a connection; with `accessToken` only while that is its token. */
    async remove({ telegramId, service }: Whose, accessToken?: string): Promise<void> {
      const found = db
        .deleteFrom('connections')
        .where('telegram_id', '=', telegramId)
        .where('service', '=', service);
      await (
        accessToken === undefined ? found : found.where('access_token', '=', accessToken)
      ).execute();
    },

    /** Removes those that have ended and cannot be renewed. */
    async removeEnded(now: number): Promise<void> {
      await db
        .deleteFrom('connections')
        .where('refresh_token', 'is', null)
        .where('expires_at', '<=', now)
        .execute();
    },
  };
}

type Attempt = Whose & {
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
        .select(['telegram_id', 'status'])
        .where('state_hash', '=', stateHash)
        .where('service', '=', service)
        .where('expires_at', '>', now)
        .executeTakeFirst();
    },

    /** Takes an attempt to exchange its code. Of two at the same time, one gets it. */
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

    async finish(stateHash: string): Promise<void> {
      await db
        .updateTable('connection_attempts')
        .set({ status: 'linked', verifier: '' })
        .where('state_hash', '=', stateHash)
        .execute();
    },

    async remove(stateHash: string): Promise<void> {
      await db.deleteFrom('connection_attempts').where('state_hash', '=', stateHash).execute();
    },

    async removeAllOf({ telegramId, service }: Whose): Promise<void> {
      await db
        .deleteFrom('connection_attempts')
        .where('telegram_id', '=', telegramId)
        .where('service', '=', service)
        .execute();
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('connection_attempts').where('expires_at', '<=', now).execute();
    },
  };
}
