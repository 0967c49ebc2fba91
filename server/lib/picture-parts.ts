/** The parts of a PNG, JPEG or WebP: its chunks and segments, and how each is written. */
import { crc32 } from 'node:zlib';

/** More than encoders write. A file of more is not taken apart, as each part takes memory. */
const maxParts = 50_000;

/** A chunk or a segment of a file. */
export type Part = {
  readonly name: string;
  /** With its head and its end. */
  readonly whole: Buffer;
  readonly content: Buffer;
};

export const pngHeadBytes = 8;

export function readPngChunks(bytes: Buffer): readonly Part[] | undefined {
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

export function createPngChunk(name: string, content: Buffer): Buffer {
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
export const jpegMarks = { scan: 0xda, end: 0xd9, comment: 0xfe } as const;

/** Everything before the end of the picture, without the bytes that fill up. */
export function readJpegSegments(bytes: Buffer): readonly Part[] | undefined {
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

export function createJpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

export const riffHeadBytes = 12;
export const webpFlags = { profile: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 } as const;

export function readWebpChunks(bytes: Buffer): readonly Part[] | undefined {
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

/** Chunks begin at even places. */
export function createWebpChunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}
