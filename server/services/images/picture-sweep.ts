/** Removes files without a row: of deleted accounts, and of a server that died in between. */
import { type Database } from '#server/db/client';
import { createPictureRepository } from '#server/db/pictures';
import { type ObjectStore } from '#server/lib/object-store';

/** Other files of the store are swept by those who put them there; leftovers of a write have more behind it. */
const ofPicture = /-(?:original|thumbnail)(?:\..*)?$/;
/** One question can name only so many. */
const batchSize = 500;

/** Looks only at files from before a time (epoch milliseconds): younger ones may still get their row. */
export async function sweepPictures(
  { db }: Database,
  store: ObjectStore,
  before: number,
): Promise<void> {
  const stored = createPictureRepository(db);
  const files = (await store.listBefore(before)).filter((name) => ofPicture.test(name));
  for (let at = 0; at < files.length; at += batchSize) {
    const batch = files.slice(at, at + batchSize);
    // In portions, so that the database has time for others in between.
    const known = await stored.known(batch.map(idOf));
    await Promise.all(
      batch.filter((name) => !known.has(idOf(name))).map((name) => store.remove(name)),
    );
  }
}

function idOf(name: string): string {
  return name.replace(ofPicture, '');
}
