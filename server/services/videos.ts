/** Videos: tokens that open one stream for a while, and the streams themselves. */
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type Dependencies } from '#server/app/dependencies';
import { rangeHeaders, readRange } from '#server/lib/byte-range';
import { createSigner, deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { videoTokenLifetimeMs } from '#server/lib/limits';
import { fetchStream, NoReply } from '#server/upstream/fetch-json';

const randomBytes = 16;
const timeBytes = 6;

/** Streamed while no source is configured: a bouncing mascot with a time code. */
const testFilm = join(import.meta.dirname, '../assets/test-film.webm');

type FileStream = {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array> | null;
};

type StreamRequest = {
  /** Whether only the headers are requested. */
  readonly isHead: boolean;
  /** The Range header of the browser. */
  readonly range: string | undefined;
  readonly signal: AbortSignal;
};

export type Videos = {
  /** Returns a new token, valid for this video only. */
  readonly token: (videoId: string) => string;
  /** Throws `video_token_invalid`, `video_not_found` or `service_unavailable`. */
  readonly stream: (
    video: { readonly id: string; readonly token: string },
    request: StreamRequest,
  ) => Promise<FileStream>;
};

/** What is signed. */
const toData = (videoId: string, head: Buffer) => Buffer.concat([Buffer.from(`${videoId}|`), head]);

export function createVideos({
  env,
  clock,
  random,
}: Pick<Dependencies, 'env' | 'clock' | 'random'>): Videos {
  const signer = createSigner(deriveKeys(env.secretKeys, 'nori videos'));

  function isValid(videoId: string, token: string): boolean {
    const bytes = Buffer.from(token, 'base64url');
    const head = bytes.subarray(0, randomBytes + timeBytes);
    return (
      signer.isSigned(toData(videoId, head), bytes.subarray(randomBytes + timeBytes)) &&
      head.readUIntBE(randomBytes, timeBytes) > clock()
    );
  }

  return {
    token: (videoId) => {
      const head = Buffer.alloc(randomBytes + timeBytes);
      random.bytes(randomBytes).copy(head);
      head.writeUIntBE(clock() + videoTokenLifetimeMs, randomBytes, timeBytes);
      return Buffer.concat([head, signer.sign(toData(videoId, head))]).toString('base64url');
    },

    stream: async ({ id, token }, request) => {
      if (!isValid(id, token)) {
        throw new AppError('video_token_invalid');
      }
      return env.videoSource === undefined
        ? streamLocalFile(testFilm, 'video/webm', request)
        : streamRemoteFile(env.videoSource.replaceAll('{id}', encodeURIComponent(id)), request);
    },
  };
}

async function streamLocalFile(
  path: string,
  type: string,
  { isHead, range: header }: StreamRequest,
): Promise<FileStream> {
  const { size } = await stat(path);
  const range = readRange(header, size);
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { 'Content-Range': `bytes */${size}` }, body: null };
  }
  return {
    status: range ? 206 : 200,
    headers: { 'Content-Type': type, ...rangeHeaders(range, size) },
    body: isHead ? null : toWebStream(() => createReadStream(path, range ?? {})),
  };
}

/** A web stream that opens its file at the first read and closes it when it is cancelled. */
function toWebStream(open: () => ReadStream): ReadableStream<Uint8Array> {
  let file: ReadStream | undefined;
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        file ??= open();
        chunks ??= file[Symbol.asyncIterator]();
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      cancel: () => void file?.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** Milliseconds until the headers of the other server must have arrived. */
const timeoutMs = 15_000;

const forwardedHeaders = [
  'Content-Type',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
] as const;
const singleRange = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;
/** Other types, such as HTML, must not be served from our own origin. */
const filmTypes = /^(?:video\/|audio\/|application\/octet-stream)/i;

/** Redirects are not followed, because the operator has allowed this address only. */
async function streamRemoteFile(
  url: string,
  { isHead, range, signal }: StreamRequest,
): Promise<FileStream> {
  const { status, headers, body } = await fetchStream({
    service: 'videos',
    url,
    method: isHead ? 'HEAD' : 'GET',
    headers: {
      // A compressed body would not have the length that is forwarded.
      'Accept-Encoding': 'identity',
      ...(range !== undefined && singleRange.test(range) ? { Range: range } : {}),
    },
    timeoutMs,
    signal,
  }).catch(throwUnavailable);
  const isPart = status === 206 || status === 416;
  if ((status === 200 || isPart) && isFilm(headers, status)) {
    const known = forwardedHeaders.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status, headers: Object.fromEntries(known), body: isHead ? null : body };
  }
  // An unread body would keep the connection open.
  await body?.cancel();
  throw new AppError(status === 404 || status === 410 ? 'video_not_found' : 'service_unavailable');
}

function throwUnavailable(error: unknown): never {
  throw error instanceof NoReply ? new AppError('service_unavailable') : error;
}

function isFilm(headers: Headers, status: number): boolean {
  return (
    !headers.has('Content-Encoding') &&
    (status === 416 || filmTypes.test(headers.get('Content-Type') ?? ''))
  );
}
