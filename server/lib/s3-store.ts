/** Stores bytes under names in a bucket of an S3 service, where all machines find them. */
import { AwsClient } from 'aws4fetch';
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';

import { AppError } from './errors.ts';
import { type Draft, type ObjectLinks, type ObjectStore, openDraftFile } from './object-store.ts';
import { detectPictureType } from './picture-type.ts';

export type BucketSettings = {
  readonly endpoint: string;
  /** As browsers reach it. */
  readonly publicEndpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

type Tools = {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly clock?: () => number;
  /** How long calls are repeated, in milliseconds. */
  readonly retryForMs?: typeof retryTimesMs;
  /** How long the service may take to begin an answer, in milliseconds. */
  readonly answerMs?: number;
};

/** Rules of expiry belong to a bucket's folders, so what is kept for a day has its own. By the last part of a name. */
const folders: Readonly<Record<string, string>> = {
  job: 'jobs',
  archive: 'exports',
  cover: 'drawings',
  style: 'drawings',
};
const otherFolder = 'pictures';
const allFolders = new Set([otherFolder, ...Object.values(folders)]);

function toKey(name: string): string {
  return `${folders[name.slice(name.lastIndexOf('-') + 1)] ?? otherFolder}/${name}`;
}

function toName(key: string): string | undefined {
  const [folder = '', name = ''] = key.split('/', 2);
  return allFolders.has(folder) && key === toKey(name) ? name : undefined;
}

/** What was paid for is worth a longer wait than what is shown. A removal is tried again by its row. */
const retryTimesMs = { GET: 10_000, HEAD: 10_000, PUT: 30_000, DELETE: 1000 };
const busyRetryS = 5;
const firstPauseMs = 100;
const maxPauseMs = 3000;
/** What a slow line carries in a second. */
const bytesPerMs = 500;
/** For the rest of an answer that has begun. */
const bodyMs = 60_000;
/** As the server says of pictures: only the browser that was given the link may keep it. */
const cacheControl = 'private, max-age=86400, immutable';

type Call = {
  readonly method: keyof typeof retryTimesMs;
  /** After the address of the bucket, with a query if any. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try. */
  readonly getBody?: () => BodyInit;
  /** Bytes of the body. */
  readonly size?: number;
};

type Answer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

/** Sends calls until they are answered, or there is no time left: then throws `busy`. */
function createCaller(settings: BucketSettings, tools: Tools) {
  const { log, retryForMs = retryTimesMs, answerMs = 10_000 } = tools;
  const { accessKeyId, secretAccessKey, region } = settings;
  // It would repeat calls without an end to the waiting, and read bodies into memory.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const address = toAddress(settings.endpoint, settings.bucket);

  async function send({ method, path, headers = {}, getBody, size }: Call): Promise<Answer> {
    const abort = new AbortController();
    const giveUpIn = (ms: number) => setTimeout(() => abort.abort(new Error('no answer')), ms);
    const timer = giveUpIn(answerMs + (size ?? 0) / bytesPerMs);
    let bodyTimer: NodeJS.Timeout | undefined;
    try {
      const signed = await client.sign(`${address}/${path}`, {
        method,
        headers: { ...headers, ...(size === undefined ? {} : { 'Content-Length': String(size) }) },
      });
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'manual',
        signal: abort.signal,
        // Undici requires `duplex` for a stream, and the type of a request does not have it yet.
        ...(getBody === undefined ? {} : { body: getBody(), duplex: 'half' }),
      });
      clearTimeout(timer);
      bodyTimer = giveUpIn(bodyMs);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, bytes };
    } finally {
      clearTimeout(timer);
      clearTimeout(bodyTimer);
    }
  }

  /** The answer if it is final; else why it is not one. */
  async function tryOnce(call: Call): Promise<Answer | { readonly reason: unknown }> {
    try {
      const answer = await send(call);
      const isFinal = answer.status < 500 && answer.status !== 429;
      return isFinal ? answer : { reason: new Error(`${answer.status} ${readCode(answer)}`) };
    } catch (error) {
      return { reason: error };
    }
  }

  return async (call: Call): Promise<Answer> => {
    const deadline = Date.now() + retryForMs[call.method];
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const answer = await tryOnce(call);
      if (!('reason' in answer)) {
        if (answer.status < 300 || (call.method !== 'PUT' && isMissing(answer))) {
          return answer;
        }
        // Such as a wrong secret: no other try will do, but the operator can mend it.
        log.error({ status: answer.status, reason: readCode(answer) }, 'The bucket refused a call');
        throw new AppError('busy', { retryAfterS: busyRetryS });
      }
      // Half of it by chance, so that not all callers come back at once.
      const nextMs = pauseMs * (0.5 + Math.random() / 2);
      if (Date.now() + nextMs >= deadline) {
        log.warn({ err: answer.reason }, 'The bucket does not answer');
        throw new AppError('busy', { retryAfterS: busyRetryS });
      }
      await sleep(nextMs);
    }
  };
}

/** Not a bucket that is missing, which is a mistake in the settings. */
function isMissing(answer: Answer): boolean {
  return answer.status === 404 && readCode(answer) !== 'NoSuchBucket';
}

/** What an error is called; an answer to HEAD has no body. */
function readCode({ bytes }: Answer): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(bytes.subarray(0, 2000).toString())?.[1] ?? '';
}

function toAddress(endpoint: string, bucket: string): string {
  return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
}

/** Sizes of objects whose pieces are read. They never change under a name that is read so. */
const maxSizes = 500;

export function createS3Store(settings: BucketSettings, tools: Tools): ObjectStore {
  const call = createCaller(settings, tools);
  const sizes = new Map<string, number>();

  async function readSize(name: string): Promise<number | undefined> {
    const known = sizes.get(name);
    if (known !== undefined) {
      return known;
    }
    const { status, headers } = await call({ method: 'HEAD', path: toKey(name) });
    if (status === 404) {
      return undefined;
    }
    const size = Number(headers.get('Content-Length'));
    if (sizes.size >= maxSizes) {
      sizes.clear();
    }
    sizes.set(name, size);
    return size;
  }

  const put = async (name: string, size: number, { type, getBody }: Body) =>
    void (await call({
      method: 'PUT',
      path: toKey(name),
      headers: { 'Content-Type': type, 'Cache-Control': cacheControl },
      getBody,
      size,
    }));

  return {
    open: createDraftOpener(put),

    put: (name, bytes) =>
      put(name, bytes.length, { type: toType(bytes), getBody: () => new Uint8Array(bytes) }),

    read: async (name, range) => {
      const path = toKey(name);
      if (range === undefined) {
        const { status, bytes } = await call({ method: 'GET', path });
        return status === 404 ? undefined : { bytes, size: bytes.length };
      }
      const size = await readSize(name);
      if (size === undefined) {
        return undefined;
      }
      const { start, end } = range(size) ?? { start: 0, end: size - 1 };
      if (end < start) {
        // The service has no name for a range of nothing.
        return { bytes: Buffer.alloc(0), size };
      }
      const headers = { Range: `bytes=${start}-${end}` };
      const { status, bytes } = await call({ method: 'GET', path, headers });
      if (status === 404) {
        return undefined;
      }
      // A service may answer with the whole.
      return { bytes: status === 206 ? bytes : bytes.subarray(start, end + 1), size };
    },

    countFree: async () => Infinity,

    remove: async (name) => {
      sizes.delete(name);
      await call({ method: 'DELETE', path: toKey(name) });
    },

    // The system removes them with the process.
    removeDrafts: async () => undefined,

    listNames: () => listNames(call),

    links: createLinks(settings, tools.clock),
  };
}

type Body = { readonly type: string; readonly getBody: () => BodyInit };

const typeBytes = 12;

const toType = (head: Buffer) => detectPictureType(head) ?? 'application/octet-stream';

/** Drafts are files of this machine, as a bucket takes bytes only when their number is known. */
function createDraftOpener(
  put: (name: string, size: number, body: Body) => Promise<void>,
): () => Promise<Draft> {
  return async () => {
    const path = join(tmpdir(), `nori-${randomUUID()}.part`);
    const { file, close, ...bytes } = await openDraftFile(path);
    // It has no name any more, so that nothing is left of it after a crash.
    await rm(path);
    return {
      ...bytes,
      keep: async (name) => {
        const type = toType(await bytes.read(Buffer.alloc(typeBytes)));
        await put(name, bytes.size(), { type, getBody: () => streamFile(file) });
        await close();
      },
      discard: close,
    };
  };
}

const pieceBytes = 64 * 1024;

function streamFile(file: FileHandle): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, at);
        at += bytesRead;
        if (bytesRead === 0) {
          controller.close();
        } else {
          controller.enqueue(buffer.subarray(0, bytesRead));
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** Page after page. What else is in the bucket is left out. */
async function* listNames(call: (call: Call) => Promise<Answer>): AsyncGenerator<string> {
  let from = '';
  do {
    const { bytes } = await call({ method: 'GET', path: `?list-type=2${from}` });
    const page = bytes.toString();
    for (const [, key = ''] of page.matchAll(/<Key>([^<]+)<\/Key>/g)) {
      const name = toName(key);
      if (name !== undefined) {
        yield name;
      }
    }
    const [, next] = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(page) ?? [];
    from = next === undefined ? '' : `&continuation-token=${encodeURIComponent(unescape(next))}`;
  } while (from !== '');
}

const unescape = (xml: string) =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const dayMs = 24 * 60 * 60_000;
/** Clocks differ: a link that is signed for a day that the bucket does not have yet would be refused. */
const slackMs = 15 * 60_000;
const linkS = (2 * dayMs + slackMs) / 1000;

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * Links as the service itself checks them (AWS signature version 4 in the query). They are made here and at once, as an
 * answer may have thousands; by the library each would take three promises.
 */
function createLinks(settings: BucketSettings, clock = Date.now): ObjectLinks {
  const { accessKeyId, secretAccessKey, region } = settings;
  const address = new URL(`${toAddress(settings.publicEndpoint, settings.bucket)}/`);
  let keyOfDay: { readonly day: string; readonly key: Buffer } = { day: '', key: Buffer.alloc(0) };

  function getKey(day: string): Buffer {
    if (keyOfDay.day !== day) {
      const first = hmac(`AWS4${secretAccessKey}`, day);
      const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, first);
      keyOfDay = { day, key };
    }
    return keyOfDay.key;
  }

  /** `day` is eight digits. */
  function signFor(name: string, day: string) {
    const scope = `${day}/${region}/s3/aws4_request`;
    const time = `${day}T000000Z`;
    // In the order of their names, as they are signed.
    const query = [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256',
      `X-Amz-Credential=${encodeURIComponent(`${accessKeyId}/${scope}`)}`,
      `X-Amz-Date=${time}`,
      `X-Amz-Expires=${linkS}`,
      'X-Amz-SignedHeaders=host',
      // Shown by pages all the same; Telegram saves only what says so.
      ...(name.endsWith('-thumbnail') ? [] : ['response-content-disposition=attachment']),
    ].join('&');
    const path = `${address.pathname}${toKey(name)}`;
    const request = `GET\n${path}\n${query}\nhost:${address.host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const hash = createHash('sha256').update(request).digest('hex');
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash}`;
    return { path, query, signature: hmac(getKey(day), text).toString('hex') };
  }

  return {
    sign: (name) => {
      const day = new Date(clock() - slackMs).toISOString().slice(0, 10).replaceAll('-', '');
      const { path, query, signature } = signFor(name, day);
      return `${address.origin}${path}?${query}&X-Amz-Signature=${signature}`;
    },

    read: ({ origin, pathname, searchParams }) => {
      const isOurs = origin === address.origin && pathname.startsWith(address.pathname);
      const name = isOurs ? toName(pathname.slice(address.pathname.length)) : undefined;
      if (name === undefined) {
        return undefined;
      }
      const [, year = '', month = '', date = ''] =
        /^(\d{4})(\d\d)(\d\d)T000000Z$/.exec(searchParams.get('X-Amz-Date') ?? '') ?? [];
      const until = Date.parse(`${year}-${month}-${date}`) + linkS * 1000;
      const expected = Buffer.from(signFor(name, year + month + date).signature);
      const given = Buffer.from(searchParams.get('X-Amz-Signature') ?? '');
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
      return { name, isValid: isSigned && until > clock() };
    },
  };
}
