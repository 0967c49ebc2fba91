/**
 * MidJourney: four pictures for each prompt, as sketches or by a midjourney-proxy, and each way in
 * which it can fail.
 */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { cancelJob, readJob } from '#contract/endpoints/images';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { renderSketch } from '#server/upstream/images/sketch/index';
import { gridColours } from '#tests/hub-services';
import { engineOn, startMidjourney, startWithMidjourney } from '#tests/image-engines';
import { toKey } from '#tests/pictures';
import { timeoutFor } from '#tests/stand-in';
import {
  createMemoryStore,
  createTestServer,
  openTestDatabase,
  type Reply,
  type TestServer,
} from '#tests/test-server';

const job_key = toKey('garden');
const input = { prompt: 'a secret garden at dusk', job_key };
const submit = 'POST /mj/submit/imagine';

const readUrls = ({ body }: Reply) =>
  v.parse(v.looseObject({ s3_urls: v.array(v.string()) }), body).s3_urls;

const filesAt = (server: TestServer, urls: readonly string[]) =>
  Promise.all(
    urls.map(async (url) => Buffer.from(await (await server.app.request(url)).arrayBuffer())),
  );

describe('without a service', () => {
  test('a visitor gets four different sketches, and the job has all four', async () => {
    const server = await createTestServer({ paint: renderSketch });

    const reply = await server.call(generateMidjourney, input);
    const files = await filesAt(server, readUrls(reply));
    const sizes = await Promise.all(files.map((file) => sharp(file).metadata()));

    expect(reply).toMatchObject({
      status: 200,
      body: {
        id: expect.any(String),
        prompt: input.prompt,
        created_at: '2026-11-21T12:00:00.000Z',
        engine: 'sketch',
        is_saved: false,
      },
    });
    expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(4);
    expect(sizes.map(({ width, height }) => [width, height])).toEqual(
      Array.from({ length: 4 }, () => [1024, 1024]),
    );

    const { body } = await server.call(readJob, { job_key });

    expect(body).toMatchObject({ state: 'done', engine: 'sketch' });
    expect(v.parse(readJob.output, body).image_urls).toHaveLength(4);
  });

  test.each([
    ['a garden --ar 16:9', [1280, 720]],
    ['a garden --ar 7:1', [1024, 1024]],
    ['a garden --aspect 2:3 --v 6', [832, 1248]],
  ])('%s is understood', async (prompt, size) => {
    const server = await createTestServer();

    const [first] = await filesAt(
      server,
      readUrls(await server.call(generateMidjourney, { prompt, job_key })),
    );
    const { width, height } = await sharp(first).metadata();

    expect([width, height]).toEqual(size);
  });

  test.each(['', '   '])('an empty prompt (%j) is refused', async (prompt) => {
    const server = await createTestServer();

    expect(await server.call(generateMidjourney, { prompt })).toMatchObject({
      status: 422,
      body: { detail: 'Please enter a prompt' },
    });
  });
});

describe('with a service', () => {
  test('a grid is split into its four pictures, row by row', async () => {
    const { server, midjourney } = await startWithMidjourney();

    const reply = await server.call(generateMidjourney, input);
    const files = await filesAt(server, readUrls(reply));
    const found = await Promise.all(files.map(lookAt));

    expect(reply.body).toMatchObject({ engine: 'midjourney' });
    expect(found).toEqual(gridColours.map((colour) => ({ width: 32, height: 32, colour })));
    expect(midjourney.callsTo(submit).map(({ body }) => body)).toEqual([{ prompt: input.prompt }]);
    expect(midjourney.callsTo('GET /files/*')).toHaveLength(1);
  });

  test('pictures with an address each are stored unchanged', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.answerEach();

    const files = await filesAt(server, readUrls(await server.call(generateMidjourney, input)));

    expect((await sharp(files[3]).metadata()).width).toBe(64);
    expect(files).toHaveLength(4);
    expect(midjourney.callsTo('GET /files/*')).toHaveLength(4);
  });

  test('separate addresses may be texts', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.answerEach('texts');

    const urls = readUrls(await server.call(generateMidjourney, input));

    expect(urls).toHaveLength(4);
    expect(midjourney.callsTo('GET /files/*')).toHaveLength(4);
  });

  test('when the separate pictures are refused, the grid is split', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.answerEach('refused');

    const files = await filesAt(server, readUrls(await server.call(generateMidjourney, input)));
    const sizes = await Promise.all(files.map(async (file) => sharp(file).metadata()));

    expect(sizes.map(({ width, height }) => [width, height])).toEqual(
      gridColours.map(() => [32, 32]),
    );
    expect(midjourney.callsTo('GET /files/*')).toHaveLength(1);
  });

  test('the environment connects the service', async () => {
    const midjourney = await startMidjourney();
    const server = await createTestServer({ variables: midjourney.variables });
    void server.call(generateMidjourney, input);

    await expect.poll(() => midjourney.callsTo(submit).length).toBe(1);
    expect(server.services.engines.midjourney.name).toBe('midjourney');
    await server.call(cancelJob, { job_key });
  });

  test('a task that already exists or is queued is waited for', async () => {
    for (const code of [21, 22]) {
      const { server, midjourney } = await startWithMidjourney();
      await server.call(generateMidjourney, { prompt: 'the first' });
      midjourney.fail(submit, { body: { code, description: 'in queue', result: '7000' } });

      const reply = await server.call(generateMidjourney, input);

      expect(reply.status).toBe(200);
    }
  });

  test('a slow task is polled for as long as it works', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.hold();
    const call = server.call(generateMidjourney, input);
    await expect.poll(() => midjourney.callsTo('GET /mj/task/*').length).toBeGreaterThan(20);

    const { body } = await server.call(readJob, { job_key });
    midjourney.release();

    expect(body).toMatchObject({ state: 'running', engine: 'midjourney' });
    expect((await call).status).toBe(200);
    expect(midjourney.callsTo(submit)).toHaveLength(1);
  });

  test('a service that is unreachable during the work is called again', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.fail('GET /mj/task/*', 'reset', 3);
    midjourney.fail('GET /files/*', { status: 503, body: {} }, 2);

    expect((await server.call(generateMidjourney, input)).status).toBe(200);
    expect(midjourney.callsTo(submit)).toHaveLength(1);
  });

  test('cancelling stops the task at the service, too', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.hold();
    const call = server.call(generateMidjourney, input);
    await expect.poll(() => midjourney.callsTo('GET /mj/task/*').length).toBeGreaterThan(0);

    await server.call(cancelJob, { job_key });

    expect(await call).toMatchObject({ status: 409, body: { code: 'generation_cancelled' } });
    expect(midjourney.getStatus('7000')).toBe('CANCEL');
  });

  test('a server that starts again waits for the existing task, and submits nothing', async () => {
    const midjourney = await startMidjourney();
    const shared = { database: await openTestDatabase(), objects: createMemoryStore() };
    const start = () =>
      createTestServer({ ...shared, engines: { midjourney: engineOn(midjourney) } });
    const before = await start();
    midjourney.hold();
    void before.call(generateMidjourney, input);
    await expect.poll(() => midjourney.callsTo('GET /mj/task/*').length).toBeGreaterThan(0);
    await before.services.generationJobs.stop();
    midjourney.release();

    const after = await start();
    after.wait(2 * 60_000);
    await after.services.generationJobs.resume();
    const reply = await after.call(generateMidjourney, input);

    expect(readUrls(reply)).toHaveLength(4);
    expect(midjourney.callsTo(submit)).toHaveLength(1);
  });
});

describe('a failed submit is reported and never repeated', () => {
  test.each([
    ['a word is banned', { body: { code: 24, description: 'secret' } }, 422, 'generation_refused'],
    ['it is not valid', { body: { code: 4 } }, 422, 'generation_refused'],
    ['the queue is full', { body: { code: 23 } }, 503, 'image_service_busy'],
    ['it has no account', { body: { code: 3 } }, 503, 'image_service_unavailable'],
    ['it fails', { body: { code: 9 } }, 503, 'image_service_unavailable'],
    ['the secret is wrong', { status: 401, body: {} }, 502, 'image_service_key'],
    ['the secret may not', { status: 403, body: {} }, 502, 'image_service_key'],
    ['it is out of credit', { status: 402, body: {} }, 402, 'out_of_credit'],
    ['it is broken', { status: 500, body: {} }, 503, 'image_service_unavailable'],
    ['the connection breaks', 'reset', 503, 'image_service_unavailable'],
    ['it never answers', 'hang', 504, 'generation_slow'],
    ['it answers a page', 'page', 502, 'picture_broken'],
    ['the task has no id', { body: { code: 1, result: null } }, 502, 'picture_broken'],
    ['the id leads elsewhere', { body: { code: 1, result: '../x' } }, 502, 'picture_broken'],
  ] as const)('when %s', async (...[, failure, status, code]) => {
    const { server, midjourney } = await startWithMidjourney(timeoutFor(failure));
    midjourney.fail(submit, failure);

    const reply = await server.call(generateMidjourney, input);

    expect(reply).toMatchObject({ status, body: { code } });
    expect(midjourney.callsTo(submit)).toHaveLength(1);
    expect((await server.call(readJob, { job_key })).body).toMatchObject({ state: 'failed' });
    expect(server.logLines.join('')).not.toMatch(/garden|mj-stand-in/);
  });
});

describe('a failed task', () => {
  test.each([
    ['FAILURE', 'prompt contains a banned secret', 422, 'generation_refused'],
    ['FAILURE', 'You have used up your fast hours', 402, 'out_of_credit'],
    ['FAILURE', 'Your subscription has ended', 402, 'out_of_credit'],
    ['FAILURE', 'task timeout', 504, 'generation_slow'],
    ['CANCEL', undefined, 409, 'generation_cancelled'],
    // So one of the services ends a task that was cancelled there.
    ['FAILURE', '取消任务', 409, 'generation_cancelled'],
  ] as const)('%s (%s) is reported in our own words', async (...[status, reason, answer, code]) => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.endWith(status, reason);

    const reply = await server.call(generateMidjourney, input);

    expect(reply).toMatchObject({ status: answer, body: { code } });
    expect(JSON.stringify(reply.body)).not.toContain('secret');
  });

  test.each([
    ['the task is unknown', 'GET /mj/task/*', { body: 'null' }],
    ['the answer is empty', 'GET /mj/task/*', { body: '' }],
    ['the task is gone', 'GET /mj/task/*', { status: 404, body: {} }],
    ['the file is gone', 'GET /files/*', { status: 404, body: {} }],
    ['the address of the file has died', 'GET /files/*', { status: 403, body: {} }],
    ['it is done and shows nothing', 'GET /mj/task/*', { body: { status: 'SUCCESS' } }],
  ] as const)('reports that the pictures are gone when %s', async (_case, call, failure) => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.fail(call, failure);

    expect(await server.call(generateMidjourney, input)).toMatchObject({
      status: 410,
      body: { code: 'picture_gone' },
    });
  });

  test.each([
    ['a task that cannot be read', 'GET /mj/task/*', { body: [1] }],
    ['a file that is no picture', 'GET /files/*', { body: { not: 'a picture' } }],
    ['a file that leads elsewhere', 'GET /files/*', { status: 302, headers: { Location: '/' } }],
    [
      'an address without encryption on another server',
      'GET /mj/task/*',
      { body: { status: 'SUCCESS', imageUrl: 'http://169.254.169.254/latest' } },
    ],
    [
      'a picture that cannot be split',
      'GET /files/*',
      { body: Buffer.from('\u{89}PNG\r\n\u{1a}\n and no more', 'latin1') },
    ],
  ] as const)('reports a broken picture for %s', async (_case, call, failure) => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.fail(call, failure, 6);

    expect(await server.call(generateMidjourney, input)).toMatchObject({
      status: 502,
      body: { code: 'picture_broken' },
    });
  });

  test('reports after several tries that the service is unavailable', async () => {
    const { server, midjourney } = await startWithMidjourney();
    midjourney.fail('GET /mj/task/*', 'reset', 6);

    expect(await server.call(generateMidjourney, input)).toMatchObject({
      status: 503,
      body: { code: 'image_service_unavailable' },
    });
  });
});

/** The dimensions of a picture, and its only colour. */
async function lookAt(file: Buffer) {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hex = (at: number) => data.subarray(at, at + 3).toString('hex');
  const colours = new Set(
    Array.from({ length: data.length / 3 }, (_none, index) => hex(index * 3)),
  );
  return { width: info.width, height: info.height, colour: `#${[...colours].join('|')}` };
}
