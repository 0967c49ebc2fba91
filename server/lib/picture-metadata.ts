/**
 * Removes from a picture's file what is no picture: places and names that cameras write, comments, previews, and what
 * follows the end. Pixels, colours, animation and which side is up stay as they are, byte for byte; the recipe that our
 * engines write is written anew. Only what is understood is kept.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

import { createExif, type PictureNotes, readExif } from './picture-exif.ts';
import { maxRecipeLength, rewriteParameters } from './picture-recipe.ts';
import { type PictureType } from './picture-type.ts';

/** More than encoders write. A file of more is not taken apart, as each part takes memory. */
const maxParts = 50_000;
const maxProfileBytes = 4 * 1024 * 1024;

/** A chunk or a segment of a file. */
type Part = {
  readonly name: string;
  /** With its head and its end. */
  readonly whole: Buffer;
  readonly content: Buffer;
};

/**
 * The clean file: the same object when there is nothing to remove, else in the memory of the file where possible, as files
 * are large. Undefined when its structure is not valid.
 */
export function stripMetadata(bytes: Buffer, type: PictureType): Buffer | undefined {
  const strip = { 'image/png': stripPng, 'image/jpeg': stripJpeg, 'image/webp': stripWebp }[type];
  const pieces = strip(bytes);
  return pieces && join(bytes, pieces);
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

const pngHeadBytes = 8;

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

function readPngChunks(bytes: Buffer): readonly Part[] | undefined {
  const chunks: Part[] = [];
  let at = pngHeadBytes;
  while (chunks.length < maxParts && at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const whole = bytes.subarray(at, end);
    if (
      end > bytes.length ||
      crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)
    ) {
      return undefined;
    }
    const name = whole.toString('latin1', 4, 8);
    chunks.push({ name, whole, content: whole.subarray(8, -4) });
    if (name === 'IEND') {
      return chunks[0]?.name === 'IHDR' ? chunks : undefined;
    }
    at = end;
  }
  return undefined;
}

function stripPng(bytes: Buffer): readonly Buffer[] | undefined {
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
      pieces.push(...createPngNotes(readPngNotes(chunks)));
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

const recipeKey = 'parameters';

/** Compressed texts are not read: a few bytes of them can be gigabytes. */
function readPngNotes(chunks: readonly Part[]): PictureNotes {
  const exif = chunks.find(({ name }) => name === 'eXIf');
  const notes = exif ? readExif(exif.content) : {};
  const isRecipe = ({ name, content }: Part) =>
    (name === 'tEXt' || name === 'iTXt') &&
    content.length <= 4 * maxRecipeLength &&
    content.toString('latin1', 0, recipeKey.length + 1) === `${recipeKey}\0`;
  const text = chunks.find(isRecipe);
  return { ...notes, recipe: (text && readPngText(text)) ?? notes.recipe };
}

function readPngText({ name, content }: Part): string | undefined {
  if (name === 'tEXt') {
    return rewriteParameters(content.toString('latin1', recipeKey.length + 1));
  }
  // Two zeros for plain text, then the language and the translated key, each with a zero at its end.
  const languageEnd = content.indexOf(0, recipeKey.length + 3);
  const keyEnd = languageEnd === -1 ? -1 : content.indexOf(0, languageEnd + 1);
  const isPlain = content[recipeKey.length + 1] === 0;
  return isPlain && keyEnd !== -1
    ? rewriteParameters(content.toString('utf8', keyEnd + 1))
    : undefined;
}

/** Before the pixels, as programs do not read on to the end. */
function createPngNotes({ orientation, recipe }: PictureNotes): readonly Buffer[] {
  const exif = createExif({ orientation });
  return [
    ...(exif ? [createPngChunk('eXIf', exif)] : []),
    ...(recipe === undefined
      ? []
      : [createPngChunk('iTXt', Buffer.from(`${recipeKey}\0\0\0\0\0${recipe}`))]),
  ];
}

function createPngChunk(name: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name), content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(content.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Tables, frames and scans of a JPEG, by the second byte of their marker. */
const jpegParts = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xda,
  0xdb, 0xdc, 0xdd,
]);
const jpegMarks = { scan: 0xda, end: 0xd9, comment: 0xfe } as const;

/** Everything before the end of the picture, without the bytes that fill up. */
function readJpegSegments(bytes: Buffer): readonly Part[] | undefined {
  const segments: Part[] = [];
  let at = 2;
  while (segments.length < maxParts && bytes[at] === 0xff && at + 2 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === jpegMarks.end) {
      return segments;
    }
    const segment = marker === 0xff ? undefined : readJpegSegment(bytes, at);
    if (segment) {
      segments.push(segment);
    } else if (marker !== 0xff) {
      return undefined;
    }
    at += segment?.whole.length ?? 1;
  }
  return undefined;
}

function readJpegSegment(bytes: Buffer, at: number): Part | undefined {
  const marker = bytes[at + 1] ?? 0;
  const name = marker.toString(16);
  const isKnown = jpegParts.has(marker) || name.startsWith('e') || marker === jpegMarks.comment;
  const contentEnd = at + 4 > bytes.length ? 0 : at + 2 + bytes.readUInt16BE(at + 2);
  if (!isKnown || contentEnd < at + 4 || contentEnd > bytes.length) {
    return undefined;
  }
  const end = marker === jpegMarks.scan ? findScanEnd(bytes, contentEnd) : contentEnd;
  return { name, whole: bytes.subarray(at, end), content: bytes.subarray(at + 4, contentEnd) };
}

/** The next marker, which neither is part of the pixels nor begins a new row of them. */
function findScanEnd(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) {
      return at;
    }
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}

const jpegEnd = Buffer.from([0xff, 0xd9]);
const exifMark = Buffer.from('Exif\0\0');
const profileMark = Buffer.from('ICC_PROFILE\0');
const profileHeadBytes = profileMark.length + 2;

function startsWith(content: Buffer, mark: Buffer): boolean {
  return content.subarray(0, mark.length).equals(mark);
}

function stripJpeg(bytes: Buffer): readonly Buffer[] | undefined {
  const segments = readJpegSegments(bytes);
  if (segments === undefined) {
    return undefined;
  }
  const applications = segments.filter(({ name }) => name.startsWith('e'));
  const exif = applications.find(
    ({ name, content }) => name === 'e1' && startsWith(content, exifMark),
  );
  const notes = createExif(exif ? readExif(exif.content.subarray(exifMark.length)) : {});
  return [
    bytes.subarray(0, 2),
    ...keepJpegHead(applications),
    ...(notes ? [createJpegSegment(0xe1, Buffer.concat([exifMark, notes]))] : []),
    ...keepJpegColours(applications),
    ...segments
      .filter(({ name }) => !name.startsWith('e') && name !== jpegMarks.comment.toString(16))
      .map(({ whole }) => whole),
    jpegEnd,
  ];
}

/** The version and the shape of pixels, without a preview. */
function keepJpegHead(applications: readonly Part[]): readonly Buffer[] {
  const head = applications.find(
    ({ name, content }) => name === 'e0' && startsWith(content, Buffer.from('JFIF\0')),
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
    ({ name, content }) =>
      name === 'ee' && content.length === 12 && startsWith(content, Buffer.from('Adobe')),
  );
  return [...(isInOrder && isProfile(whole) ? profile : []), ...(adobe ? [adobe] : [])].map(
    (part) => part.whole,
  );
}

function createJpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

const riffHeadBytes = 12;
const webpFlags = { profile: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 } as const;
const webpPixels = new Set(['ALPH', 'VP8 ', 'VP8L']);
const frameHeadBytes = 16;

function readWebpChunks(bytes: Buffer): readonly Part[] | undefined {
  const chunks: Part[] = [];
  let at = 0;
  while (chunks.length < maxParts && at + 8 <= bytes.length) {
    const contentEnd = at + 8 + bytes.readUInt32LE(at + 4);
    const end = contentEnd + (contentEnd % 2);
    if (end > bytes.length || (end > contentEnd && bytes[contentEnd] !== 0)) {
      return undefined;
    }
    chunks.push({
      name: bytes.toString('latin1', at, at + 4),
      whole: bytes.subarray(at, end),
      content: bytes.subarray(at + 8, contentEnd),
    });
    at = end;
  }
  return at === bytes.length ? chunks : undefined;
}

function stripWebp(bytes: Buffer): readonly Buffer[] | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  const chunks =
    end > bytes.length ? undefined : readWebpChunks(bytes.subarray(riffHeadBytes, end));
  const [first] = chunks ?? [];
  if (chunks === undefined || first === undefined) {
    return undefined;
  }
  if (first.name === 'VP8X') {
    const parts = first.content.length === 10 ? keepWebpChunks(first.content, chunks) : undefined;
    return parts && wrapWebp(bytes, parts);
  }
  return first.name === 'ALPH' || !webpPixels.has(first.name)
    ? undefined
    : wrapWebp(bytes, [first.whole]);
}

/** The parts of a WebP that has more than pixels. */
function keepWebpChunks(
  announcement: Buffer,
  chunks: readonly Part[],
): readonly Buffer[] | undefined {
  const profile = chunks.find(({ name, content }) => name === 'ICCP' && isProfile(content));
  const animation = chunks.find(({ name, content }) => name === 'ANIM' && content.length === 6);
  const notes = createExif(readWebpNotes(chunks));
  const pixels = animation ? keepFrames(chunks) : keepStill(chunks);
  if (pixels === undefined || pixels.length === 0) {
    return undefined;
  }
  const head = Buffer.from(announcement);
  const flags = [
    (head[0] ?? 0) & webpFlags.alpha,
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

function readWebpNotes(chunks: readonly Part[]): PictureNotes {
  const content = chunks.find(({ name }) => name === 'EXIF')?.content ?? Buffer.alloc(0);
  // Some programs write the mark of a JPEG's segment.
  return readExif(startsWith(content, exifMark) ? content.subarray(exifMark.length) : content);
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

/** Chunks begin at even places. */
export function createWebpChunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}
