/** The export of all that is stored about the user: a ZIP with their pictures and `nori.json`. */
import * as v from 'valibot';

import { endpoint, noAnswer, noInput } from './endpoint.ts';

/** The capability of a server that has these calls. */
export const accountExport = 'auth.export';

/** Begins to make one, in the background, in the place of an earlier one. `by_bot`: the bot sends it to the user, too. */
export const startExport = endpoint({
  method: 'POST',
  path: '/auth/export',
  input: v.object({ by_bot: v.optional(v.boolean(), false) }),
  output: noAnswer,
  status: 204,
});

const exportStates = ['none', 'waiting', 'ready', 'failed'] as const;

/** What became of the last one. It is deleted at `expires_at`. */
export const readExport = endpoint({
  method: 'GET',
  path: '/auth/export',
  input: noInput,
  output: v.object({
    state: v.picklist(exportStates),
    /** ISO 8601 UTC, as is `expires_at`. */
    created_at: v.optional(v.string()),
    expires_at: v.optional(v.string()),
    bytes: v.optional(v.number()),
    /** Where the file is; it needs no session. */
    url: v.optional(v.string()),
    /** Whether the bot sends it. */
    by_bot: v.optional(v.picklist(['no', 'pending', 'sent']), 'no'),
  }),
});
export type ExportState = v.InferOutput<typeof readExport.output>;
