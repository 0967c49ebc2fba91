/** S3 services for tests: a real one, and a strict stand-in; and what every store of objects must do. */
import { AwsV4Signer } from 'aws4fetch';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';

import { startSwift } from '#scripts/swift.mjs';
import { type ObjectStore, readInPieces } from '#server/lib/object-store';

export type TestBucket = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly close: () => Promise<void>;
};

/**
 * The service in `TEST_S3_ENDPOINT`, else a Swift of this machine's own. Undefined, with a line that says how to get one,
 * when there is none to be had.
 */
export async function startBucket(): Promise<TestBucket | undefined> {
  const endpoint = process.env['TEST_S3_ENDPOINT'];
  if (endpoint !== undefined && endpoint !== '') {
    return {
      endpoint,
      bucket: process.env['TEST_S3_BUCKET'] ?? 'nori-tests',
      region: process.env['TEST_S3_REGION'] ?? 'us-east-1',
      accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'] ?? '',
      close: async () => undefined,
    };
  }
  const swift = await startSwift();
  return swift && { ...swift, close: swift.stop };
}

type Keys = Omit<TestBucket, 'close'>;

/** The variables of a server that stores its pictures there. */
export const bucketVariables = ({ endpoint, bucket, region, ...keys }: Keys) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: keys.accessKeyId,
  S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
});

type StoredObject = { readonly body: Buffer; readonly headers: IncomingMessage['headers'] };
type StoredAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
};

const refuse = (status: number, code: string): StoredAnswer => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`,
});

const region = 'eu-test-1';
const pageSize = 3;

/** A service in memory that signs every call again, as the real ones do, and refuses what differs. */
export async function startStrictBucket() {
  const keys = { accessKeyId: 'key/with:signs', secretAccessKey: 'a-secret-of-the-stand-in' };
  const objects = new Map<string, StoredObject>();
  const calls: string[] = [];
  let failures: ('reset' | 'hang' | 'SlowDown')[] = [];
  let constantFailure: (typeof failures)[number] | undefined;
  const hanging: IncomingMessage[] = [];

  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url: path = '/' } = request;
      calls.push(`${method} ${path.replace(/\?.*/, '')}`);
      const body = await readAll(request);
      const failure = failures.shift() ?? constantFailure;
      if (failure === 'reset') {
        request.socket.destroy();
        return;
      }
      if (failure === 'hang') {
        hanging.push(request);
        return;
      }
      const url = new URL(path, `http://${request.headers.host ?? ''}`);
      const answer =
        failure === undefined
          ? ((await findMistake({ url, method, headers: request.headers }, keys)) ??
            answerTo({ url, method, headers: request.headers, body }, objects))
          : refuse(503, failure);
      response.writeHead(answer.status, {
        ...answer.headers,
        'Content-Length': Buffer.byteLength(answer.body ?? ''),
      });
      response.end(method === 'HEAD' ? undefined : answer.body);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    settings: { ...keys, endpoint, publicEndpoint: endpoint, bucket: 'pictures-of-nori', region },
    objects,
    calls,
    /** The next calls fail so. */
    failNext: (...next: readonly (typeof failures)[number][]) => {
      failures = [...next];
    },
    /** Ends the calls that hang. */
    breakHanging: () => hanging.splice(0).forEach(({ socket }) => socket.destroy()),
    /** All calls fail so, until undefined. */
    failAll: (next: typeof constantFailure) => {
      constantFailure = next;
    },
  };
}

type ReceivedCall = Pick<IncomingMessage, 'headers'> & {
  readonly url: URL;
  readonly method: string;
};

async function findMistake(
  { url, method, headers }: ReceivedCall,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string },
): Promise<StoredAnswer | undefined> {
  const shared = { ...keys, region, service: 's3', method };
  const { searchParams: query } = url;
  const given = query.get('X-Amz-Signature');
  if (given !== null) {
    const unsigned = new URL(url);
    unsigned.searchParams.delete('X-Amz-Signature');
    const datetime = query.get('X-Amz-Date') ?? '';
    const signer = new AwsV4Signer({ ...shared, url: unsigned.href, datetime, signQuery: true });
    const expected = (await signer.sign()).url.searchParams.get('X-Amz-Signature');
    const day = datetime.replace(/^(\d{4})(\d\d)(\d\d)T.*/, '$1-$2-$3');
    const until = Date.parse(day) + Number(query.get('X-Amz-Expires')) * 1000;
    if (given !== expected) {
      return refuse(403, 'SignatureDoesNotMatch');
    }
    return until > Date.now() ? undefined : refuse(403, 'AccessDenied');
  }
  const { authorization = '' } = headers;
  const [, names = ''] = /SignedHeaders=([^,]*)/.exec(authorization) ?? [];
  const signed = names
    .split(';')
    .filter((name) => name !== 'host' && name !== '')
    .map((name) => [name, String(headers[name])] as const);
  const datetime = String(headers['x-amz-date']);
  const signer = new AwsV4Signer({
    ...shared,
    url: url.href,
    datetime,
    headers: Object.fromEntries(signed),
  });
  if (authorization === '') {
    return refuse(403, 'AccessDenied');
  }
  return (await signer.authHeader()) === authorization
    ? undefined
    : refuse(403, 'SignatureDoesNotMatch');
}

function answerTo(
  { url, method, headers, body }: ReceivedCall & { readonly body: Buffer },
  objects: Map<string, StoredObject>,
): StoredAnswer {
  const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? [];
  if (bucket !== 'pictures-of-nori') {
    return refuse(404, 'NoSuchBucket');
  }
  if (key === '') {
    return list(url.searchParams, [...objects.keys()].toSorted());
  }
  const stored = objects.get(key);
  switch (method) {
    case 'PUT':
      if (headers['content-length'] === undefined || headers['transfer-encoding'] !== undefined) {
        return refuse(411, 'MissingContentLength');
      }
      objects.set(key, { body, headers });
      return { status: 200 };
    case 'DELETE':
      objects.delete(key);
      return { status: 204 };
    default:
      return stored === undefined ? refuse(404, 'NoSuchKey') : send(stored, headers.range);
  }
}

function send({ body, headers }: StoredObject, range: string | undefined): StoredAnswer {
  const type = { 'Content-Type': String(headers['content-type']) };
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (range === undefined) {
    return { status: 200, headers: type, body };
  }
  return start === undefined || Number(start) >= body.length
    ? refuse(416, 'InvalidRange')
    : { status: 206, headers: type, body: body.subarray(Number(start), Number(end) + 1) };
}

function list(query: URLSearchParams, keys: readonly string[]): StoredAnswer {
  const from = Number((query.get('continuation-token') ?? '').replace('from=&', ''));
  const page = keys.slice(from, from + pageSize).map((key) => `<Key>${key}</Key>`);
  const next = from + pageSize;
  const token =
    next < keys.length ? `<NextContinuationToken>from=&amp;${next}</NextContinuationToken>` : '';
  return { status: 200, body: `<ListBucketResult>${page.join('')}${token}</ListBucketResult>` };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) {
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

export async function listAll(store: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of store.listNames()) {
    names.push(name);
  }
  return names.toSorted();
}

/** What every store must do. `open` opens an empty one. */
export function testStore(open: () => Promise<ObjectStore>): void {
  test('what was put is read whole and in ranges, and is gone when it was removed', async () => {
    const store = await open();
    const bytes = Buffer.from('a lighthouse in fog');
    await store.put('one-original', bytes);
    await store.put('one-thumbnail', Buffer.from('small'));
    const readRange = async (start: number, end: number) =>
      (await store.read('one-original', () => ({ start, end })))?.bytes.toString();

    expect(await store.read('one-original')).toEqual({ bytes, size: 19 });
    expect(await store.read('one-original', () => undefined)).toEqual({ bytes, size: 19 });
    expect(await readRange(2, 11)).toBe('lighthouse');
    expect(await readRange(16, 18)).toBe('fog');
    expect(await readRange(0, -1)).toBe('');
    expect(
      await store.read('one-original', (size) => ({ start: size - 3, end: size - 1 })),
    ).toEqual({ bytes: Buffer.from('fog'), size: 19 });
    await store.remove('one-original');
    await store.remove('one-original');
    expect(await store.read('one-original')).toBeUndefined();
    expect(await store.read('one-original', () => ({ start: 0, end: 1 }))).toBeUndefined();
    expect((await store.read('one-thumbnail'))?.bytes.toString()).toBe('small');
  });

  test('a drawing that is put again is the new one', async () => {
    const store = await open();
    await store.put('7-cover', Buffer.from('earlier'));
    await store.put('7-cover', Buffer.from('later one'));

    expect((await store.read('7-cover'))?.bytes.toString()).toBe('later one');
  });

  test('nothing of a draft can be read before it is kept, or when it was discarded', async () => {
    const store = await open();
    const [kept, dropped] = [await store.open(), await store.open()];
    for (const draft of [kept, dropped]) {
      await draft.write(Buffer.from('a light'));
      await draft.write(Buffer.from('house'));
    }

    expect([kept.size(), (await kept.read()).toString()]).toEqual([12, 'a lighthouse']);
    expect((await kept.read(Buffer.alloc(7))).toString()).toBe('a light');
    expect(await listAll(store)).toEqual([]);
    await kept.keep('kept-original');
    await kept.discard();
    await dropped.discard();
    expect((await store.read('kept-original'))?.bytes.toString()).toBe('a lighthouse');
    expect(await listAll(store)).toEqual(['kept-original']);
  });

  test('twenty megabytes are stored from a draft, and read piece by piece', async () => {
    const store = await open();
    const part = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 251));
    const draft = await store.open();
    for (let count = 0; count < 20; count++) {
      await draft.write(part);
    }
    await draft.keep('large-archive');

    let size = 0;
    for await (const piece of readInPieces(store, 'large-archive')) {
      expect(piece.length).toBeLessThan(1_000_000);
      size += piece.length;
    }
    const last = readInPieces(store, 'large-archive', { start: 19_999_000, end: 19_999_999 });
    const { value } = await last.next();
    const { bytes } = (await store.read('large-archive')) ?? { bytes: part };
    expect(size).toBe(20_000_000);
    expect(Buffer.compare(value ?? part, part.subarray(999_000))).toBe(0);
    expect(Buffer.compare(bytes.subarray(3_000_000, 4_000_000), part)).toBe(0);
  });

  test('the names of all objects are listed, page after page', async () => {
    const store = await open();
    const names = ['a-original', 'a-thumbnail', 'b-job', 'c-archive', 'd-cover', 'e-style', 'f-x'];
    for (const name of names) {
      await store.put(name, Buffer.from(name));
    }
    const draft = await store.open();

    expect(await listAll(store)).toEqual(names);
    await draft.discard();
  });
}
