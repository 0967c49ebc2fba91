/** The files of pictures as other programs write them, byte by byte. */
import { crc32 } from 'node:zlib';

/** A chunk of a PNG. */
export function pngChunk(name: string, content: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(name), Buffer.from(content)]);
  const whole = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(4)]);
  whole.writeUInt32BE(body.length - 4, 0);
  whole.writeUInt32BE(crc32(body), whole.length - 4);
  return whole;
}

const pngHead = 33;

/** Puts chunks between the header of a PNG and its pixels. */
export const withPngChunks = (png: Buffer, ...chunks: readonly Buffer[]) =>
  Buffer.concat([png.subarray(0, pngHead), ...chunks, png.subarray(pngHead)]);

/** One grey pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGN4CAAA6gDpufpnWQAAAABJRU5ErkJggg==',
  'base64',
);

/** A segment of a JPEG. */
export function jpegSegment(marker: number, content: Buffer | string): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(Buffer.byteLength(content) + 2, 2);
  return Buffer.concat([head, Buffer.from(content)]);
}

/** A JPEG without pixels: readers of metadata stop before them. */
export const jpegWith = (...segments: readonly Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 2])]);

export function webpWith(...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = chunks.map(([name, content]) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(content.length);
    return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
  });
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** EXIF data with texts in the main directory and in the inner one, by their tags. */
export function exifWith(
  main: Readonly<Record<number, Buffer | string>>,
  inner: Readonly<Record<number, Buffer | string>> = {},
  order: 'II' | 'MM' = 'MM',
): Buffer {
  const isBig = order === 'MM';
  const u16 = (value: number) => {
    const bytes = Buffer.alloc(2);
    return isBig ? (bytes.writeUInt16BE(value), bytes) : (bytes.writeUInt16LE(value), bytes);
  };
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    return isBig ? (bytes.writeUInt32BE(value), bytes) : (bytes.writeUInt32LE(value), bytes);
  };
  const exifTag = 0x8769;
  /** A directory whose values follow it. */
  const directory = (
    entries: readonly (readonly [number, Buffer])[],
    at: number,
    pointer?: number,
  ): Buffer => {
    const count = entries.length + (pointer === undefined ? 0 : 1);
    let valueAt = at + 2 + 12 * count + 4;
    const values: Buffer[] = [];
    const rows = entries.map(([tag, content]) => {
      const row = Buffer.concat([u16(tag), u16(7), u32(content.length), u32(valueAt)]);
      values.push(content);
      valueAt += content.length;
      return row;
    });
    const link =
      pointer === undefined ? [] : [Buffer.concat([u16(exifTag), u16(4), u32(1), u32(pointer)])];
    return Buffer.concat([u16(count), ...rows, ...link, u32(0), ...values]);
  };
  const toEntries = (some: Readonly<Record<number, Buffer | string>>) =>
    Object.entries(some).map(([tag, content]) => [Number(tag), Buffer.from(content)] as const);
  const mainLength = directory(toEntries(main), 8, 0).length;
  return Buffer.concat([
    Buffer.from(order),
    u16(42),
    u32(8),
    directory(toEntries(main), 8, 8 + mainLength),
    directory(toEntries(inner), 8 + mainLength),
  ]);
}
