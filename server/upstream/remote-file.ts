/** Streams a film of another server, whole or in parts, without keeping it. */
import { AppError } from '#server/lib/errors';

import { askStream, NoAnswer } from './ask.ts';

/** A file on its way: what to answer it with. */
export type FileStream = {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array> | null;
};

/** Who asks, for what of it. */
export type FileQuestion = {
  /** Whether the browser asks for the headers alone. */
  readonly isHead: boolean;
  /** As the browser sends it. */
  readonly range: string | undefined;
  readonly signal: AbortSignal;
};

/** Milliseconds until the other server has begun to answer. */
const usualTimeoutMs = 15_000;

const passedOn = ['Content-Type', 'Content-Length', 'Content-Range', 'Accept-Ranges'] as const;
const oneRange = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;
/** Anything else, such as a page, must not come from our own address. */
const filmTypes = /^(?:video\/|audio\/|application\/octet-stream)/i;

/**
 * Asks for a film. Redirects are not followed: the address comes from whoever runs the server, and
 * where it leads they have not said. Throws `video_not_found` or `service_unavailable`.
 */
export async function streamRemoteFile(
  url: string,
  { isHead, range, signal }: FileQuestion,
  timeoutMs = usualTimeoutMs,
): Promise<FileStream> {
  const response = await open(url, { isHead, range, signal }, timeoutMs);
  const { status, headers, body } = response;
  const isPart = status === 206 || status === 416;
  if ((status === 200 || isPart) && isFilm(headers, status)) {
    const known = passedOn.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status, headers: Object.fromEntries(known), body: isHead ? null : body };
  }
  // Left unread it would hold the connection.
  await body?.cancel();
  throw new AppError(status === 404 || status === 410 ? 'video_not_found' : 'service_unavailable');
}

async function open(
  url: string,
  { isHead, range, signal }: FileQuestion,
  timeoutMs: number,
): Promise<Response> {
  try {
    return await askStream({
      url,
      method: isHead ? 'HEAD' : 'GET',
      headers: {
        // Packed, its length would not be the length that we pass on.
        'Accept-Encoding': 'identity',
        ...(range !== undefined && oneRange.test(range) ? { Range: range } : {}),
      },
      timeoutMs,
      signal,
    });
  } catch (error) {
    throw error instanceof NoAnswer ? new AppError('service_unavailable') : error;
  }
}

function isFilm(headers: Headers, status: number): boolean {
  return (
    !headers.has('Content-Encoding') &&
    (status === 416 || filmTypes.test(headers.get('Content-Type') ?? ''))
  );
}
