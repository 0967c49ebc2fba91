/** What happened to the user's account in the last 90 days. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

export const accountEventKinds = [
  'account_created',
  'login',
  'login_failed',
  'session_ended',
  'sessions_ended',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'linked',
  'unlinked',
  'export',
] as const;

export type AccountEventKind = (typeof accountEventKinds)[number];

/** The capability of a server that has this call. */
export const accountEvents = 'auth.events';

/**
 * The newest first. `detail` is the way of a login (`password`, `telegram`, `passkey`, `code`), the name of a passkey or
 * of a service, or empty. `times` is above 1 where several are one row, such as failed logins of an hour.
 */
export const listAccountEvents = endpoint({
  method: 'GET',
  path: '/auth/events',
  input: noInput,
  output: v.object({
    events: v.array(
      v.object({
        id: v.string(),
        /** ISO 8601 UTC. */
        at: v.string(),
        /** Kinds that this client does not know are left out. */
        kind: v.fallback(v.optional(v.picklist(accountEventKinds)), undefined),
        device: v.string(),
        /** The same in the caller's language. */
        device_translated: v.optional(v.string()),
        /** The first part of the network address, such as `203.0.113.*`; empty when unknown. */
        address: v.optional(v.string(), ''),
        detail: v.optional(v.string(), ''),
        times: v.optional(v.number(), 1),
      }),
    ),
  }),
});
