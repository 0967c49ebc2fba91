/** Tells a database that does not work just now from a statement that it will never take. */
import { DatabaseError } from 'pg';
import * as v from 'valibot';

/** https://sqlite.org/rescode.html: busy, locked, out of memory, read-only, disk trouble, disk full, cannot be opened, in another's lock. */
const sqliteTroubles: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14, 15]);

/**
 * Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: connection, a
 * transaction that collided with another, resources, an operator, the system, a standby that takes no writes.
 */
const postgresTroubles = /^(?:08|40|53|55|57|58|25006)/;

/** What the driver says itself when a connection is lost or cannot be had. */
const lostConnection =
  /timeout exceeded when trying to connect|connection terminated|connection error and is not queryable/i;

const sqliteError = v.object({ code: v.literal('ERR_SQLITE_ERROR'), errcode: v.number() });
const networkError = v.object({
  code: v.picklist([
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
  ]),
});

/** Whether the same may work later. Calls of other servers never throw what looks like it: see `upstream`. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    return postgresTroubles.test(error.code ?? '');
  }
  if (v.is(sqliteError, error)) {
    // The lowest byte is the kind, the others say more about it.
    return sqliteTroubles.has(error.errcode % 256);
  }
  return (
    v.is(networkError, error) || (error instanceof Error && lostConnection.test(error.message))
  );
}
