/** Other files of the same pixels: photos and stories for Telegram, and one that says nothing of what it was made from. */
import sharp from 'sharp';

import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { stripMetadata } from '#server/lib/picture-metadata';
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

    /** As browsers show it, for services that do not look at how the camera was held. Throws `picture_unreadable`. */
    toUpright: (bytes: Buffer): Promise<Buffer> => use(() => makeUpright(bytes)),

    /** As it was made, but for the recipe: a file that cannot be taken apart is encoded anew. Throws `picture_unreadable`. */
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

/** The file without what is said of its recipe; undefined when it cannot be taken apart. */
export function stripRecipe(bytes: Buffer): Buffer | undefined {
  const type = detectPictureType(bytes);
  // Stripping happens in place, and the bytes may be those of the store.
  return type && stripMetadata(Buffer.from(bytes), type, { keepsRecipe: false });
}

async function makeUpright(bytes: Buffer): Promise<Buffer> {
  try {
    const { orientation = 1, format } = await sharp(bytes, {
      limitInputPixels: pictureLimits.pixels,
    }).metadata();
    return orientation === 1
      ? bytes
      : await open(bytes, 'error')
          .autoOrient()
          .toFormat(format, { quality: reencodedQuality })
          .toBuffer();
  } catch {
    throw new AppError('picture_unreadable');
  }
}

async function makePlain(bytes: Buffer): Promise<Buffer> {
  const type = detectPictureType(bytes);
  if (type === undefined) {
    throw new AppError('picture_unreadable');
  }
  const bare = stripRecipe(bytes);
  if (bare !== undefined) {
    return bare;
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

/** Telegram loads no larger photos by their address: https://core.telegram.org/bots/api#inlinequeryresultphoto */
const maxPhotoBytes = 5 * 1024 * 1024;
/** Of the longer side, in pixels: as much as Telegram keeps of a photo. */
const photoSide = 2560;
const previewSide = 320;
/** The first that gives a file that is small enough counts. */
const qualities = [90, 75, 50] as const;
const story = { width: 1080, height: 1920 } as const;

/** What Telegram loads by address, without what the pictures were made with. */
export const renderers = {
  photo: (bytes: Buffer) => toJpeg(bytes, photoSide),
  preview: (bytes: Buffer) => toJpeg(bytes, previewSide),
  story: toStory,
};

/** Scales to a side at most. JPEG has no transparency: white stands behind the picture. */
async function toJpeg(bytes: Buffer, side: number): Promise<Buffer> {
  const pixels = await open(bytes, 'warning')
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer();
  for (const quality of qualities) {
    const jpeg = await sharp(pixels).jpeg({ quality, mozjpeg: false }).toBuffer();
    if (jpeg.length <= maxPhotoBytes) {
      return jpeg;
    }
  }
  throw new AppError('picture_too_large');
}

/** The whole picture in the middle, and the same one, blurred and darker, behind it. */
async function toStory(bytes: Buffer): Promise<Buffer> {
  const { width, height } = story;
  const front = await open(bytes, 'warning')
    .autoOrient()
    .resize(width, height, { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return open(bytes, 'warning')
    .autoOrient()
    .flatten({ background: '#000000' })
    .resize(width, height, { fit: 'cover' })
    .blur(40)
    .modulate({ brightness: 0.6 })
    .composite([{ input: front, gravity: 'centre' }])
    .jpeg({ quality: qualities[0] })
    .toBuffer();
}
