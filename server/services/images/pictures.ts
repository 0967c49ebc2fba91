/** Files of pictures: saved ones with a small copy, those of jobs, and signed links to both. */
import { type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';

import { pictureLimits } from '#contract/images/limits';
import { type Dependencies } from '#server/app/dependencies';
import { type Database } from '#server/db/client';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import {
  createBinRepository,
  createPictureRepository,
  type StoredPicture,
} from '#server/db/generations';
import { type Tables } from '#server/db/tables';
import { type ByteRange } from '#server/lib/byte-range';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { createDaySignatures } from '#server/lib/day-signatures';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { binRules } from '#server/lib/limits';
import { type Draft, type ObjectStore } from '#server/lib/object-store';
import { stripMetadata } from '#server/lib/picture-metadata';
import { detectPictureType, type PictureType } from '#server/lib/picture-type';

import { type PictureStorage } from './storage.ts';
import { pictureTexts } from './texts.ts';

export type MediaLinks = {
  /** Returns a link to a path that is valid for one to two days. */
  readonly sign: (path: string) => string;
  readonly isValid: (
    path: string,
    link: { readonly expires: string | undefined; readonly signature: string | undefined },
  ) => boolean;
};

/**
 * Links to private files that need no token, because an `<img>` cannot send one. Paths begin after
 * `/backend`. Links are absolute if the public address is known.
 */
export function createMediaLinks({
  env,
  clock,
  objects,
}: Pick<Dependencies, 'env' | 'clock' | 'objects'>): MediaLinks {
  const signatures = createDaySignatures(deriveKeys(env.secretKeys, 'nori media links'), clock);

  return {
    sign: (path) => {
      const { expires, signature } = signatures.sign(path);
      return `${env.publicUrl ?? ''}/backend${path}?expires=${expires}&signature=${signature}`;
    },
    isValid: signatures.isValid,
  };
}

export const variants = ['original', 'thumbnail'] as const;
export type Variant = (typeof variants)[number];

/** Pixels of the longer side. */
const thumbnailSide = 512;
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
    database: { db },
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
  const stored = createPictureRepository(db);
  const bin = createBinRepository(db);
  const decoders = createDecoders();
  const room = { count: pictureLimits.perUser, bytes: env.storage.perUser };

  const { removeFiles, storeFiles } = createFileKeeper({ store, log });

  return {
    /**
     * Stores the files of a picture, which is not saved before `add`. Throws `picture_unreadable`,
     * `picture_too_large`, `too_many_pictures`, `storage_quota` or `storage_full`.
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
      return decoders.use(async (memory) => {
        const inspected = await inspect(file, type, memory);
        const { clean, thumbnail, width, height } = inspected;
        const bytes = (clean?.length ?? file.size()) + thumbnail.length;
        await storage.requireSpaceFor(telegramId, bytes);
        const id = random.bytes(idBytes).toString('base64url');
        await storeFiles(id, file, inspected);
        return { id, telegramId, type, bytes, width, height, createdAt: clock() };
      });
    },

    /**
     * Inside the transaction of what the picture belongs to. Throws `too_many_pictures` or `storage_quota`, and
     * `unauthenticated` when the account was deleted meanwhile.
     */
    async add(tx: Kysely<Tables>, picture: StoredPicture): Promise<void> {
      throwIfNoRoom(await createPictureRepository(tx).add(picture, room));
    },

    removeFiles,

    /** A picture that an engine has made. */
    fromBytes: (bytes: Buffer): PictureFile => ({
      isMade: true,
      size: () => bytes.length,
      read: () => Promise.resolve(bytes),
      keep: (name) => store.put(name, bytes),
    }),

    getLink: (id: string, variant: Variant) => links.sign(`/media/${id}/${variant}`),

    /** Undefined when there is no such picture. */
    async read(id: string, variant: Variant, range?: (size: number) => ByteRange | undefined) {
      const known = await stored.find(id);
      const found = known && (await store.read(`${id}-${variant}`, range));
      return found && { ...found, type: variant === 'original' ? known.type : thumbnailType };
    },

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

    /** Also removes the small copy. */
    async remove(id: string): Promise<void> {
      await stored.remove(id);
      await removeFiles(id);
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

function createFileKeeper({ store, log }: Pick<Dependencies, 'log'> & { store: ObjectStore }) {
  async function removeFiles(id: string): Promise<void> {
    await Promise.all(fileNames(id).map((name) => store.remove(name)));
  }

  return {
    removeFiles,

    /** Stores both files, or none. */
    storeFiles: async (
      id: string,
      file: PictureFile,
      { clean, thumbnail }: Pick<Inspected, 'clean' | 'thumbnail'>,
    ): Promise<void> => {
      const [original = '', small = ''] = fileNames(id);
      try {
        await (clean === undefined ? file.keep(original) : store.put(original, clean));
        await store.put(small, thumbnail);
      } catch (error) {
        // The log has the real reason, such as a full disk or a missing permission.
        log.error({ err: error }, 'Could not store a picture');
        await removeFiles(id);
        throw new AppError('storage_full');
      }
    },
  };
}

function throwIfNoRoom(outcome: string): void {
  if (outcome === 'no account') {
    throw new AppError('unauthenticated');
  }
  if (outcome === 'too many' || outcome === 'too large') {
    throw new AppError(outcome === 'too many' ? 'too_many_pictures' : 'storage_quota');
  }
}

function fileNames(id: string): readonly string[] {
  return variants.map((variant) => `${id}-${variant}`);
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

const open = (bytes: Buffer, failOn: 'warning' | 'error') =>
  sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn });

const makeThumbnail = async (bytes: Buffer, failOn: 'warning' | 'error') =>
  open(bytes, failOn)
    .autoOrient()
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();

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

const formats = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const;
/** Of a picture that is encoded anew, from 1 to 100. */
const reencodedQuality = 95;

export type JobPictures = {
  /** Stores a picture and returns its ID. */
  readonly put: (bytes: Buffer) => Promise<string>;
  /** Undefined when there is no such picture. */
  readonly read: (id: string) => Promise<Buffer | undefined>;
  /** Returns the bytes of a range, with the type and size of the whole file. */
  readonly readPart: (
    id: string,
    range: (size: number) => ByteRange | undefined,
  ) => Promise<
    { readonly bytes: Buffer; readonly size: number; readonly type: string } | undefined
  >;
  readonly remove: (id: string) => Promise<void>;
  /** Removes pictures that were stored before a time (epoch milliseconds), except those of these IDs. */
  readonly removeBefore: (time: number, except: ReadonlySet<string>) => Promise<void>;
};

const jobSuffix = '-job';
const jobFile = /-job(?:\..*)?$/;
/** Enough to detect the type of a file. */
const typeBytes = 12;

/** Pictures of jobs, which are kept for a day. */
export function createJobPictures(objects: ObjectStore): JobPictures {
  return {
    put: async (bytes) => {
      const id = randomUUID();
      await objects.put(`${id}${jobSuffix}`, bytes);
      return id;
    },
    read: async (id) => (await objects.read(`${id}${jobSuffix}`))?.bytes,
    readPart: async (id, range) => {
      const name = `${id}${jobSuffix}`;
      const head = await objects.read(name, (size) => ({
        start: 0,
        end: Math.min(size, typeBytes) - 1,
      }));
      const found = head && (await objects.read(name, range));
      return (
        found && { ...found, type: detectPictureType(head.bytes) ?? 'application/octet-stream' }
      );
    },
    remove: (id) => objects.remove(`${id}${jobSuffix}`),
    removeBefore: async (time, except) => {
      const old = (await objects.listBefore(time)).filter((name) => jobFile.test(name));
      const gone = old.filter((name) => !except.has(name.replace(jobFile, '')));
      await Promise.all(gone.map((name) => objects.remove(name)));
    },
  };
}

/** Files of saved pictures, also unfinished ones, whose names are longer, and of uploads. */
const pictureFile = /-(?:original|thumbnail|draft)(?:\..*)?$/;
/** A query can have only so many parameters. */
const batchSize = 500;

/** Removes pictures that were deleted before a time (epoch milliseconds), and the jobs that made them, with all files. */
export async function emptyBin(
  { db }: Database,
  store: ObjectStore,
  before: number,
): Promise<void> {
  const made = await createGenerationJobRepository(db).removeSaved({ deletedBefore: before });
  const jobPictures = createJobPictures(store);
  for (const id of made) {
    await jobPictures.remove(id);
  }
  const ids = await createBinRepository(db).empty(before);
  for (const name of ids.flatMap(fileNames)) {
    // One after the other, as there may be thousands. After a crash `sweepPictures` finds the rest.
    await store.remove(name);
  }
}

/**
 * Removes files without a row, which deleted accounts and crashes leave. Only files from before a
 * time (epoch milliseconds): the row of a newer file may still be written.
 */
export async function sweepPictures(
  { db }: Database,
  store: ObjectStore,
  before: number,
): Promise<void> {
  const stored = createPictureRepository(db);
  const files = (await store.listBefore(before)).filter((name) => pictureFile.test(name));
  for (let at = 0; at < files.length; at += batchSize) {
    const batch = files.slice(at, at + batchSize);
    const known = await stored.findExisting(batch.map(getPictureId));
    await Promise.all(
      batch.filter((name) => !known.has(getPictureId(name))).map((name) => store.remove(name)),
    );
  }
}

function getPictureId(name: string): string {
  return name.replace(pictureFile, '');
}
