/**
 * The metadata that pictures have here: what they were made with and from, where image programs look for it, and which
 * side is up. Written by hand, because sharp drops what is not ASCII.
 */
import { maxRecipeLength, rewriteParameters, sketchSoftware } from './picture-recipe.ts';

export type PictureNotes = {
  /** From 1 to 8; 1 is as stored. */
  readonly orientation?: number | undefined;
  /** ASCII. */
  readonly software?: string | undefined;
  readonly recipe?: string | undefined;
};

const tags = {
  orientation: 0x0112,
  software: 0x0131,
  exifDirectory: 0x8769,
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
    ...(recipe === undefined ? [] : createComment(recipe, exifAt)),
  ]);
}

function createComment(recipe: string, at: number): readonly Buffer[] {
  const comment = Buffer.concat([unicodeMark, Buffer.from(recipe, 'utf16le').swap16()]);
  const value = at + directoryBytes(1);
  return [
    createDirectory([{ tag: tags.userComment, type: types.bytes, count: comment.length, value }]),
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

/** What of the EXIF data of a strange file is kept; nothing when it is not valid. */
export function readExif(bytes: Buffer): PictureNotes {
  const order = bytes.toString('latin1', 0, 4);
  const isBig = order === 'MM\0*';
  if (bytes.length < headBytes || !(isBig || order === 'II*\0')) {
    return {};
  }
  const read = {
    short: (at: number) => readNumber(bytes, { at, size: 2, isBig }),
    long: (at: number) => readNumber(bytes, { at, size: 4, isBig }),
  };
  const main = readDirectory(read, read.long(4));
  const find = (tag: number) => main.get(tag)?.valueAt ?? Number.NaN;
  const orientation = read.short(find(tags.orientation));
  const softwareAt = read.long(find(tags.software));
  const directory = readDirectory(read, read.long(find(tags.exifDirectory)));
  const comment = directory.get(tags.userComment);
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : undefined,
    software: isSketchSoftware(bytes, softwareAt) ? sketchSoftware : undefined,
    recipe: comment && readComment(bytes, { ...comment, at: read.long(comment.valueAt), isBig }),
  };
}

function isSketchSoftware(bytes: Buffer, at: number): boolean {
  const text = `${sketchSoftware}\0`;
  return at > 0 && bytes.toString('latin1', at, at + text.length) === text;
}

type Reader = { readonly short: (at: number) => number; readonly long: (at: number) => number };

/** NaN outside the bytes. */
function readNumber(
  bytes: Buffer,
  { at, size, isBig }: { readonly at: number; readonly size: number; readonly isBig: boolean },
): number {
  if (!(at >= 0 && at + size <= bytes.length)) {
    return Number.NaN;
  }
  return isBig ? bytes.readUIntBE(at, size) : bytes.readUIntLE(at, size);
}

/** Many more than cameras write. */
const maxEntries = 200;

/** The entries by their tag: how many values they have, and where the value or its place stands. */
function readDirectory(read: Reader, at: number) {
  const count = read.short(at);
  const entries = new Map<number, { readonly count: number; readonly valueAt: number }>();
  for (let index = 0; index < Math.min(count, maxEntries); index += 1) {
    const entryAt = at + 2 + entryBytes * index;
    entries.set(read.short(entryAt), { count: read.long(entryAt + 4), valueAt: entryAt + 8 });
  }
  return entries;
}

function readComment(
  bytes: Buffer,
  { at, count, isBig }: { readonly at: number; readonly count: number; readonly isBig: boolean },
): string | undefined {
  const isBounded = count <= unicodeMark.length + 2 * maxRecipeLength && at + count <= bytes.length;
  const comment = isBounded ? bytes.subarray(at, at + count) : Buffer.alloc(0);
  if (comment.length % 2 !== 0 || !comment.subarray(0, unicodeMark.length).equals(unicodeMark)) {
    return undefined;
  }
  const text = Buffer.from(comment.subarray(unicodeMark.length));
  return rewriteParameters((isBig ? text.swap16() : text).toString('utf16le'));
}
