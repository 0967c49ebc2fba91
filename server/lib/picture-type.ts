/** Detects the type of a picture by its first bytes, as its declared type cannot be trusted. */

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Undefined for other files. */
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
