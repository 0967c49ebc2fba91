/** A server whose pictures are in a bucket: links straight to it, links of before, downloads, and a bucket that is away. */
import { expect, test } from 'vitest';

import { deleteGeneration } from '#contract/endpoints/generations';
import { generate, readJob } from '#contract/endpoints/images';
import { downloadMidjourney } from '#contract/endpoints/midjourney';
import { createLog } from '#server/lib/log';
import { createS3Store } from '#server/lib/s3-store';
import { getPending, standInPicture } from '#tests/image-services';
import { startStrictBucket } from '#tests/object-store';
import { ann, createQuickEngine, readHistory, readSaved, save } from '#tests/pictures';
import { createMemoryStore, createTestServer } from '#tests/test-server';

async function start(retryMs = 20_000, answerMs = 500) {
  const bucket = await startStrictBucket();
  const objects = createS3Store(bucket.settings, {
    log: createLog('silent'),
    retryForMs: { GET: retryMs, HEAD: retryMs, PUT: retryMs, DELETE: 100 },
    answerMs,
  });
  const engines = { pixai: createQuickEngine('sketch', 1).engine };
  const server = await createTestServer({ objects, engines });
  const token = await server.signUp(ann);
  return { ...bucket, server, token };
}

const image = new Blob([new Uint8Array(standInPicture)]);

test('the links of a saved picture lead straight to the bucket; the original is a file to save, the small one is not', async () => {
  const { server, token, settings } = await start();

  const saved = readSaved(await save(server, token, { image }));
  const [original, thumbnail] = await Promise.all(
    [saved.image_url, saved.thumbnail_url].map((url) => fetch(url)),
  );
  const [item] = await readHistory(server, token);

  expect(saved.image_url).toMatch(
    new RegExp(`^${settings.endpoint}/pictures-of-nori/pictures/[\\w-]+-original\\?`),
  );
  expect(
    Buffer.from((await original?.arrayBuffer()) ?? new ArrayBuffer()).equals(standInPicture),
  ).toBe(true);
  expect(thumbnail?.headers.get('Content-Type')).toBe('image/webp');
  expect(item).toMatchObject({ imageUrl: saved.image_url, thumbnailUrl: saved.thumbnail_url });
  expect(saved.image_url).toContain('response-content-disposition=attachment');
  expect(saved.thumbnail_url).not.toContain('response-content-disposition');
});

test('the picture of a job that is not saved has a link straight to its object', async () => {
  const { server } = await start();
  const { job_key } = getPending();
  await server.call(generate, getPending());

  const { body } = await server.call(readJob, { job_key });

  expect(body).toMatchObject({ image_url: expect.stringContaining('/pictures-of-nori/jobs/') });
  expect(body).toMatchObject({ state: 'done' });
});

test('a link that was made before the pictures were in a bucket still shows its picture, also in ranges', async () => {
  const { server, token, objects } = await start();
  const { image_url: straight } = readSaved(await save(server, token, { image }));
  const [, id = ''] = /pictures\/([\w-]+)-original/.exec(straight) ?? [];
  // Another server, with the same key and without a bucket, signs links to itself.
  const earlier = await createTestServer({
    database: server.database,
    objects: createMemoryStore(),
  });
  const link = earlier.services.mediaLinks.sign({ id, variant: 'original' });

  const whole = await server.app.request(link);
  const part = await server.app.request(link, { headers: { Range: 'bytes=1-3' } });
  objects.clear();
  const gone = await server.app.request(link);

  expect(link).toMatch(/^\/backend\/media\//);
  expect(Buffer.from(await whole.arrayBuffer()).equals(standInPicture)).toBe(true);
  expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  expect(gone.status).toBe(404);
});

test('the download call reads our pictures by their links to the bucket, and refuses all other addresses there', async () => {
  const { server, token } = await start();
  const { id, image_url: link } = readSaved(await save(server, token, { image }));
  const download = async (url: string) => {
    const { status, headers, body } = await server.call(downloadMidjourney, { url });
    return [status, status === 200 ? headers.get('Content-Disposition') : body];
  };
  const refused = (code: string) => expect.objectContaining({ code });

  expect(await download(link)).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="nori-[\w-]+\.png"$/),
  ]);
  expect(await download(link.replace(/.$/, (end) => (end === '0' ? '1' : '0')))).toEqual([
    403,
    refused('link_expired'),
  ]);
  expect(await download(link.replace('pictures-of-nori', 'others'))).toEqual([
    403,
    refused('download_refused'),
  ]);
  expect(await download(link.replace(/\/pictures\/[^?]*/, '/pictures/a-x'))).toEqual([
    403,
    refused('download_refused'),
  ]);
  await server.call(deleteGeneration, { id }, { token });
  expect(await download(link)).toEqual([404, refused('not_found')]);
});

test('while the bucket is away nothing can be saved or read, with the time of the next try, and nothing is lost', async () => {
  const { server, token, failAll, objects } = await start(3000);
  const { id } = readSaved(await save(server, token, { image }));
  const earlier = await createTestServer({
    database: server.database,
    objects: createMemoryStore(),
  });
  const [, pictureId = ''] =
    /pictures\/([\w-]+)-original/.exec([...objects.keys()].join(' ')) ?? [];
  const link = earlier.services.mediaLinks.sign({ id: pictureId, variant: 'original' });
  failAll('reset');

  const refused = await save(server, token, { image, prompt: 'later' });
  const unread = await server.request(link);
  const history = await readHistory(server, token);
  failAll(undefined);
  const saved = await save(server, token, { image, prompt: 'later' });

  for (const { status, headers, body } of [refused, unread]) {
    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(body).toMatchObject({ code: 'busy' });
  }
  expect(history.map((item) => item.id)).toEqual([id]);
  expect(saved.status).toBe(201);
  expect((await server.app.request(link)).status).toBe(200);
  expect(await readHistory(server, token)).toHaveLength(2);
});

test('a bucket that takes long keeps no other picture from being decoded', async () => {
  const { server, token, failNext, breakHanging, calls } = await start(20_000, 20_000);
  failNext('hang');

  const slow = save(server, token, { image, prompt: 'slow' });
  await expect.poll(() => calls).toHaveLength(1);
  const quick = await save(server, token, { image, prompt: 'quick' });
  breakHanging();

  expect(quick.status).toBe(201);
  expect((await slow).status).toBe(201);
});
