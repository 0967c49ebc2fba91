/** Writes text into a PNG where other programs look for it: in chunks of their own, after the header. */
import { crc32 } from 'node:zlib';

/** Bytes of the signature and the header chunk, which comes first. */
const headerEnd = 33;

/** Keyword → text; keywords are Latin letters, texts may have any. */
export function withTexts(png: Buffer, texts: Readonly<Record<string, string>>): Buffer {
  const chunks = Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text));
  return Buffer.concat([png.subarray(0, headerEnd), ...chunks, png.subarray(headerEnd)]);
}

/** An international text (iTXt): not compressed, of no language, with no translated keyword. */
function textChunk(keyword: string, text: string): Buffer {
  const body = Buffer.concat([Buffer.from(`iTXt${keyword}\0\0\0\0\0`), Buffer.from(text, 'utf8')]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
