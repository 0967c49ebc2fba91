/** What kind of picture a file is, by its first bytes: what it calls itself says nothing. */

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Undefined when it is none that browsers show. */
export function detectPictureType(bytes: Buffer): PictureType | undefined {
  const begin = bytes.subarray(0, 12).toString('latin1');
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) {
    return 'image/png';
  }
  if (begin.startsWith('\xff\xd8\xff')) {
    return 'image/jpeg';
  }
  return /^RIFF.{4}WEBP$/s.test(begin) ? 'image/webp' : undefined;
}
