/** Reads Range headers, and makes the headers of the answer. */

/** Both ends are included, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Reads a Range header. `undefined` means the whole file: no header, another unit, or several ranges
 * (which may be ignored). `unsatisfiable` lies outside the file.
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first !== '') {
    return fromStart(Number(first), last === '' ? size - 1 : Number(last), size);
  }
  return last === '' ? undefined : fromEnd(Number(last), size);
}

function fromStart(start: number, end: number, size: number) {
  if (start >= size) {
    return 'unsatisfiable';
  }
  return end < start ? undefined : { start, end: Math.min(end, size - 1) };
}

/** The last bytes: `bytes=-500`. */
function fromEnd(length: number, size: number) {
  return length === 0 || size === 0
    ? 'unsatisfiable'
    : { start: Math.max(0, size - length), end: size - 1 };
}

/** The headers of an answer with a whole file, or with a range of it. */
export function rangeHeaders(
  range: ByteRange | undefined,
  size: number,
): Readonly<Record<string, string>> {
  const length = range ? range.end - range.start + 1 : size;
  return {
    'Accept-Ranges': 'bytes',
    'Content-Length': String(length),
    ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  };
}
