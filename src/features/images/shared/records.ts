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
  /** All of them, where one wish makes several pictures; the first is the `imageUrl`. */
  imageUrls: v.optional(v.array(v.string())),
  thumbnailUrl: v.optional(v.string()),
  /** Pixels, when known. */
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  error: v.optional(v.string()),
  /** Of a failed one: the server was out of reach, and may have made the picture all the same. */
  isUndecided: v.optional(v.boolean()),
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

/** The id on this device of what the server keeps. */
export function savedId(remoteId: string): string {
  return `saved-${remoteId}`;
}

/** Between a record's id and the number of a picture that is not its first. */
const separator = '~';

/** The id of one of a record's pictures; the first has the record's own. */
export function pictureId(recordId: string, index: number): string {
  return index === 0 ? recordId : `${recordId}${separator}${index}`;
}

/** Whose picture that is. */
export function getRecordId(id: string): string {
  return id.split(separator, 1)[0] ?? id;
}

/** Which of its record's pictures that is, counted from 0. */
export function getPictureIndex(id: string): number {
  return Number(id.split(separator, 2)[1] ?? 0);
}

/** A record as one record for each of its pictures, to be shown and saved one by one. */
export function toPictures(record: GenerationRecord): readonly GenerationRecord[] {
  const { id, imageUrls = [] } = record;
  const others = imageUrls.slice(1).map((imageUrl, index) =>
    Object.assign({}, record, {
      id: pictureId(id, index + 1),
      imageUrl,
      thumbnailUrl: undefined,
    }),
  );
  return [record, ...others];
}
