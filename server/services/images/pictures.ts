/** Keeps pictures: looks at what they really are, stores them with a small copy, and hands them out. */
import sharp from 'sharp';

import { pictureLimits } from '#contract/images/limits';
import { type Dependencies } from '#server/app/dependencies';
import { createPictureRepository } from '#server/db/pictures';
import { type ByteRange } from '#server/lib/byte-range';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { type ObjectStore } from '#server/lib/object-store';

import { type MediaLinks } from './media-links.ts';

export const variants = ['original', 'thumbnail'] as const;
export type Variant = (typeof variants)[number];

/** The longer side of a small copy, in pixels. */
const thumbnailSide = 512;
/** How many are decoded at the same time: each may need 130 MB. */
const decodersAtOnce = 2;
const idBytes = 18;

const types = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
/** Small copies are made here. */
const thumbnailType: string = types.webp;
type PictureType = (typeof types)[keyof typeof types];

type KeptPicture = { readonly id: string; readonly width: number; readonly height: number };

export type Pictures = ReturnType<typeof createPictures>;

export function createPictures(
  {
    database: { db },
    clock,
    log,
    random,
  }: Pick<Dependencies, 'database' | 'clock' | 'log' | 'random'>,
  { store, links }: { readonly store: ObjectStore; readonly links: MediaLinks },
) {
  const stored = createPictureRepository(db);
  const semaphore = createKeyedSemaphore(decodersAtOnce);

  async function inspectInTurn(bytes: Buffer) {
    const leave = await semaphore.acquire('decoder');
    try {
      return await inspect(bytes);
    } finally {
      leave();
    }
  }

  return {
    /** Throws `picture_unreadable`, `picture_too_large`, `too_many_pictures` or `storage_full`. */
    async put(bytes: Buffer, telegramId: number): Promise<KeptPicture> {
      if ((await stored.countOf(telegramId)) >= pictureLimits.perPerson) {
        throw new AppError('too_many_pictures');
      }
      const { type, width, height, thumbnail } = await inspectInTurn(bytes);
      const id = random.bytes(idBytes).toString('base64url');
      const [original = '', small = ''] = filesOf(id);
      try {
        await store.put(original, bytes);
        await store.put(small, thumbnail);
      } catch (error) {
        // Whoever runs the server learns what it really is: a full disk, or one that may not be written.
        log.error({ err: error }, 'a picture could not be stored');
        await Promise.all(filesOf(id).map((name) => store.remove(name)));
        throw new AppError('storage_full');
      }
      await stored.add({
        id,
        telegramId,
        type,
        bytes: bytes.length,
        width,
        height,
        createdAt: clock(),
      });
      return { id, width, height };
    },

    linkTo: (id: string, variant: Variant) => links.sign(`/media/${id}/${variant}`),

    /** Undefined when there is no such picture. */
    async read(id: string, variant: Variant, range?: (size: number) => ByteRange | undefined) {
      const known = await stored.find(id);
      const found = known && (await store.read(`${id}-${variant}`, range));
      return found && { ...found, type: variant === 'original' ? known.type : thumbnailType };
    },

    /** With what was made from it. */
    async remove(id: string): Promise<void> {
      await stored.remove(id);
      await Promise.all(filesOf(id).map((name) => store.remove(name)));
    },
  };
}

function filesOf(id: string): readonly string[] {
  return variants.map((variant) => `${id}-${variant}`);
}

/** What the bytes are: by what they begin with, by their header, and at last by decoding them. */
async function inspect(bytes: Buffer): Promise<{
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
  readonly thumbnail: Buffer;
}> {
  if (bytes.length > pictureLimits.bytes) {
    throw new AppError('picture_too_large');
  }
  try {
    // The header alone: a picture of 30,000 × 30,000 must be refused before anything is decoded.
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const type =
      format === 'png' || format === 'jpeg' || format === 'webp' ? types[format] : undefined;
    if (type === undefined) {
      throw new AppError('picture_unreadable');
    }
    const { side, pixels } = pictureLimits;
    if (width > side || height > side || width * height > pixels) {
      throw new AppError('picture_too_large', {
        detail: `The picture has ${width} × ${height} pixels. At most ${side} on a side are possible.`,
      });
    }
    const thumbnail = await sharp(bytes, { limitInputPixels: pixels, failOn: 'error' })
      .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    return { type, width, height, thumbnail };
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('picture_unreadable');
  }
}
