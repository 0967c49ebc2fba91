/** The pictures this device knows of, made and being made: newest first, as rows without their bytes. */
import * as v from 'valibot';

import { recipe } from './recipe.ts';

/** One picture. Seeds and ids are text; times are epoch milliseconds. */
export const generationRecord = v.object({
  ...recipe.entries,
  /** Made here; the server's own id is `remoteId`. */
  id: v.pipe(v.string(), v.nonEmpty()),
  status: v.picklist(['pending', 'completed', 'error']),
  timestamp: v.number(),
  /** Where the server keeps it, when it does; the device's own copy is in the picture store. */
  imageUrl: v.optional(v.string()),
  thumbnailUrl: v.optional(v.string()),
  /** Pixels, when known. */
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  error: v.optional(v.string()),
  tags: v.optional(v.array(v.string()), []),
  /** What made it, such as `sketch` (offline, without AI) or `pixai`. */
  engine: v.optional(v.string()),
  remoteId: v.optional(v.string()),
  /** Whose it is: the Telegram user ID of who was logged in; absent for a guest's. */
  owner: v.optional(v.string()),
  /** What the server knows this wish by; see the contract's `jobKey`. */
  jobKey: v.optional(v.string()),
  /** Deleted by the person, and still to be undone until the time for that is over. */
  deletedAt: v.optional(v.number()),
});
export type GenerationRecord = v.InferOutput<typeof generationRecord>;
