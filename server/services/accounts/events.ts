/**
 * What happens to accounts: in the user's list, in the log of security events, and as messages of the bot. The log names
 * users by a keyed hash, so that it holds no ID of a deleted account.
 */
import { createHmac, hkdfSync, randomUUID } from 'node:crypto';

import { type AccountEventKind, accountEventKinds } from '#contract/endpoints/account-events';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountEventRepository } from '#server/db/account-events';
import { accountEventRules } from '#server/lib/limits';
import { type Caller, getAddressPrefix } from '#server/lib/requester';

import { nameDevice } from './sessions.ts';

/** What only the log of security events has. */
type LoggedKind =
  | AccountEventKind
  | 'account_deleted'
  | 'login_locked'
  | 'code_locked'
  | 'launch_refused'
  | 'foreign_access';

export type AccountEvent = {
  readonly kind: LoggedKind;
  /** Whom it is about. */
  readonly telegramId: number;
  readonly caller: Caller;
  /** The way of a login, the name of a passkey or of a service. */
  readonly detail?: string;
};

export type AccountEvents = ReturnType<typeof createAccountEvents>;

const listed: ReadonlySet<string> = new Set(accountEventKinds);
const isListed = (kind: LoggedKind): kind is AccountEventKind => listed.has(kind);

export function createAccountEvents({ database, clock, env, securityLog, log }: Dependencies) {
  const events = createAccountEventRepository(database.db);
  const key = Buffer.from(hkdfSync('sha256', env.secretKey, '', 'nori log subjects', 32));

  /** Failed logins of an hour are one row, so that a stranger cannot fill the list. */
  const toId = ({ kind, telegramId }: AccountEvent, at: number) =>
    kind === 'login_failed'
      ? `${telegramId}.failed.${Math.floor(at / accountEventRules.failuresTogetherMs)}`
      : randomUUID();

  /** How the log names a user. */
  const toSubject = (telegramId: number): string =>
    createHmac('sha256', key).update(String(telegramId)).digest('hex').slice(0, 16);

  return {
    toSubject,

    /** Logs the event and adds it to the user's list. Never rejects: what was done stays done without it. */
    async record(event: AccountEvent): Promise<void> {
      const { kind, telegramId, caller, detail = '' } = event;
      const addressPrefix = getAddressPrefix(caller.address);
      securityLog.info(
        { event: kind, subject: toSubject(telegramId), from: addressPrefix, detail },
        'security',
      );
      if (!isListed(kind)) {
        return;
      }
      const at = clock();
      try {
        await events.add({
          id: toId(event, at),
          telegram_id: telegramId,
          at,
          kind,
          device: nameDevice(caller.userAgent),
          address_prefix: addressPrefix,
          detail,
        });
      } catch (error) {
        log.error({ err: error }, 'Could not save an event of an account');
      }
    },

    /** The newest first. */
    list: (telegramId: number) => events.list(telegramId, accountEventRules.maxListed),
  };
}
