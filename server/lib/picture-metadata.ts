/**
 * Removes from a picture's file what is no picture: places and names that cameras write, comments, previews, and what
 * follows the end. Pixels, colours, animation and which side is up stay as they are, byte for byte; the recipe is written
 * anew, unless it is to go, too. Only what is understood is kept.
 */
import { deflateSync, inflateSync } from 'node:zlib';

import { maxPromptLength } from '#contract/images/limits';
import { readExif, readRecipe } from '#contract/images/recipe-file';

import {
  createExif,
  createJpegNotes,
  createPngNotes,
  exifMark,
  type PictureNotes,
  startsWith,
} from './picture-notes.ts';
import {
  createJpegSegment,
  createPngChunk,
  createWebpChunk,
  jpegMarks,
  type Part,
  pngHeadBytes,
  readJpegSegments,
  readPngChunks,
  readWebpChunks,
  riffHeadBytes,
  webpFlags,
} from './picture-parts.ts';
import { isOwnSoftware } from './picture-recipe.ts';
import { type PictureType } from './picture-type.ts';

const maxProfileBytes = 4 * 1024 * 1024;

type StripOptions = {
  /** Default true. */
  readonly keepsRecipe?: boolean;
};

/**
 * The clean file: the same object when there is nothing to remove, else in the memory of the file where possible, as files
 * are large. Undefined when its structure is not valid.
 */
export function stripMetadata(
  bytes: Buffer,
  type: PictureType,
  { keepsRecipe = true }: StripOptions = {},
): Buffer | undefined {
  const strip = { 'image/png': stripPng, 'image/jpeg': stripJpeg, 'image/webp': stripWebp }[type];
  const pieces = strip(bytes, keepsRecipe ? readKnownRecipe(bytes) : 'no recipe');
  return pieces && join(bytes, pieces);
}

type KnownRecipe = PictureNotes['recipe'] | 'no recipe';

/** What our engines and A1111 write; any other text may say what its user does not know of. */
function readKnownRecipe(bytes: Buffer): PictureNotes['recipe'] {
  const found = readRecipe(bytes);
  const isShort = [found?.prompt, found?.negativePrompt].every(
    (text = '') => text.length <= maxPromptLength,
  );
  const isKnown = found?.program === 'nori' || found?.program === 'a1111';
  return isKnown && isShort ? found : undefined;
}

/** Which side is up, and what is said of the recipe. */
function toNotes(exif: Buffer | undefined, recipe: KnownRecipe): PictureNotes {
  const { orientation, software } = exif ? readExif(exif) : {};
  return recipe === 'no recipe'
    ? { orientation }
    : { orientation, software: isOwnSoftware(software) ? software : undefined, recipe };
}

function join(bytes: Buffer, pieces: readonly Buffer[]): Buffer {
  if (isWhole(bytes, pieces)) {
    return bytes;
  }
  if (!canMoveUp(bytes, pieces)) {
    return Buffer.concat(pieces);
  }
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes.subarray(0, end);
}

/** Whether the pieces are the file as it is, one after the other. */
function isWhole(bytes: Buffer, pieces: readonly Buffer[]): boolean {
  let at = bytes.byteOffset;
  for (const piece of pieces) {
    if (piece.buffer !== bytes.buffer || piece.byteOffset !== at) {
      return false;
    }
    at += piece.length;
  }
  return at === bytes.byteOffset + bytes.length;
}

/** Whether each piece can be written before its place is needed. */
function canMoveUp(bytes: Buffer, pieces: readonly Buffer[]): boolean {
  let end = 0;
  return pieces.every((piece) => {
    const isLater = piece.buffer !== bytes.buffer || piece.byteOffset - bytes.byteOffset >= end;
    end += piece.length;
    return isLater && end <= bytes.length;
  });
}

/** What colours mean. It says its own length, so that nothing can follow it. */
function isProfile(profile: Buffer): boolean {
  return (
    profile.length >= 132 &&
    profile.length <= maxProfileBytes &&
    profile.readUInt32BE(0) === profile.length &&
    profile.toString('latin1', 36, 40) === 'acsp'
  );
}

/** Parts of a PNG that are kept, and how long each may be. What may be there more than once is in the second list. */
const pngParts: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 768,
  IEND: 0,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  sBIT: 4,
  bKGD: 6,
  pHYs: 9,
  cICP: 4,
  mDCV: 24,
  cLLI: 8,
  acTL: 8,
};
const repeatedPngParts: Readonly<Record<string, number>> = {
  IDAT: Infinity,
  fcTL: 26,
  fdAT: Infinity,
};

function stripPng(bytes: Buffer, recipe: KnownRecipe): readonly Buffer[] | undefined {
  const chunks = readPngChunks(bytes);
  const hasUnknown = chunks?.some(
    ({ name }) => /^[A-Z]/.test(name) && !Object.hasOwn(pngParts, name) && name !== 'IDAT',
  );
  if (chunks === undefined || hasUnknown === true) {
    return undefined;
  }
  const seen = new Set<string>();
  const pieces = [bytes.subarray(0, pngHeadBytes)];
  for (const part of chunks) {
    const { name } = part;
    if (name === 'IDAT' && !seen.has(name)) {
      pieces.push(
        ...createPngNotes(toNotes(chunks.find((chunk) => chunk.name === 'eXIf')?.content, recipe)),
      );
    }
    const kept = keepPngChunk(part, {
      isFirst: !seen.has(name),
      isFrame: name !== 'IDAT' && seen.has('acTL'),
    });
    if (kept !== undefined) {
      pieces.push(kept);
      seen.add(name);
    }
  }
  return pieces;
}

function keepPngChunk(
  { name, whole, content }: Part,
  { isFirst, isFrame }: { readonly isFirst: boolean; readonly isFrame: boolean },
): Buffer | undefined {
  if (name === 'iCCP') {
    const profile = isFirst ? readPngProfile(content) : undefined;
    return (
      profile && createPngChunk(name, Buffer.concat([Buffer.from('ICC\0\0'), deflateSync(profile)]))
    );
  }
  const max =
    (isFirst ? pngParts[name] : undefined) ??
    (name === 'IDAT' || isFrame ? repeatedPngParts[name] : undefined);
  return max !== undefined && content.length <= max ? whole : undefined;
}

/** Inflates no more than a profile may have. */
function readPngProfile(content: Buffer): Buffer | undefined {
  const nameEnd = content.indexOf(0);
  try {
    const packed = content.subarray(nameEnd + 2);
    const profile = inflateSync(packed, { maxOutputLength: maxProfileBytes });
    return nameEnd !== -1 && content[nameEnd + 1] === 0 && isProfile(profile) ? profile : undefined;
  } catch {
    return undefined;
  }
}

const profileMark = 'ICC_PROFILE\0';
const profileHeadBytes = profileMark.length + 2;

function stripJpeg(bytes: Buffer, recipe: KnownRecipe): readonly Buffer[] | undefined {
  const segments = readJpegSegments(bytes);
  if (segments === undefined) {
    return undefined;
  }
  const applications = segments.filter(({ name }) => name.startsWith('e'));
  const exif = applications.find(
    ({ name, content }) => name === 'e1' && startsWith(content, exifMark),
  );
  return [
    bytes.subarray(0, 2),
    ...keepJpegHead(applications),
    ...createJpegNotes(toNotes(exif?.content.subarray(exifMark.length), recipe)),
    ...keepJpegColours(applications),
    ...segments
      .filter(({ name }) => !name.startsWith('e') && name !== jpegMarks.comment.toString(16))
      .map(({ whole }) => whole),
    Buffer.from([0xff, jpegMarks.end]),
  ];
}

/** The version and the shape of pixels, without a preview. */
function keepJpegHead(applications: readonly Part[]): readonly Buffer[] {
  const head = applications.find(
    ({ name, content }) => name === 'e0' && startsWith(content, 'JFIF\0'),
  );
  return head === undefined || head.content.length < 14
    ? []
    : [createJpegSegment(0xe0, Buffer.concat([head.content.subarray(0, 12), Buffer.from([0, 0])]))];
}

/** The profile, which may be in several segments, and what Adobe says of the colours. */
function keepJpegColours(applications: readonly Part[]): readonly Buffer[] {
  const profile = applications.filter(
    ({ name, content }) => name === 'e2' && startsWith(content, profileMark),
  );
  const isInOrder = profile.every(
    ({ content }, index) =>
      content[profileMark.length] === index + 1 &&
      content[profileMark.length + 1] === profile.length,
  );
  const whole = Buffer.concat(profile.map(({ content }) => content.subarray(profileHeadBytes)));
  const adobe = applications.find(
    ({ name, content }) => name === 'ee' && content.length === 12 && startsWith(content, 'Adobe'),
  );
  return [...(isInOrder && isProfile(whole) ? profile : []), ...(adobe ? [adobe] : [])].map(
    (part) => part.whole,
  );
}

const webpPixels = new Set(['ALPH', 'VP8 ', 'VP8L']);
const frameHeadBytes = 16;

function stripWebp(bytes: Buffer, recipe: KnownRecipe): readonly Buffer[] | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  const chunks =
    end > bytes.length ? undefined : readWebpChunks(bytes.subarray(riffHeadBytes, end));
  const [first] = chunks ?? [];
  if (chunks === undefined || first === undefined) {
    return undefined;
  }
  if (first.name === 'VP8X') {
    const parts =
      first.content.length === 10
        ? keepWebpChunks(chunks, toNotes(readWebpExif(chunks), recipe))
        : undefined;
    return parts && wrapWebp(bytes, parts);
  }
  return first.name === 'ALPH' || !webpPixels.has(first.name)
    ? undefined
    : wrapWebp(bytes, [first.whole]);
}

/** The parts of a WebP that has more than pixels. */
function keepWebpChunks(
  chunks: readonly Part[],
  kept: PictureNotes,
): readonly Buffer[] | undefined {
  const profile = chunks.find(({ name, content }) => name === 'ICCP' && isProfile(content));
  const animation = chunks.find(({ name, content }) => name === 'ANIM' && content.length === 6);
  const notes = createExif(kept);
  const pixels = animation ? keepFrames(chunks) : keepStill(chunks);
  if (pixels === undefined || pixels.length === 0) {
    return undefined;
  }
  const head = Buffer.concat(chunks.slice(0, 1).map(({ content }) => content));
  const flags = [
    head.readUInt8(0) & webpFlags.alpha,
    profile ? webpFlags.profile : 0,
    notes ? webpFlags.exif : 0,
    animation ? webpFlags.animation : 0,
  ];
  head.writeUInt32LE(flags.reduce((all, flag) => all | flag));
  return [
    createWebpChunk('VP8X', head),
    ...(profile ? [profile.whole] : []),
    ...(animation ? [animation.whole] : []),
    ...pixels,
    ...(notes ? [createWebpChunk('EXIF', notes)] : []),
  ];
}

function readWebpExif(chunks: readonly Part[]): Buffer | undefined {
  const content = chunks.find(({ name }) => name === 'EXIF')?.content;
  // Some programs write the mark of a JPEG's segment.
  return content && startsWith(content, exifMark) ? content.subarray(exifMark.length) : content;
}

function keepStill(chunks: readonly Part[]): readonly Buffer[] {
  return [...webpPixels].flatMap((kept) => chunks.find(({ name }) => name === kept)?.whole ?? []);
}

/** Undefined when one of them is not valid. */
function keepFrames(chunks: readonly Part[]): readonly Buffer[] | undefined {
  const frames = chunks
    .filter(({ name }) => name === 'ANMF')
    .map(({ content }) => keepFrame(content));
  const valid = frames.flatMap((frame) => frame ?? []);
  return valid.length === frames.length ? valid : undefined;
}

/** A frame of an animation has chunks of its own. */
function keepFrame(content: Buffer): Buffer | undefined {
  const chunks = readWebpChunks(content.subarray(frameHeadBytes)) ?? [];
  const pixels = chunks.filter(({ name }) => webpPixels.has(name)).map(({ whole }) => whole);
  return pixels.length === 0 || pixels.length > 2
    ? undefined
    : createWebpChunk('ANMF', Buffer.concat([content.subarray(0, frameHeadBytes), ...pixels]));
}

function wrapWebp(bytes: Buffer, parts: readonly Buffer[]): readonly Buffer[] {
  const size = parts.reduce((sum, { length }) => sum + length, 4);
  if (size === bytes.readUInt32LE(4)) {
    return [bytes.subarray(0, riffHeadBytes), ...parts];
  }
  const head = Buffer.from(bytes.subarray(0, riffHeadBytes));
  head.writeUInt32LE(size, 4);
  return [head, ...parts];
}
