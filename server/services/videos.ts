/** Videos: a token that opens one stream for a while, and where the stream comes from. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { rangeHeaders, readRange } from '#server/lib/byte-range';
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';
import { type FileStream, streamRemoteFile } from '#server/upstream/remote-file';

/** Long enough for a film with a break; a token in an address must not live for ever. */
const videoTokenLifetimeMs = 3 * 60 * 60_000;
const randomBytes = 16;
const timeBytes = 6;

/** What is streamed while no source is set: a bouncing mascot with a time code. */
const testFilm = join(import.meta.dirname, '../assets/test-film.webm');

export type Videos = {
  /** A new token, good for this video only. */
  readonly token: (videoId: string) => string;
  /** The stream, or a part of it (`range` as the browser sends it). Throws `video_token_invalid`. */
  readonly stream: (
    video: { readonly id: string; readonly token: string; readonly range: string | undefined },
    signal: AbortSignal,
  ) => Promise<FileStream>;
};

export function createVideos({
  env,
  clock,
  random,
}: Pick<Dependencies, 'env' | 'clock' | 'random'>): Videos {
  const sign = (videoId: string, head: Buffer) =>
    createHmac('sha256', env.secretKey).update(`video|${videoId}|`).update(head).digest();

  function isGood(videoId: string, token: string): boolean {
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

    stream: async ({ id, token, range }, signal) => {
      if (!isGood(id, token)) {
        throw new AppError('video_token_invalid');
      }
      return env.videoSource === undefined
        ? streamLocalFile(testFilm, 'video/webm', range)
        : streamRemoteFile(env.videoSource.replace('{id}', encodeURIComponent(id)), range, signal);
    },
  };
}

/** A file of our own, or the part of it that was asked for. */
async function streamLocalFile(
  path: string,
  type: string,
  header: string | undefined,
): Promise<FileStream> {
  const { size } = await stat(path);
  const range = readRange(header, size);
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { 'Content-Range': `bytes */${size}` }, body: null };
  }
  return {
    status: range ? 206 : 200,
    headers: { 'Content-Type': type, ...rangeHeaders(range, size) },
    body: webStream(createReadStream(path, range ?? {})),
  };
}

/** As the web has streams; one that is given up closes its file. */
function webStream(file: ReadStream): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = file[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: () => void file.destroy(),
  });
}
