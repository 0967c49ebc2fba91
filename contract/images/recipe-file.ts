/**
 * Reads the recipe inside of a picture's file: PNG texts, and the EXIF data of PNG, WebP and JPEG. Nothing of the file is
 * trusted: sizes and counts are bounded, and what cannot be read is skipped.
 */
import { Unzlib } from 'fflate';

import {
  type FoundRecipe,
  readComfyGraph,
  readInvokeMetadata,
  readOwnRecipe,
  readParameters,
} from './recipe-text.ts';

/** Larger files are not read for a recipe. */
export const maxRecipeFileBytes = 30 * 1024 * 1024;
/** A graph of ComfyUI may be long. */
const maxTextBytes = 4 * 1024 * 1024;
/** More than encoders write. */
const maxParts = 50_000;

/** The keys of PNG texts, in the order in which they are believed. */
const readers = {
  nori: readOwnRecipe,
  parameters: readParameters,
  invokeai_metadata: readInvokeMetadata,
  prompt: readComfyGraph,
} as const satisfies Readonly<Record<string, (text: string) => FoundRecipe | undefined>>;

type Key = keyof typeof readers;
const keys: readonly Key[] = ['nori', 'parameters', 'invokeai_metadata', 'prompt'];
type Texts = Partial<Record<Key, string>>;

/** Undefined when the file has none, or is no picture. */
export function readRecipe(bytes: Uint8Array): FoundRecipe | undefined {
  if (bytes.length > maxRecipeFileBytes) {
    return undefined;
  }
  const texts = readTexts(bytes);
  for (const key of keys) {
    const text = texts[key];
    const found = text === undefined ? undefined : readers[key](text);
    if (found) {
      return found;
    }
  }
  return undefined;
}

function readTexts(bytes: Uint8Array): Texts {
  const begin = readLatin(bytes, 0, 12);
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) {
    return readPng(bytes);
  }
  if (begin.startsWith('\xff\xd8\xff')) {
    return readJpeg(bytes);
  }
  return isWebp(begin) ? readWebp(bytes) : {};
}

const isWebp = (begin: string) => /^RIFF[^]{4}WEBP$/.test(begin);

const toView = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

/** One character for each byte; a part of a file only, as each takes an argument. */
function readLatin(bytes: Uint8Array, from: number, to: number): string {
  return [...bytes.subarray(from, to)].map((byte) => String.fromCharCode(byte)).join('');
}

const utf8 = new TextDecoder();

function readPng(bytes: Uint8Array): Texts {
  const view = toView(bytes);
  const texts: Texts = {};
  const unread = new Set(keys);
  let at = 8;
  for (let parts = 0; parts < maxParts && at + 12 <= bytes.length; parts += 1) {
    const end = at + 8 + view.getUint32(at);
    const name = readLatin(bytes, at + 4, at + 8);
    const content = bytes.subarray(at + 8, end);
    const found =
      end > bytes.length || content.length > maxTextBytes
        ? {}
        : name === 'eXIf'
          ? toTexts(readExif(content))
          : readPngText(name, content, unread);
    // The first one counts.
    Object.assign(texts, { ...found, ...texts });
    at = end + 4;
  }
  return texts;
}

/** Only the first text of a key is read: unpacking thousands, of a few bytes each, would take minutes. */
function readPngText(type: string, content: Uint8Array, unread: Set<Key>): Texts {
  const keyEnd = content.indexOf(0);
  const key = keys.find((one) => one.length === keyEnd && one === readLatin(content, 0, keyEnd));
  if (key === undefined || !['tEXt', 'zTXt', 'iTXt'].includes(type) || !unread.delete(key)) {
    return {};
  }
  if (type === 'tEXt') {
    return { [key]: new TextDecoder('latin1').decode(content.subarray(keyEnd + 1)) };
  }
  const isPacked = type === 'zTXt' || content[keyEnd + 1] === 1;
  const languageEnd = content.indexOf(0, keyEnd + 3);
  const from = type === 'zTXt' ? keyEnd + 2 : content.indexOf(0, languageEnd + 1) + 1;
  if (type === 'iTXt' && (languageEnd === -1 || from === 0)) {
    return {};
  }
  const packed = content.subarray(from);
  const plain = isPacked ? inflate(packed) : packed;
  return plain ? { [key]: utf8.decode(plain) } : {};
}

const pieceBytes = 4096;

/** A few bytes may be gigabytes: undefined when it is more than a text may have. */
function inflate(packed: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Unzlib((part) => {
    size += part.length;
    parts.push(part);
  });
  try {
    for (let at = 0; at < packed.length; at += pieceBytes) {
      stream.push(packed.subarray(at, at + pieceBytes), at + pieceBytes >= packed.length);
      if (size > maxTextBytes) {
        return undefined;
      }
    }
  } catch {
    return undefined;
  }
  return join(parts);
}

const exifMark = 'Exif\0\0';

function readJpeg(bytes: Uint8Array): Texts {
  const view = toView(bytes);
  let at = 2;
  for (let parts = 0; parts < maxParts && at + 4 <= bytes.length; parts += 1) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === 0xda) {
      return {};
    }
    // A marker may be filled up with more of its first byte.
    const isFilled = marker === 0xff;
    const end = isFilled ? at + 1 : at + 2 + view.getUint16(at + 2);
    if (marker === 0xe1 && readLatin(bytes, at + 4, at + 10) === exifMark) {
      return toTexts(readExif(bytes.subarray(at + 10, end)));
    }
    at = end;
  }
  return {};
}

function readWebp(bytes: Uint8Array): Texts {
  const view = toView(bytes);
  let at = 12;
  for (let parts = 0; parts < maxParts && at + 8 <= bytes.length; parts += 1) {
    const size = view.getUint32(at + 4, true);
    if (readLatin(bytes, at, at + 4) === 'EXIF') {
      const content = bytes.subarray(at + 8, at + 8 + size);
      // Some programs write the mark of a JPEG's segment.
      const isMarked = readLatin(content, 0, exifMark.length) === exifMark;
      return toTexts(readExif(isMarked ? content.subarray(exifMark.length) : content));
    }
    at += 8 + size + (size % 2);
  }
  return {};
}

const tags = {
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  software: 0x0131,
  exifDirectory: 0x8769,
  makerNote: 0x927c,
  userComment: 0x9286,
} as const;

/** Before our JSON in the part of the EXIF data that belongs to who made a picture. */
export const ownNoteMark = 'NORI\0';

export type ExifFacts = {
  /** From 1 to 8; 1 is as stored. */
  readonly orientation: number | undefined;
  readonly software: string | undefined;
  /** A text as A1111 writes it, or any other. */
  readonly comment: string | undefined;
  /** Our own JSON. */
  readonly own: string | undefined;
  /** Where cameras name themselves, and ComfyUI writes its graph. */
  readonly devices: readonly string[];
};

const nothing: ExifFacts = {
  orientation: undefined,
  software: undefined,
  comment: undefined,
  own: undefined,
  devices: [],
};

/** Reads EXIF data from the TIFF header on; nothing of it when it is not valid. */
export function readExif(bytes: Uint8Array): ExifFacts {
  const order = readLatin(bytes, 0, 4);
  const isLittle = order === 'II*\0';
  if (bytes.length < 8 || !(isLittle || order === 'MM\0*')) {
    return nothing;
  }
  const read = createReader(bytes, isLittle);
  const main = read.directory(read.long(4));
  const inner = read.directory(read.long(main.get(tags.exifDirectory)?.valueAt));
  const orientation = read.short(main.get(tags.orientation)?.valueAt);
  const note = read.bytes(inner.get(tags.makerNote));
  const comment = read.bytes(inner.get(tags.userComment));
  const isOwn = note && readLatin(note, 0, ownNoteMark.length) === ownNoteMark;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : undefined,
    software: read.text(main.get(tags.software)),
    comment: comment && readComment(comment, isLittle),
    own: isOwn ? utf8.decode(note.subarray(ownNoteMark.length)) : undefined,
    devices: [tags.model, tags.make].flatMap((tag) => read.text(main.get(tag)) ?? []),
  };
}

type Entry = { readonly count: number; readonly valueAt: number };

/** Many more than cameras write. */
const maxEntries = 200;
const entryBytes = 12;

/** Numbers outside the bytes are NaN. */
function createReader(bytes: Uint8Array, isLittle: boolean) {
  const view = toView(bytes);
  const has = (at: number, size: number) => at >= 0 && at + size <= bytes.length;
  const short = (at = Number.NaN) => (has(at, 2) ? view.getUint16(at, isLittle) : Number.NaN);
  const long = (at = Number.NaN) => (has(at, 4) ? view.getUint32(at, isLittle) : Number.NaN);

  /** Values of up to four bytes stand in the entry itself. */
  function content(entry: Entry | undefined): Uint8Array | undefined {
    const { count = 0, valueAt = 0 } = entry ?? {};
    const at = count <= 4 ? valueAt : long(valueAt);
    return count > 0 && count <= maxTextBytes && has(at, count)
      ? bytes.subarray(at, at + count)
      : undefined;
  }

  return {
    short,
    long,
    bytes: content,

    text(entry: Entry | undefined): string | undefined {
      const found = content(entry);
      return found && utf8.decode(found).replace(/\0[^]*$/, '');
    },

    directory(at: number): ReadonlyMap<number, Entry> {
      const count = Math.min(short(at), maxEntries);
      const entries = new Map<number, Entry>();
      for (let index = 0; index < count; index += 1) {
        const entryAt = at + 2 + entryBytes * index;
        entries.set(short(entryAt), { count: long(entryAt + 4), valueAt: entryAt + 8 });
      }
      return entries;
    },
  };
}

/** The first eight bytes of a comment say its characters. */
const commentHeadBytes = 8;

function readComment(bytes: Uint8Array, isLittle: boolean): string {
  const head = readLatin(bytes, 0, commentHeadBytes);
  const rest = bytes.subarray(commentHeadBytes);
  if (head === 'UNICODE\0') {
    return readWide(rest, isLittle);
  }
  const isKnown = head === 'ASCII\0\0\0' || head === '\0'.repeat(commentHeadBytes);
  return utf8.decode(isKnown ? rest : bytes).replace(/\0+$/, '');
}

/** UTF-16. Programs do not agree on its order, so that it is told by where the zeros of Latin letters are. */
function readWide(bytes: Uint8Array, isLittle: boolean): string {
  let zeros = 0;
  for (const [index, byte] of bytes.entries()) {
    zeros += byte === 0 ? (index % 2 === 0 ? -1 : 1) : 0;
  }
  const isSwapped = zeros === 0 ? !isLittle : zeros < 0;
  const even = bytes.slice(0, bytes.length - (bytes.length % 2));
  if (isSwapped) {
    for (let at = 0; at < even.length; at += 2) {
      even.set([even[at + 1] ?? 0, even[at] ?? 0], at);
    }
  }
  return new TextDecoder('utf-16le').decode(even).replace(/\0+$/, '');
}

const comfyMark = 'prompt:';

function toTexts({ own, comment, devices }: ExifFacts): Texts {
  const graph = devices.find((text) => text.startsWith(comfyMark));
  return {
    ...(own === undefined ? {} : { nori: own }),
    ...(comment === undefined ? {} : { parameters: comment }),
    ...(graph === undefined ? {} : { prompt: graph.slice(comfyMark.length) }),
  };
}

const pngTexts = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf']);
/** EXIF and XMP data, those of Photoshop, and comments. */
const jpegTexts = new Set([0xe1, 0xed, 0xfe]);
const webpTexts = new Set(['EXIF', 'XMP ']);
/** In the head of a WebP that has them. */
const webpTextFlags = 0x08 | 0x04;

/** The file without all that is said in it; undefined when it cannot be taken apart. */
export function withoutRecipe(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const begin = readLatin(bytes, 0, 12);
  const cut = begin.startsWith('\x89PNG\r\n\x1a\n')
    ? cutPng(bytes)
    : begin.startsWith('\xff\xd8\xff')
      ? cutJpeg(bytes)
      : isWebp(begin)
        ? cutWebp(bytes)
        : undefined;
  return cut && join(cut);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

function cutPng(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const view = toView(bytes);
  const kept = [bytes.subarray(0, 8)];
  let at = 8;
  while (kept.length < maxParts && at + 12 <= bytes.length) {
    const end = at + 12 + view.getUint32(at);
    const name = readLatin(bytes, at + 4, at + 8);
    if (!pngTexts.has(name)) {
      kept.push(bytes.subarray(at, end));
    }
    if (name === 'IEND') {
      return kept;
    }
    at = end;
  }
  return undefined;
}

function cutJpeg(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const view = toView(bytes);
  const kept = [bytes.subarray(0, 2)];
  let at = 2;
  while (kept.length < maxParts && at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xda) {
      return [...kept, bytes.subarray(at)];
    }
    const end = marker === 0xff ? at + 1 : at + 2 + view.getUint16(at + 2);
    if (!jpegTexts.has(marker)) {
      kept.push(bytes.subarray(at, end));
    }
    at = end;
  }
  return undefined;
}

function cutWebp(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const view = toView(bytes);
  const head = bytes.slice(0, 12);
  const kept = [head];
  let [at, size] = [12, 4];
  while (kept.length < maxParts && at + 8 <= bytes.length) {
    const end = at + 8 + view.getUint32(at + 4, true);
    const name = readLatin(bytes, at, at + 4);
    const chunk = bytes.slice(at, end + (end % 2));
    if (name === 'VP8X') {
      chunk[8] = (chunk[8] ?? 0) & ~webpTextFlags;
    }
    if (!webpTexts.has(name)) {
      kept.push(chunk);
      size += chunk.length;
    }
    at = end + (end % 2);
  }
  toView(head).setUint32(4, size, true);
  return at === bytes.length ? kept : undefined;
}
