/** Videos: tokens that allow to stream one video for a while, and the streams. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type Dependencies } from '#server/app/dependencies';
import { rangeHeaders, readRange } from '#server/lib/byte-range';
import { AppError } from '#server/lib/errors';
import { videoTokenLifetimeMs } from '#server/lib/limits';
import { type FileQuestion, type FileStream, streamRemoteFile } from '#server/upstream/remote-file';

const randomBytes = 16;
const timeBytes = 6;

/** Streamed when VIDEO_SOURCE is not set: a bouncing mascot with a time code. */
const testFilm = join(import.meta.dirname, '../assets/test-film.webm');

export type Videos = {
  /** A new token, valid for this video only. */
  readonly token: (videoId: string) => string;
  /** The stream, or a part of it. Throws `video_token_invalid`. */
  readonly stream: (
    video: { readonly id: string; readonly token: string },
    question: FileQuestion,
  ) => Promise<FileStream>;
};

export function createVideos({
  env,
  clock,
  random,
}: Pick<Dependencies, 'env' | 'clock' | 'random'>): Videos {
  const key = Buffer.from(hkdfSync('sha256', env.secretKey, '', 'nori videos', 32));
  const sign = (videoId: string, head: Buffer) =>
    createHmac('sha256', key).update(`${videoId}|`).update(head).digest();

  function isValid(videoId: string, token: string): boolean {
    const bytes = Buffer.from(token, 'base64url');
    const head = bytes.subarray(0, randomBytes + timeBytes);
    const expected = sign(videoId, head);
    const given = bytes.subarray(randomBytes + timeBytes);
    return (
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      head.readUIntBE(randomBytes, timeBytes) > clock()
    );
  }

  return {
    token: (videoId) => {
      const head = Buffer.alloc(randomBytes + timeBytes);
      random.bytes(randomBytes).copy(head);
      head.writeUIntBE(clock() + videoTokenLifetimeMs, randomBytes, timeBytes);
      return Buffer.concat([head, sign(videoId, head)]).toString('base64url');
    },

    stream: async ({ id, token }, question) => {
      if (!isValid(id, token)) {
        throw new AppError('video_token_invalid');
      }
      return env.videoSource === undefined
        ? streamLocalFile(testFilm, 'video/webm', question)
        : streamRemoteFile(env.videoSource.replaceAll('{id}', encodeURIComponent(id)), question);
    },
  };
}

/** A file of the server, or the requested part of it. */
async function streamLocalFile(
  path: string,
  type: string,
  { isHead, range: header }: FileQuestion,
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

/** A web stream of a file, which is opened at the first read and closed when the reader cancels. */
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
