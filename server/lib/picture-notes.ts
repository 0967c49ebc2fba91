/**
 * What the file of a picture says of it: its recipe, where image programs look for it, the program that made it, and which
 * side is up. Written by hand, because sharp drops what is not ASCII.
 */
import { ownNoteMark } from '#contract/images/recipe-file';
import { formatOwnRecipe, formatParameters, type FoundRecipe } from '#contract/images/recipe-text';

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
import { type PictureType } from './picture-type.ts';

export type PictureNotes = {
  /** From 1 to 8; 1 is as stored. */
  readonly orientation?: number | undefined;
  /** ASCII. */
  readonly software?: string | undefined;
  readonly recipe?: FoundRecipe | undefined;
};

const tags = {
  orientation: 0x0112,
  software: 0x0131,
  exifDirectory: 0x8769,
  makerNote: 0x927c,
  userComment: 0x9286,
} as const;
const types = { text: 2, short: 3, long: 4, bytes: 7 } as const;

const unicodeMark = Buffer.from('UNICODE\0');
const headBytes = 8;
const entryBytes = 12;

type DirectoryEntry = {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** The value, or where it begins. */
  readonly value: number;
};

/** The EXIF data, from the TIFF header on; undefined when there is nothing to say. */
export function createExif({ orientation, software, recipe }: PictureNotes): Buffer | undefined {
  const isTurned = orientation !== undefined && orientation !== 1;
  const entries = [isTurned, software !== undefined, recipe !== undefined].filter(Boolean).length;
  if (entries === 0) {
    return undefined;
  }
  const head = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, headBytes]);
  const program = Buffer.from(software === undefined ? '' : `${software}\0`, 'latin1');
  const programAt = head.length + directoryBytes(entries);
  const exifAt = programAt + program.length + (program.length % 2);
  return Buffer.concat([
    head,
    createDirectory([
      ...(isTurned
        ? // A short value stands in the first half of its four bytes.
          [{ tag: tags.orientation, type: types.short, count: 1, value: orientation * 0x1_00_00 }]
        : []),
      ...(software === undefined
        ? []
        : [{ tag: tags.software, type: types.text, count: program.length, value: programAt }]),
      ...(recipe === undefined
        ? []
        : [{ tag: tags.exifDirectory, type: types.long, count: 1, value: exifAt }]),
    ]),
    program,
    Buffer.alloc(program.length % 2),
    ...(recipe === undefined ? [] : createRecipe(recipe, exifAt)),
  ]);
}

const bytesEntry = (tag: number, { length }: Buffer, value: number): DirectoryEntry => ({
  tag,
  type: types.bytes,
  count: length,
  value,
});

/** Only recipes of ours have our JSON; every one has a comment, which comes last. */
function createRecipe(recipe: FoundRecipe, at: number): readonly Buffer[] {
  const own =
    recipe.program === 'nori' ? Buffer.from(ownNoteMark + formatOwnRecipe(recipe)) : undefined;
  const comment = Buffer.concat([
    unicodeMark,
    Buffer.from(formatParameters(recipe), 'utf16le').swap16(),
  ]);
  const ownAt = at + directoryBytes(own ? 2 : 1);
  const commentAt = ownAt + (own ? own.length + (own.length % 2) : 0);
  return [
    createDirectory([
      ...(own ? [bytesEntry(tags.makerNote, own, ownAt)] : []),
      bytesEntry(tags.userComment, comment, commentAt),
    ]),
    ...(own ? [own, Buffer.alloc(own.length % 2)] : []),
    comment,
  ];
}

function directoryBytes(entries: number): number {
  return 2 + entryBytes * entries + 4;
}

function createDirectory(entries: readonly DirectoryEntry[]): Buffer {
  const bytes = Buffer.alloc(directoryBytes(entries.length));
  bytes.writeUInt16BE(entries.length, 0);
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const at = 2 + entryBytes * index;
    bytes.writeUInt16BE(tag, at);
    bytes.writeUInt16BE(type, at + 2);
    bytes.writeUInt32BE(count, at + 4);
    bytes.writeUInt32BE(value, at + 8);
  }
  return bytes;
}

const textChunks = new Set(['tEXt', 'zTXt', 'iTXt']);

/** Before the pixels, as programs do not read on to the end. A text that the file has already stays as it is. */
export function createPngNotes(
  { orientation, recipe }: PictureNotes,
  known: readonly Part[] = [],
): readonly Buffer[] {
  const exif = createExif({ orientation });
  const texts: readonly (readonly [string, string])[] =
    recipe === undefined
      ? []
      : [
          ['parameters', formatParameters(recipe)],
          ...(recipe.program === 'nori' ? [['nori', formatOwnRecipe(recipe)] as const] : []),
        ];
  const isNew = (key: string) =>
    !known.some(({ name, content }) => textChunks.has(name) && startsWith(content, `${key}\0`));
  return [
    ...(exif ? [createPngChunk('eXIf', exif)] : []),
    ...texts
      .filter(([key]) => isNew(key))
      .map(([key, text]) => createPngChunk('iTXt', Buffer.from(`${key}\0\0\0\0\0${text}`))),
  ];
}

export const exifMark = 'Exif\0\0';

export function startsWith(content: Buffer, mark: string): boolean {
  return content.toString('latin1', 0, mark.length) === mark;
}

const maxSegmentBytes = 65_533;

/** Without the recipe where it is longer than a segment. */
export function createJpegNotes({ recipe, ...notes }: PictureNotes): readonly Buffer[] {
  for (const exif of [createExif({ ...notes, recipe }), createExif(notes)]) {
    if (exif && exifMark.length + exif.length <= maxSegmentBytes) {
      return [createJpegSegment(0xe1, Buffer.concat([Buffer.from(exifMark), exif]))];
    }
  }
  return [];
}

/** Adds notes to a picture that an engine has made. The file as it is when it cannot be taken apart. */
export function addNotes(bytes: Buffer, type: PictureType, notes: PictureNotes): Buffer {
  const add = { 'image/png': addToPng, 'image/jpeg': addToJpeg, 'image/webp': addToWebp }[type];
  return add(bytes, notes) ?? bytes;
}

function addToPng(bytes: Buffer, notes: PictureNotes): Buffer | undefined {
  const chunks = readPngChunks(bytes);
  if (chunks === undefined) {
    return undefined;
  }
  let at = pngHeadBytes;
  for (const { name, whole } of chunks) {
    if (name === 'IDAT') {
      break;
    }
    at += whole.length;
  }
  return Buffer.concat([
    bytes.subarray(0, at),
    ...createPngNotes(notes, chunks),
    bytes.subarray(at),
  ]);
}

const isExif = ({ name, content }: Part) => name === 'e1' && startsWith(content, exifMark);

/** In place of what EXIF data there is, behind the head. */
function addToJpeg(bytes: Buffer, notes: PictureNotes): Buffer | undefined {
  const segments = readJpegSegments(bytes);
  const kept = segments?.filter((segment) => !isExif(segment)).map(({ whole }) => whole);
  const heads = segments?.[0]?.name === 'e0' ? 1 : 0;
  return (
    kept &&
    Buffer.concat([
      bytes.subarray(0, 2),
      ...kept.slice(0, heads),
      ...createJpegNotes(notes),
      ...kept.slice(heads),
      Buffer.from([0xff, jpegMarks.end]),
    ])
  );
}

const isXmp = ({ name }: Part) => name === 'XMP ';

function addToWebp(bytes: Buffer, notes: PictureNotes): Buffer | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  const chunks =
    end > bytes.length ? undefined : readWebpChunks(bytes.subarray(riffHeadBytes, end));
  const exif = createExif(notes);
  const announced = chunks && exif && announceExif(chunks);
  if (announced === undefined || exif === undefined) {
    return undefined;
  }
  const rest = (chunks ?? []).filter(({ name }) => name !== 'VP8X' && name !== 'EXIF');
  const file = Buffer.concat([
    bytes.subarray(0, riffHeadBytes),
    createWebpChunk('VP8X', announced),
    ...rest.filter((chunk) => !isXmp(chunk)).map(({ whole }) => whole),
    createWebpChunk('EXIF', exif),
    ...rest.filter(isXmp).map(({ whole }) => whole),
  ]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** The chunk that announces what a WebP has besides its pixels. */
function announceExif([first]: readonly Part[]): Buffer | undefined {
  if (first?.name === 'VP8X' && first.content.length === 10) {
    const known = Buffer.from(first.content);
    known.writeUInt8(known.readUInt8(0) | webpFlags.exif, 0);
    return known;
  }
  const size = first && readWebpSize(first);
  if (size === undefined) {
    return undefined;
  }
  const announcement = Buffer.alloc(10);
  announcement.writeUInt8(webpFlags.exif | (size.hasAlpha ? webpFlags.alpha : 0), 0);
  announcement.writeUIntLE(size.width - 1, 4, 3);
  announcement.writeUIntLE(size.height - 1, 7, 3);
  return announcement;
}

/** From the head of its pixels: with loss behind three bytes that never change, without loss behind one. */
function readWebpSize({ name, content }: Part) {
  if (name === 'VP8 ' && content.length >= 10 && content.readUIntBE(3, 3) === 0x9d_01_2a) {
    const [width, height] = [6, 8].map((at) => content.readUInt16LE(at) & 0x3f_ff);
    return { width: width ?? 0, height: height ?? 0, hasAlpha: false };
  }
  if (name === 'VP8L' && content.length >= 5 && content[0] === 0x2f) {
    const bits = content.readUInt32LE(1);
    return {
      width: (bits & 0x3f_ff) + 1,
      height: ((bits >>> 14) & 0x3f_ff) + 1,
      hasAlpha: ((bits >>> 28) & 1) === 1,
    };
  }
  return undefined;
}

/** Pixels as stored; undefined where the head of the file does not say. */
export function readSize(
  bytes: Buffer,
  type: PictureType,
): { readonly width: number; readonly height: number } | undefined {
  if (type === 'image/png') {
    return bytes.length < 24
      ? undefined
      : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (type === 'image/jpeg') {
    const frame = readJpegSegments(bytes)?.find(({ name }) => /^c[0-35-79-bd-f]$/.test(name));
    return frame && frame.content.length >= 5
      ? { width: frame.content.readUInt16BE(3), height: frame.content.readUInt16BE(1) }
      : undefined;
  }
  const [first] = readWebpChunks(bytes.subarray(riffHeadBytes)) ?? [];
  return first?.name === 'VP8X' && first.content.length === 10
    ? { width: first.content.readUIntLE(4, 3) + 1, height: first.content.readUIntLE(7, 3) + 1 }
    : first && readWebpSize(first);
}
