/** Streams a file of another server, whole or in parts, without keeping it. */
import { AppError } from '#server/lib/errors';

/** A file on its way: what to answer it with. */
export type FileStream = {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array> | null;
};

/** Milliseconds until the other server has begun to answer. */
const startTimeoutMs = 15_000;

const passedOn = ['Content-Type', 'Content-Length', 'Content-Range', 'Accept-Ranges'] as const;

/**
 * Asks for a file. Redirects are not followed: the address comes from whoever runs the server, and
 * where it leads they have not said. Throws `video_not_found` or `service_unavailable`.
 */
export async function streamRemoteFile(
  url: string,
  range: string | undefined,
  signal: AbortSignal,
): Promise<FileStream> {
  const start = new AbortController();
  const timer = setTimeout(() => start.abort(), startTimeoutMs);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: range === undefined ? {} : { Range: range },
      signal: AbortSignal.any([signal, start.signal]),
    });
    const { status, body } = response;
    if (status === 404 || status === 410) {
      throw new AppError('video_not_found');
    }
    if (status !== 200 && status !== 206 && status !== 416) {
      throw new AppError('service_unavailable');
    }
    const headers = passedOn.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status, headers: Object.fromEntries(headers), body };
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('service_unavailable');
  } finally {
    clearTimeout(timer);
  }
}
