/**
 * Files that come and go: admits uploads, few at a time, so that they take neither the memory nor the disk of the server,
 * and reads what signed links lead to.
 */
import { randomUUID } from 'node:crypto';

import { pictureLimits } from '#contract/images/limits';
import { type Dependencies } from '#server/app/dependencies';
import { type ByteRange } from '#server/lib/byte-range';
import { createKeyedSemaphore, createSlotLimiter } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { limits, uploadRules } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type Draft, type ObjectStore } from '#server/lib/object-store';
import { detectPictureType } from '#server/lib/picture-type';
import { type Limiter } from '#server/services/limiter';
import { fetchAllowlisted } from '#server/upstream/allowlisted-fetch';
import { NoReply } from '#server/upstream/fetch-json';
import { readPicture } from '#server/upstream/images/remote-picture';

import { renderers, stripRecipe } from './formats.ts';
import {
  toStorageRefusal,
  fileVariants,
  type JobPictures,
  type MediaLinks,
  type PictureFileId,
  type Pictures,
  type RenditionId,
  renditions,
} from './pictures.ts';
import { type PictureStorage } from './storage.ts';
import { pictureTexts } from './texts.ts';

type UploadRequest = {
  readonly telegramId: number;
  /** The length that the request declares; undefined when it declares none. */
  readonly bytes: number | undefined;
  /** Ends the wait when the client has gone. */
  readonly signal: AbortSignal;
};

type Tools = {
  readonly store: ObjectStore;
  readonly storage: PictureStorage;
  readonly limiter: Limiter;
  readonly log: Dependencies['log'];
};

/** The budget of all users together has one key. */
const all = 'all';
/** An upload without a declared length reserves in these steps, as it may arrive byte by byte. */
const stepBytes = 256 * 1024;

export function createUploads({ store, storage, limiter, log }: Tools) {
  const places = createSlotLimiter(uploadRules.atOnce + uploadRules.queue);
  const running = createKeyedSemaphore(uploadRules.atOnce);
  const budget = createSlotLimiter(uploadRules.bytesInFlight);
  const underWay = createUploadsUnderWay();

  function reserve(bytes: number): () => void {
    const release = budget.take(all, bytes);
    if (release === undefined) {
      throw new AppError('busy', { retryAfterS: uploadRules.busyRetryS });
    }
    return release;
  }

  function refuseUnstored(error: unknown): never {
    throw toStorageRefusal(error, log);
  }

  return {
    /** Ends what a user uploads, because the account is deleted. */
    dropAll: underWay.dropAll,

    /**
     * Resolves when the body of an upload may be read. Throws `rate_limited`, `busy`, `storage_quota` or
     * `storage_full`, and then nothing of it has been read.
     */
    async begin({ telegramId, bytes = 0, signal }: UploadRequest) {
      const key = String(telegramId);
      const cleanups: (() => void)[] = [];
      const drafts: Draft[] = [];
      const end = async () => {
        try {
          await Promise.all(drafts.map((draft) => draft.discard()));
        } finally {
          for (const cleanUp of cleanups) {
            cleanUp();
          }
        }
      };
      try {
        const leave = places.take(key);
        if (leave === undefined) {
          throw new AppError('rate_limited', {
            detail: (say) => say(pictureTexts).manyUploads,
            retryAfterS: uploadRules.fullQueueRetryS,
          });
        }
        cleanups.push(leave);
        await limiter.take(limits.savedPictures, telegramId);
        try {
          cleanups.push(await running.acquire(key, signal));
          await storage.requireSpaceFor(telegramId, bytes);
          cleanups.push(reserve(bytes));
        } catch (error) {
          // What could not be sent may be sent again as soon as there is room.
          await limiter.giveBack(limits.savedPictures, telegramId);
          throw error;
        }
      } catch (error) {
        await end();
        throw error;
      }

      const { throwIfDropped, leave } = underWay.add(telegramId, drafts);
      cleanups.push(leave);

      let arrived = 0;
      let reserved = bytes;
      return {
        /** Reserves what arrives beyond the declared length. Throws `busy`. */
        countBytes: (more: number) => {
          throwIfDropped();
          arrived += more;
          if (arrived > reserved) {
            const step = Math.max(stepBytes, arrived - reserved);
            cleanups.push(reserve(step));
            reserved += step;
          }
        },
        open: async () => {
          throwIfDropped();
          const draft = await store.open().catch(refuseUnstored);
          drafts.push(draft);
          const write = (piece: Uint8Array) => {
            throwIfDropped();
            return draft.write(piece).catch(refuseUnstored);
          };
          return { ...draft, write };
        },
        end,
      };
    },
  };
}

/** Which uploads of whom arrive now. */
function createUploadsUnderWay() {
  const uploads = new Set<{ readonly telegramId: number; readonly drop: () => Promise<void> }>();
  return {
    add(telegramId: number, drafts: readonly Draft[]) {
      let isDropped = false;
      const upload = {
        telegramId,
        drop: async () => {
          isDropped = true;
          await Promise.all(drafts.map((draft) => draft.discard()));
        },
      };
      uploads.add(upload);
      return {
        leave: () => void uploads.delete(upload),
        throwIfDropped: (): void => {
          if (isDropped) {
            throw new AppError('unauthenticated');
          }
        },
      };
    },
    dropAll: async (telegramId: number): Promise<void> => {
      const theirs = [...uploads].filter((upload) => upload.telegramId === telegramId);
      await Promise.all(theirs.map(({ drop }) => drop()));
    },
  };
}

/** A link's parts after `/media`. */
type Link = {
  readonly id: string;
  readonly variant: string;
  readonly expires: string | undefined;
  readonly signature: string | undefined;
  /** Whether the file says how its picture was made. Default true. */
  readonly keepsRecipe?: boolean;
};

type MediaFile = {
  readonly bytes: Buffer;
  /** Bytes of the whole file. */
  readonly size: number;
  readonly type: string;
  /** For downloads: letters, digits, `-`, `_` and a dot. */
  readonly name: string;
};

/** The whole file without what is said of its recipe. As it is when it cannot be taken apart: then nothing was added. */
function withoutRecipe<File extends { readonly bytes: Buffer }>(file: File) {
  const bare = stripRecipe(file.bytes) ?? file.bytes;
  return { ...file, bytes: bare, size: bare.length };
}

export type MediaFiles = {
  /** Returns the file or a range of it. Throws `link_expired` or `not_found`. */
  readonly read: (
    link: Link,
    range?: (size: number) => ByteRange | undefined,
  ) => Promise<MediaFile>;
  /** What a link straight to a file leads to; undefined for another address. Throws `link_expired` or `not_found`. */
  readonly readStraight: (url: URL) => Promise<MediaFile | undefined>;
};

export function createMediaFiles({
  pictures,
  jobPictures,
  links,
  readRendition,
}: {
  readonly pictures: Pictures;
  readonly jobPictures: JobPictures;
  readonly links: MediaLinks;
  readonly readRendition: ReadRendition;
}): MediaFiles {
  async function readFile(
    { id, variant }: PictureFileId,
    range: (size: number) => ByteRange | undefined = () => undefined,
  ): Promise<MediaFile> {
    const found =
      variant === 'made'
        ? await jobPictures.readPart(id, range)
        : await pictures.read(id, variant, range);
    if (!found) {
      throw new AppError('not_found');
    }
    return { ...found, name: toFileName(id, found.type) };
  }

  async function readBare(
    file: PictureFileId,
    range?: (size: number) => ByteRange | undefined,
  ): Promise<MediaFile> {
    const bare = withoutRecipe(await readFile(file));
    const part = range?.(bare.size);
    return part ? { ...bare, bytes: bare.bytes.subarray(part.start, part.end + 1) } : bare;
  }

  async function readMade(
    rendition: RenditionId,
    range: (size: number) => ByteRange | undefined = () => undefined,
  ): Promise<MediaFile> {
    const whole = await readRendition(rendition);
    const part = range(whole.length);
    return {
      bytes: part ? whole.subarray(part.start, part.end + 1) : whole,
      size: whole.length,
      type: 'image/jpeg',
      name: toFileName(rendition.id, 'image/jpeg'),
    };
  }

  return {
    read: async ({ id, variant: name, expires, signature, keepsRecipe = true }, range) => {
      const stored = fileVariants.find((one) => one === name);
      const made = renditions.find((one) => one === name);
      const variant = stored ?? made;
      if (variant === undefined) {
        throw new AppError('not_found');
      }
      if (!links.isValid({ id, variant }, { expires, signature })) {
        throw new AppError('link_expired');
      }
      if (made !== undefined) {
        return readMade({ id, variant: made }, range);
      }
      const file = { id, variant: stored ?? 'original' };
      return keepsRecipe ? readFile(file, range) : readBare(file, range);
    },

    readStraight: async (url) => {
      const file = links.readStraight(url);
      return file && readFile(file);
    },
  };
}

/** Returns the JPEG. Throws `not_found`, `busy`, or `picture_broken`. */
export type ReadRendition = (rendition: RenditionId) => Promise<Buffer>;

const renditionRules = { queue: 8, busyRetryS: 5, keptBytes: 32_000_000, keptMs: 10 * 60_000 };

/** JPEGs of saved pictures, without what they were made with. They are kept for a while, as Telegram asks more than once. */
export function createRenditions(
  { clock, log }: Pick<Dependencies, 'clock' | 'log'>,
  { pictures }: { readonly pictures: Pictures },
): ReadRendition {
  const places = createSlotLimiter(renditionRules.queue);
  const running = createKeyedSemaphore(1);
  const kept = createMemoryCache<Buffer>({
    max: renditionRules.keptBytes,
    getSize: (bytes) => bytes.length,
    lifetimeMs: renditionRules.keptMs,
    clock,
  });

  async function render({ id, variant }: RenditionId): Promise<Buffer> {
    const leavePlace = places.take(all);
    if (leavePlace === undefined) {
      throw new AppError('busy', { retryAfterS: renditionRules.busyRetryS });
    }
    const leave = await running.acquire(all).catch((error: unknown) => {
      leavePlace();
      throw error;
    });
    try {
      const found = await pictures.read(id, 'original');
      if (!found) {
        throw new AppError('not_found');
      }
      return await renderers[variant](found.bytes);
    } catch (error) {
      if (error instanceof AppError) {
        throw error;
      }
      log.error({ err: error }, 'Could not make a JPEG of a picture');
      throw new AppError('picture_broken');
    } finally {
      leave();
      leavePlace();
    }
  }

  return async (rendition) => {
    const { id, variant } = rendition;
    // A deleted picture is gone at once.
    if (!(await pictures.has(id))) {
      throw new AppError('not_found');
    }
    return kept.get(`${id} ${variant}`, () => render(rendition));
  };
}

function toFileName(id: string, type: string): string {
  return `nori-${id}.${type.replace('image/', '').replace('jpeg', 'jpg')}`;
}

const defaultTimeoutMs = 15_000;
const maxUrlLength = 2000;

type Download = { readonly bytes: Buffer; readonly type: string; readonly name: string };

export type PictureDownloads = {
  /**
   * Returns a picture from a signed link, or from an allowed origin. `host` is the host of the
   * request. Throws `download_refused` for other addresses, `link_expired`, `picture_gone`,
   * `picture_broken`, `picture_too_large` or `image_service_unavailable`.
   */
  readonly read: (
    url: string,
    host: string,
    options?: { readonly keepsRecipe: boolean },
  ) => Promise<Download>;
};

export function createPictureDownloads(
  { env, network, serviceTimeoutMs }: Pick<Dependencies, 'env' | 'network' | 'serviceTimeoutMs'>,
  { mediaFiles }: { readonly mediaFiles: MediaFiles },
): PictureDownloads {
  const timeoutMs = serviceTimeoutMs ?? defaultTimeoutMs;
  const ownHost = env.publicUrl === undefined ? undefined : new URL(env.publicUrl).host;

  async function readAllowed(url: URL): Promise<Download> {
    try {
      const request = { url, timeoutMs, maxBytes: pictureLimits.bytes };
      const reply = await fetchAllowlisted(request, network);
      if (reply.status >= 400) {
        throw new AppError(reply.status >= 500 ? 'image_service_unavailable' : 'picture_gone');
      }
      const bytes = readPicture(reply);
      const type = detectPictureType(bytes);
      if (type === undefined || !reply.headers.get('Content-Type')?.startsWith('image/')) {
        throw new AppError('picture_broken');
      }
      return { bytes, type, name: toFileName(randomUUID(), type) };
    } catch (error) {
      throw error instanceof NoReply ? toRefusal(error) : error;
    }
  }

  async function find(address: string, host: string): Promise<Download> {
    // Our own links may be relative.
    const base = `http://${ownHost ?? host}`;
    const url = address.length <= maxUrlLength ? URL.parse(address, base) : null;
    if (url === null || url.username !== '' || url.password !== '') {
      throw new AppError('download_refused');
    }
    // These need no request, so a forged Host header has no effect.
    if (url.host === ownHost || url.host === host) {
      return readOwn(url, mediaFiles);
    }
    const straight = await mediaFiles.readStraight(url);
    if (straight !== undefined) {
      return straight;
    }
    // A `blob:` URL has the origin of its page.
    const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
    if (!isHttp || !env.downloadOrigins.includes(url.origin)) {
      throw new AppError('download_refused');
    }
    return readAllowed(url);
  }

  return {
    read: async (address, host, { keepsRecipe } = { keepsRecipe: true }) => {
      const file = await find(address, host);
      return keepsRecipe ? file : withoutRecipe(file);
    },
  };
}

function toRefusal({ reason }: NoReply): AppError {
  return new AppError(reason === 'too-large' ? 'picture_too_large' : 'image_service_unavailable');
}

function readOwn({ pathname, searchParams }: URL, mediaFiles: MediaFiles): Promise<Download> {
  const [, id, variant] = /^\/backend\/media\/([\w-]{1,100})\/([a-z]{1,20})$/.exec(pathname) ?? [];
  if (id === undefined || variant === undefined) {
    throw new AppError('download_refused');
  }
  const expires = searchParams.get('expires') ?? undefined;
  const signature = searchParams.get('signature') ?? undefined;
  return mediaFiles.read({ id, variant, expires, signature });
}
