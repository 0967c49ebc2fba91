/** The stores of objects: on the disk, and in a bucket of an S3 service, here a stand-in that checks every signature. */
import { mkdir, mkdtemp, readdir, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { AppError } from '#server/lib/errors';
import { createLog } from '#server/lib/log';
import { createDiskStore } from '#server/lib/object-store';
import { createS3Store } from '#server/lib/s3-store';
import { standInPicture } from '#tests/image-services';
import { listAll, startStrictBucket, testStore } from '#tests/object-store';
import { dataFolders } from '#tests/setup';

const dayMs = 24 * 60 * 60_000;

/** Calls are repeated for so many milliseconds. */
async function startStore(change: Readonly<Record<string, string>> = {}, ms = 20_000) {
  const bucket = await startStrictBucket();
  const lines: string[] = [];
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  let now = Date.now();
  const settings = { ...bucket.settings, ...change };
  const store = createS3Store(settings, {
    log,
    clock: () => now,
    retryForMs: { GET: ms, HEAD: ms, PUT: ms, DELETE: ms },
    answerMs: 500,
  });
  return { ...bucket, settings, store, lines, wait: (passed: number) => void (now += passed) };
}

const refusal = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? [error.code, error.retryAfterS] : error;
};

describe('on the disk', () => {
  const openFolder = async () => {
    await mkdir(dataFolders, { recursive: true });
    return mkdtemp(join(dataFolders, 'store-'));
  };
  testStore(async () => createDiskStore(await openFolder()));

  test('drafts that a crash has left are removed, those of today are not', async () => {
    const folder = await openFolder();
    const store = createDiskStore(folder);
    await store.put('a-original', Buffer.from('x'));
    const [old, fresh] = [await store.open(), await store.open()];
    const drafts = await readdir(join(folder, 'drafts'));
    const yesterday = new Date(Date.now() - dayMs - 1000);
    await utimes(join(folder, 'drafts', drafts[0] ?? ''), yesterday, yesterday);

    await store.removeDrafts(Date.now() - dayMs);

    expect(drafts).toHaveLength(2);
    expect(await readdir(join(folder, 'drafts'))).toEqual([drafts[1]]);
    expect(await listAll(store)).toEqual(['a-original']);
    await Promise.all([old.discard(), fresh.discard()]);
  });
});

describe('in a bucket', () => {
  testStore(async () => (await startStore()).store);

  test('an object says what it is and how long it may be cached, in the folder of its kind', async () => {
    const { store, objects, calls } = await startStore();

    const draft = await store.open();
    await draft.write(standInPicture);
    await draft.keep('a-original');
    await store.put('b-job', standInPicture);
    await store.put('c-archive', Buffer.from('PK'));

    expect(calls).toEqual([
      'PUT /pictures-of-nori/pictures/a-original',
      'PUT /pictures-of-nori/jobs/b-job',
      'PUT /pictures-of-nori/exports/c-archive',
    ]);
    const picture = {
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400, immutable',
    };
    expect(objects.get('pictures/a-original')?.headers).toMatchObject(picture);
    expect(objects.get('jobs/b-job')?.headers).toMatchObject(picture);
    expect(objects.get('exports/c-archive')?.headers['content-type']).toBe(
      'application/octet-stream',
    );
  });

  test('what others have put into the bucket is no object of ours', async () => {
    const { store, objects } = await startStore();
    await store.put('a-original', Buffer.from('x'));
    const other = objects.get('pictures/a-original');
    for (const key of ['backup.tar', 'jobs/a-original', 'pictures/deep/b-original']) {
      objects.set(key, other ?? { body: Buffer.from(''), headers: {} });
    }

    expect(await listAll(store)).toEqual(['a-original']);
  });

  test('with a wrong secret nothing is stored or read, and the operator is told why', async () => {
    const { store, objects, lines, calls } = await startStore({
      secretAccessKey: 'another-secret',
    });
    const draft = await store.open();
    await draft.write(standInPicture);

    const refusals = [
      await refusal(store.put('a-original', standInPicture)),
      await refusal(draft.keep('b-original')),
      await refusal(store.read('a-original')),
      await refusal(store.remove('a-original')),
      await refusal(listAll(store)),
    ];
    await draft.discard();

    expect(refusals).toEqual(Array.from({ length: 5 }, () => ['busy', 5]));
    expect(objects.size).toBe(0);
    // No other try would do.
    expect(calls).toHaveLength(5);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain('SignatureDoesNotMatch');
    expect(lines.join('')).not.toContain('another-secret');
  });

  test('a bucket that does not exist is a mistake, and not a picture that does not', async () => {
    const { store, lines } = await startStore({ bucket: 'another-bucket' });

    expect(await refusal(store.read('a-original'))).toEqual(['busy', 5]);
    expect(await refusal(store.put('a-original', standInPicture))).toEqual(['busy', 5]);
    expect(lines.join('')).toContain('NoSuchBucket');
  });

  test.each([
    ['wants fewer calls', 'SlowDown'],
    ['breaks the connection', 'reset'],
    ['never answers', 'hang'],
  ] as const)('a service that %s is asked again', async (_case, failure) => {
    const { store, failNext, objects, calls } = await startStore();
    const draft = await store.open();
    await draft.write(standInPicture);

    failNext(failure);
    await draft.keep('a-original');
    failNext(failure);
    const found = await store.read('a-original');
    await draft.discard();

    expect(found?.bytes.equals(standInPicture)).toBe(true);
    expect(objects.get('pictures/a-original')?.body.equals(standInPicture)).toBe(true);
    expect(calls).toHaveLength(4);
  });

  test.each(['SlowDown', 'reset', 'hang'] as const)(
    'a service that always fails (%s) is given up in time, and found again later',
    async (failure) => {
      const { store, failAll, lines } = await startStore({}, 600);
      await store.put('a-original', standInPicture);
      failAll(failure);
      const startedAt = performance.now();

      const refusals = await Promise.all([
        refusal(store.put('b-original', standInPicture)),
        refusal(store.read('a-original')),
        refusal(store.read('a-original', () => undefined)),
        refusal(store.remove('a-original')),
      ]);
      const tookMs = performance.now() - startedAt;
      failAll(undefined);

      expect(refusals).toEqual(Array.from({ length: 4 }, () => ['busy', 5]));
      expect(tookMs).toBeLessThan(5000);
      expect(lines).toHaveLength(4);
      expect((await store.read('a-original'))?.size).toBe(standInPicture.length);
    },
  );

  test('a link leads straight to the object, is the same all day and another one tomorrow', async () => {
    const { store, wait } = await startStore();
    await store.put('a-original', standInPicture);
    const sign = () => store.links?.sign('a-original') ?? '';

    const link = sign();
    const response = await fetch(link);
    const ranged = await fetch(link, { headers: { Range: 'bytes=0-3' } });
    const again = sign();
    wait(dayMs);

    expect([response.status, ranged.status]).toEqual([200, 206]);
    expect(Buffer.from(await response.arrayBuffer()).equals(standInPicture)).toBe(true);
    expect(again).toBe(link);
    expect(sign()).not.toBe(link);
  });

  test.each([
    ['of another object', (link: string) => link.replace('a-original', 'b-original')],
    ['with another end', (link: string) => link.replace(/Expires=\d+/, 'Expires=604800')],
    ['of another day', (link: string) => link.replace(/X-Amz-Date=\d{4}/, 'X-Amz-Date=2030')],
    [
      'with another signature',
      (link: string) => link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ],
    ['without a signature', (link: string) => link.replace(/&X-Amz-Signature=.*/, '')],
    ['without a query', (link: string) => link.replace(/\?.*/, '')],
  ])('a link %s is refused, by the service and by us', async (_case, change) => {
    const { store } = await startStore();
    await store.put('a-original', standInPicture);
    await store.put('b-original', standInPicture);
    const link = change(store.links?.sign('a-original') ?? '');

    const { status } = await fetch(link);

    expect(status).toBe(403);
    // Another end is no part of what we sign, so that it changes nothing here.
    expect(store.links?.read(new URL(link))?.isValid).toBe(link.includes('Expires=604800'));
  });

  test('a link is known as ours until it expires, by its host, its bucket and its folder', async () => {
    const { store, wait } = await startStore();
    const link = store.links?.sign('a-original') ?? '';
    const read = (url: string) => store.links?.read(new URL(url));

    expect(read(link)).toEqual({ name: 'a-original', isValid: true });
    expect(read(link.replace('127.0.0.1', 'localhost'))).toBeUndefined();
    expect(read(link.replace('pictures-of-nori', 'pictures-of-others'))).toBeUndefined();
    expect(read(link.replace('/pictures/', '/jobs/'))).toBeUndefined();
    wait(dayMs);
    expect(read(link)?.isValid).toBe(true);
    wait(dayMs + 16 * 60_000);
    expect(read(link)?.isValid).toBe(false);
  });

  test('a draft leaves no file on this machine, not even while it is written', async () => {
    const { store } = await startStore();
    const before = await readdir(tmpdir());
    const draft = await store.open();
    await draft.write(standInPicture);

    const meanwhile = await readdir(tmpdir());
    await draft.discard();

    expect(meanwhile.filter((name) => name.endsWith('.part') && !before.includes(name))).toEqual(
      [],
    );
  });
});
