/** Files of pictures: saved ones with a small copy, those of jobs, and signed links to both. */
import { type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';

import { pictureLimits } from '#contract/images/limits';
import { type Dependencies } from '#server/app/dependencies';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import {
  createBinRepository,
  createPictureRepository,
  type StoredPicture,
} from '#server/db/generations';
import { addLooseObjects, claimObjects, removeLooseObjects } from '#server/db/loose-objects';
import { type Tables } from '#server/db/tables';
import { type ByteRange } from '#server/lib/byte-range';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { createDaySignatures } from '#server/lib/day-signatures';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { binRules, looseRules } from '#server/lib/limits';
import { type Draft, type ObjectStore } from '#server/lib/object-store';
import { stripMetadata } from '#server/lib/picture-metadata';
import { detectPictureType, type PictureType } from '#server/lib/picture-type';

import { createFormats, formats, makeThumbnail, open, reencodedQuality } from './formats.ts';
import { type PictureStorage } from './storage.ts';
import { pictureTexts } from './texts.ts';

const variants = ['original', 'thumbnail'] as const;
export type Variant = (typeof variants)[number];
export const fileVariants = [...variants, 'made'] as const;

/** A file of a saved picture, or what a job has made. */
export type PictureFileId = {
  readonly id: string;
  readonly variant: (typeof fileVariants)[number];
};

/** What is made of a saved picture when it is asked for: a JPEG for Telegram, a small one, and a story of 1080 × 1920. */
export const renditions = ['photo', 'preview', 'story'] as const;
export type RenditionId = {
  readonly id: string;
  readonly variant: (typeof renditions)[number];
};

export type MediaLinks = {
  /** Returns a link that is valid for one to two days: to this server, or straight to where the file is stored. */
  readonly sign: (file: PictureFileId) => string;
  /** The same for what is not stored. */
  readonly signRendition: (rendition: RenditionId) => string;
  /** Whether a link to this server is valid. */
  readonly isValid: (
    file: PictureFileId | RenditionId,
    link: { readonly expires: string | undefined; readonly signature: string | undefined },
  ) => boolean;
  /** What a link straight to a file leads to. Throws `link_expired`; undefined for another address. */
  readonly readStraight: (url: URL) => PictureFileId | undefined;
};

/**
 * Links to private files that need no token, because an `<img>` cannot send one. Links to this server are absolute if the
 * public address is known.
 */
export function createMediaLinks({
  env,
  clock,
  objects,
}: Pick<Dependencies, 'env' | 'clock' | 'objects'>): MediaLinks {
  const signatures = createDaySignatures(deriveKeys(env.secretKeys, 'nori media links'), clock);
  const signHere = (file: PictureFileId | RenditionId) => {
    const path = toPath(file);
    const { expires, signature } = signatures.sign(path);
    return `${env.publicUrl ?? ''}/backend${path}?expires=${expires}&signature=${signature}`;
  };

  return {
    sign: (file) => objects.links?.sign(toObjectName(file)) ?? signHere(file),
    signRendition: signHere,
    isValid: (file, link) => signatures.isValid(toPath(file), link),
    readStraight: (url) => {
      const found = objects.links?.read(url);
      const file = found && parseObjectName(found.name);
      if (file && !found.isValid) {
        throw new AppError('link_expired');
      }
      return file;
    },
  };
}

const toPath = ({ id, variant }: PictureFileId | RenditionId) => `/media/${id}/${variant}`;

const jobSuffix = '-job';

function toObjectName({ id, variant }: PictureFileId): string {
  return variant === 'made' ? `${id}${jobSuffix}` : `${id}-${variant}`;
}

function parseObjectName(name: string): PictureFileId | undefined {
  const at = name.lastIndexOf('-');
  const variant = fileVariants.find(
    (one) => toObjectName({ id: '', variant: one }) === name.slice(at),
  );
  return variant && { id: name.slice(0, at), variant };
}

/** Each may need 130 MB of memory, and uploads wait for the disk and the network rather than for it. */
const maxDecoders = 1;
/** How long the memory of a decoder is kept for the next picture. */
const idleMs = 60_000;

// No picture is decoded twice, and libvips knows what it has decoded by its place in memory, which is used again.
sharp.cache(false);
const idBytes = 18;

const thumbnailType: string = 'image/webp' satisfies PictureType;

/** The bytes of a picture: in memory, or in the store already. */
export type PictureFile = Pick<Draft, 'size' | 'read' | 'keep'> & {
  /** It comes from an engine, and is stored as it is. Everything else may hold what its user does not know of. */
  readonly isMade?: true;
};

export type Pictures = ReturnType<typeof createPictures>;

export function createPictures(
  {
    database,
    env,
    clock,
    log,
    random,
  }: Pick<Dependencies, 'database' | 'env' | 'clock' | 'log' | 'random'>,
  {
    store,
    links,
    storage,
  }: {
    readonly store: ObjectStore;
    readonly links: MediaLinks;
    readonly storage: PictureStorage;
  },
) {
  const { db } = database;
  const stored = createPictureRepository(db);
  const bin = createBinRepository(db);
  const decoders = createDecoders();
  const room = { count: pictureLimits.perUser, bytes: env.storage.perUser };
  const { removeFiles, storeFiles, writeDraft } = createFileKeeper({ database, store, log, clock });

  return {
    /**
     * Stores the files of a picture, which is not saved before `add` and `claimFiles`. Throws `picture_unreadable`,
     * `picture_too_large`, `too_many_pictures`, `storage_quota`, `storage_full` or `busy`.
     */
    async put(file: PictureFile, telegramId: number): Promise<StoredPicture> {
      if ((await stored.count(telegramId)) >= pictureLimits.perUser) {
        throw new AppError('too_many_pictures');
      }
      const type = detectPictureType(await file.read(Buffer.alloc(typeBytes)));
      if (type === undefined) {
        // No decoder has seen it, and no picture had to wait for it.
        throw new AppError('picture_unreadable');
      }
      const { draft, thumbnail, ...facts } = await decoders.use(async (memory) => {
        const { clean, ...inspected } = await inspect(file, type, memory);
        const bytes = (clean?.length ?? file.size()) + inspected.thumbnail.length;
        await storage.requireSpaceFor(telegramId, bytes);
        return { ...inspected, bytes, draft: clean && (await writeDraft(clean)) };
      });
      try {
        // Others may decode meanwhile, as a bucket can take long.
        const id = random.bytes(idBytes).toString('base64url');
        await storeFiles(id, draft ?? file, thumbnail);
        return { id, telegramId, type, ...facts, createdAt: clock() };
      } finally {
        await draft?.discard();
      }
    },

    /**
     * Inside the transaction of what the picture belongs to. Throws `too_many_pictures` or `storage_quota`, and
     * `unauthenticated` when the account was deleted meanwhile.
     */
    async add(tx: Kysely<Tables>, picture: StoredPicture): Promise<void> {
      throwIfNoRoom(await createPictureRepository(tx).add(picture, room));
    },

    /**
     * Inside the transaction of what the pictures belong to, when it is sure to be written. Throws `busy` when the files
     * were removed, because that took too long.
     */
    claimFiles: (tx: Kysely<Tables>, ids: readonly string[]) =>
      claimObjects(tx, ids.flatMap(pictureObjects)),

    /** Removes files that no row holds. */
    removeFiles,

    /** A picture that an engine has made. */
    fromBytes: (bytes: Buffer): PictureFile => ({
      isMade: true,
      size: () => bytes.length,
      read: () => Promise.resolve(bytes),
      keep: (name) => store.put(name, bytes),
    }),

    getLink: (id: string, variant: Variant) => links.sign({ id, variant }),

    /** Whether there is such a picture, and it is not in the bin. */
    has: async (id: string): Promise<boolean> => (await stored.find(id)) !== undefined,

    /** Undefined when there is no such picture. */
    async read(id: string, variant: Variant, range?: (size: number) => ByteRange | undefined) {
      const known = await stored.find(id);
      const found = known && (await store.read(toObjectName({ id, variant }), range));
      return found && { ...found, type: variant === 'original' ? known.type : thumbnailType };
    },

    ...createFormats(decoders.use),

    /** Hides pictures, which can be restored for a while. */
    moveToBin: (ids: readonly string[]) => bin.add(ids, clock()),

    /**
     * Returns false when they were deleted too long ago. Throws `too_many_pictures` or `storage_quota`
     * when the user has saved others in their place.
     */
    async restore(telegramId: number, ids: readonly string[]): Promise<boolean> {
      const outcome = await bin.restore({
        telegramId,
        ids,
        after: clock() - binRules.restorableMs,
        max: room,
      });
      throwIfNoRoom(outcome);
      return outcome === 'restored';
    },

    /** Removes pictures for good, with their generations, and the jobs that made them. */
    async remove(ids: readonly string[]): Promise<void> {
      const loose = await db.transaction().execute(async (tx) => {
        const made = await createGenerationJobRepository(tx).removeSaved({ pictureIds: ids });
        await createPictureRepository(tx).remove(ids);
        return letGo(tx, [...made.map(jobObject), ...ids.flatMap(pictureObjects)], clock());
      });
      await removeLooseObjects({ database, objects: store }, loose);
    },
  };
}

/**
 * Only as many pictures are in memory as are decoded, always in the same memory: the collector and the allocator are slow
 * to give back as much as pictures take. `work` may keep nothing of it.
 */
function createDecoders() {
  const semaphore = createKeyedSemaphore(maxDecoders);
  let free: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;

  return {
    use: async <Result>(work: (memory: Buffer) => Promise<Result>): Promise<Result> => {
      const leave = await semaphore.acquire('decoder');
      clearTimeout(timer);
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(pictureLimits.bytes);
      try {
        return await work(memory);
      } finally {
        free.push(memory);
        timer = setTimeout(() => {
          free = [];
        }, idleMs).unref();
        leave();
      }
    },
  };
}

type FileKeeperNeeds = Pick<Dependencies, 'database' | 'log' | 'clock'> & {
  readonly store: ObjectStore;
};

function createFileKeeper({ database, store, log, clock }: FileKeeperNeeds) {
  return {
    removeFiles: (ids: readonly string[]) =>
      removeLooseObjects({ database, objects: store }, ids.flatMap(pictureObjects)),

    /** The bytes leave the memory before they are stored. */
    writeDraft: async (bytes: Buffer): Promise<Draft> => {
      try {
        const draft = await store.open();
        await draft.write(bytes).catch(async (error: unknown) => {
          await draft.discard();
          throw error;
        });
        return draft;
      } catch (error) {
        throw toStorageRefusal(error, log);
      }
    },

    /** What it has stored when it throws is removed later, unless `removeFiles` is called. */
    storeFiles: async (
      id: string,
      file: Pick<PictureFile, 'keep'>,
      thumbnail: Buffer,
    ): Promise<void> => {
      const names = pictureObjects(id);
      const [original = '', small = ''] = names;
      await addLooseObjects(database.db, names, clock() + looseRules.claimableMs);
      try {
        await file.keep(original);
        await store.put(small, thumbnail);
      } catch (error) {
        await removeLooseObjects({ database, objects: store }, names);
        throw toStorageRefusal(error, log);
      }
    },
  };
}

/** A store that does not answer is `busy`; else the disk is full, or a permission is missing: the log has the real reason. */
export function toStorageRefusal(
  error: unknown,
  log: Pick<Dependencies['log'], 'error'>,
): AppError {
  if (error instanceof AppError) {
    return error;
  }
  log.error({ err: error }, 'Could not store a picture');
  return new AppError('storage_full');
}

function throwIfNoRoom(outcome: string): void {
  if (outcome === 'no account') {
    throw new AppError('unauthenticated');
  }
  if (outcome === 'too many' || outcome === 'too large') {
    throw new AppError(outcome === 'too many' ? 'too_many_pictures' : 'storage_quota');
  }
}

/** The objects of a saved picture. */
export const pictureObjects = (id: string) =>
  variants.map((variant) => toObjectName({ id, variant }));

/** The object of what a job has made. */
export const jobObject = (id: string) => toObjectName({ id, variant: 'made' });

/** Inside the transaction that removes the rows that hold these objects. Returns them, to be removed after it. */
async function letGo(
  tx: Kysely<Tables>,
  names: readonly string[],
  now: number,
): Promise<readonly string[]> {
  await addLooseObjects(tx, names, now);
  return names;
}

type Inspected = {
  /** As browsers show it. */
  readonly width: number;
  readonly height: number;
  readonly thumbnail: Buffer;
  /** What is stored instead of the file; undefined when the file is stored as it is. */
  readonly clean: Buffer | undefined;
};

/** Checks a picture by its header and by decoding it, cleans it, and makes its small copy. */
async function inspect(file: PictureFile, type: PictureType, memory: Buffer): Promise<Inspected> {
  if (file.size() > pictureLimits.bytes) {
    throw new AppError('picture_too_large');
  }
  try {
    const source = await readSource(file, type, memory);
    const { width, height } = await readSize(source.bytes, type);
    return { width, height, ...(await decode(source, type)) };
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('picture_unreadable');
  }
}

type Source = {
  readonly bytes: Buffer;
  /** `made`: by an engine. `plain`: nothing was removed. `stripped`: the rest. `broken`: it could not be taken apart. */
  readonly state: 'made' | 'plain' | 'stripped' | 'broken';
};

/** Strips a file before libvips sees it: what is removed cannot attack it either. */
async function readSource(file: PictureFile, type: PictureType, memory: Buffer): Promise<Source> {
  const bytes = await file.read(memory);
  if (file.isMade) {
    return { bytes, state: 'made' };
  }
  const stripped = stripMetadata(bytes, type);
  const state =
    stripped === undefined ? 'broken' : stripped === bytes ? 'plain' : ('stripped' as const);
  return { bytes: stripped ?? bytes, state };
}

/** Reads the header only: a picture of 30,000 × 30,000 pixels must be refused before it is decoded. */
async function readSize(bytes: Buffer, type: PictureType) {
  const { format, width, height, autoOrient } = await sharp(bytes, {
    limitInputPixels: false,
  }).metadata();
  if (`image/${format}` !== type) {
    throw new AppError('picture_unreadable');
  }
  const { side, pixels } = pictureLimits;
  if (width > side || height > side || width * height > pixels) {
    throw new AppError('picture_too_large', {
      detail: (say) => say(pictureTexts).tooLarge(width, height, side),
    });
  }
  return autoOrient;
}

/** A user's file that is not quite in order, so that something may hide in it, is encoded anew from its pixels. */
async function decode(
  { bytes, state }: Source,
  type: PictureType,
): Promise<Pick<Inspected, 'thumbnail' | 'clean'>> {
  if (state === 'made') {
    return { thumbnail: await makeThumbnail(bytes, 'error'), clean: undefined };
  }
  if (state !== 'broken') {
    const thumbnail = await makeThumbnail(bytes, 'warning').catch(() => undefined);
    if (thumbnail) {
      return { thumbnail, clean: state === 'plain' ? undefined : bytes };
    }
  }
  const clean = await open(bytes, 'error')
    .autoOrient()
    .toFormat(formats[type], { quality: reencodedQuality })
    .toBuffer();
  return { thumbnail: await makeThumbnail(clean, 'error'), clean };
}

export type JobPictures = {
  /** Stores pictures and returns their IDs. They are removed in an hour, unless `claim` is called. */
  readonly put: (files: readonly Buffer[]) => Promise<readonly string[]>;
  /** Inside the transaction that writes the IDs into a row. Throws `busy` when they were removed before. */
  readonly claim: (tx: Kysely<Tables>, ids: readonly string[]) => Promise<void>;
  /** Undefined when there is no such picture. */
  readonly read: (id: string) => Promise<Buffer | undefined>;
  /** Returns the bytes of a range, with the type and size of the whole file. */
  readonly readPart: (
    id: string,
    range: (size: number) => ByteRange | undefined,
  ) => Promise<
    { readonly bytes: Buffer; readonly size: number; readonly type: string } | undefined
  >;
  /** Removes pictures that no row holds. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
};

/** Enough to detect the type of a file. */
const typeBytes = 12;

type Place = Pick<Dependencies, 'database' | 'objects'>;

/** Pictures of jobs, which are kept for a day. */
export function createJobPictures({
  database,
  objects,
  clock,
}: Place & Pick<Dependencies, 'clock'>): JobPictures {
  return {
    put: async (files) => {
      const ids = files.map(() => randomUUID());
      await addLooseObjects(database.db, ids.map(jobObject), clock() + looseRules.claimableMs);
      await Promise.all(files.map((file, index) => objects.put(jobObject(ids[index] ?? ''), file)));
      return ids;
    },
    claim: (tx, ids) => claimObjects(tx, ids.map(jobObject)),
    read: async (id) => (await objects.read(jobObject(id)))?.bytes,
    readPart: async (id, range) => {
      const name = jobObject(id);
      const head = await objects.read(name, (size) => ({
        start: 0,
        end: Math.min(size, typeBytes) - 1,
      }));
      const found = head && (await objects.read(name, range));
      return (
        found && { ...found, type: detectPictureType(head.bytes) ?? 'application/octet-stream' }
      );
    },
    remove: (ids) => removeLooseObjects({ database, objects }, ids.map(jobObject)),
  };
}

/** Removes jobs whose time is over, with their pictures. */
export async function removeOldJobs(
  place: Place,
  { now, ...before }: { readonly now: number; readonly users: number; readonly visitors: number },
): Promise<void> {
  const loose = await place.database.db.transaction().execute(async (tx) => {
    const made = await createGenerationJobRepository(tx).removeBefore(before);
    return letGo(tx, made.map(jobObject), now);
  });
  await removeLooseObjects(place, loose);
}

/** Removes pictures that were deleted before a time (epoch milliseconds), and the jobs that made them, with all files. */
export async function removeOldPictures(
  place: Place,
  { now, before }: { readonly now: number; readonly before: number },
): Promise<void> {
  const loose = await place.database.db.transaction().execute(async (tx) => {
    const made = await createGenerationJobRepository(tx).removeSaved({ deletedBefore: before });
    const ids = [
      ...(await createBinRepository(tx).empty(before)),
      ...(await createPictureRepository(tx).removeOldSources(now)),
    ];
    return letGo(tx, [...made.map(jobObject), ...ids.flatMap(pictureObjects)], now);
  });
  await removeLooseObjects(place, loose);
}
