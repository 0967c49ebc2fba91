/** Whether an error of the database may be gone at the next try. */
import { DatabaseError } from 'pg';
import * as v from 'valibot';

/** https://sqlite.org/rescode.html: busy, locked, out of memory, read-only, I/O error, disk full, cannot open, lock protocol. */
const sqliteCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14, 15]);

/**
 * Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: connection
 * failures, transaction conflicts, resources, operator intervention, system errors, a read-only standby, a
 * transaction that was open for too long.
 */
const postgresCodes = /^(?:08|40|53|55|57|58|25006|25P03)/;

/** Messages of the driver itself, for a lost connection or none. */
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

/** PostgreSQL is reached by a socket of this machine, and is being started again. */
const noSocket = v.object({ code: v.literal('ENOENT'), syscall: v.literal('connect') });

/** Whether the same statement may work later. Calls of other servers throw no errors of these shapes: see `server/upstream`. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    return postgresCodes.test(error.code ?? '');
  }
  if (v.is(sqliteError, error)) {
    // The lowest byte is the primary code.
    return sqliteCodes.has(error.errcode % 256);
  }
  return (
    v.is(networkError, error) ||
    v.is(noSocket, error) ||
    (error instanceof Error && lostConnection.test(error.message))
  );
}
