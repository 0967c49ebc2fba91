/** Other files of the same pixels: a photo for Telegram, and one that says nothing of what it was made from. */
import sharp from 'sharp';

import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';

export const open = (bytes: Buffer, failOn: 'warning' | 'error') =>
  sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn });

export const formats = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const;
/** Of a picture that is encoded anew, from 1 to 100. */
export const reencodedQuality = 95;

/** Pixels of the longer side. */
const thumbnailSide = 512;
export const makeThumbnail = async (bytes: Buffer, failOn: 'warning' | 'error') =>
  open(bytes, failOn)
    .autoOrient()
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();

/** `use` lets few pictures be decoded at a time. */
export function createFormats(use: <Made>(work: () => Promise<Made>) => Promise<Made>) {
  return {
    /** A picture as Telegram shows photos: a JPEG on white within its limits. Throws `picture_unreadable`. */
    toPhoto: (bytes: Buffer): Promise<Buffer> => use(() => makePhoto(bytes)),

    /** The pixels of a picture alone, without what it was made from. Throws `picture_unreadable`. */
    toPlain: (bytes: Buffer): Promise<Buffer> => use(() => makePlain(bytes)),
  };
}

/** Telegram's limits for a photo: bytes, its sides together, and how much longer one side may be. */
const photoLimits = { bytes: 10 * 1024 * 1024, sides: 10_000, ratio: 20 } as const;

async function makePhoto(bytes: Buffer): Promise<Buffer> {
  try {
    const { autoOrient } = await sharp(bytes, {
      limitInputPixels: pictureLimits.pixels,
    }).metadata();
    const { width, height } = autoOrient;
    const long = Math.max(width, height);
    // What is too narrow gets white at its sides: cut, it would be another picture.
    const sides = [width, height].map((side) =>
      Math.max(side, Math.ceil(long / photoLimits.ratio)),
    );
    const scale = Math.min(1, photoLimits.sides / sides.reduce((sum, side) => sum + side, 0));
    const [boxWidth, boxHeight] = sides.map((side) => Math.floor(side * scale));
    for (const quality of [92, 80, 60]) {
      const photo = await open(bytes, 'error')
        .autoOrient()
        .resize(boxWidth, boxHeight, { fit: 'contain', background: 'white' })
        .flatten({ background: 'white' })
        .jpeg({ quality })
        .toBuffer();
      if (photo.length <= photoLimits.bytes) {
        return photo;
      }
    }
  } catch {
    // Said below: nothing can be made of it.
  }
  throw new AppError('picture_unreadable');
}

async function makePlain(bytes: Buffer): Promise<Buffer> {
  const type = detectPictureType(bytes);
  if (type === undefined) {
    throw new AppError('picture_unreadable');
  }
  try {
    return await open(bytes, 'error')
      .autoOrient()
      .toFormat(formats[type], { quality: reencodedQuality })
      .toBuffer();
  } catch {
    throw new AppError('picture_unreadable');
  }
}
