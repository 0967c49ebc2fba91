/** Each way in which PixAI can fail, and that nothing is submitted twice. */
import { describe, expect, test } from 'vitest';

import { generate } from '#contract/endpoints/images';
import { startWithPixai } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { timeoutFor } from '#tests/stand-in';

const input = getPending();

describe('a failed submit is reported and never repeated', () => {
  test.each([
    [
      'out of credit',
      { status: 402, body: {} },
      { status: 402, code: 'out_of_credit', detail: /no credit left/ },
    ],
    [
      'an unknown model',
      { status: 400, body: { message: 'Invalid modelId' } },
      { status: 422, code: 'invalid_model', detail: /choose another one/ },
    ],
    [
      'refused',
      { status: 400, body: { message: 'prompt violates a secret rule' } },
      { status: 422, code: 'generation_refused', detail: /refused to make/ },
    ],
    [
      'a wrong key',
      { status: 401, body: {} },
      { status: 502, code: 'image_service_key', detail: /refuses the key/ },
    ],
    [
      'a forbidden key',
      { status: 403, body: {} },
      { status: 502, code: 'image_service_key', detail: /refuses the key/ },
    ],
    [
      'too many tasks',
      { status: 429, body: {} },
      { status: 503, code: 'image_service_busy', detail: /is busy/ },
    ],
    [
      'a broken service',
      { status: 500, body: {} },
      { status: 503, code: 'image_service_unavailable', detail: /does not answer/ },
    ],
    [
      'a broken connection',
      'reset',
      { status: 503, code: 'image_service_unavailable', detail: /does not answer/ },
    ],
    ['no answer', 'hang', { status: 504, code: 'generation_slow', detail: /took too long/ }],
    ['a page', 'page', { status: 502, code: 'picture_broken', detail: /cannot be read/ }],
    [
      'a task without id',
      { body: { status: 'waiting' } },
      { status: 502, code: 'picture_broken', detail: /cannot be read/ },
    ],
  ] as const)('%s', async (_case, failure, { status, code, detail }) => {
    const { server, pixai, job } = await startWithPixai(timeoutFor(failure));
    pixai.fail('POST /v1/task', failure);

    const reply = await server.call(generate, input);

    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ code, detail: expect.stringMatching(detail) });
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
    expect(await job()).toMatchObject({ state: 'failed', detail: expect.stringMatching(detail) });
    expect(server.logLines.join('')).not.toMatch(/garden|violates|sk-stand-in|job-key/);
  });

  test('repeating the key returns the same failure, and submits nothing', async () => {
    const { server, pixai } = await startWithPixai();
    pixai.fail('POST /v1/task', { status: 402, body: {} });
    await server.call(generate, input);

    const again = await server.call(generate, input);

    expect(again).toMatchObject({ status: 402, body: { code: 'out_of_credit' } });
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
  });
});

describe('a failed task', () => {
  test('is a refusal when it failed at PixAI', async () => {
    const { server, pixai } = await startWithPixai();
    pixai.endWith('failed');

    expect(await server.call(generate, input)).toMatchObject({
      status: 422,
      body: { code: 'generation_refused' },
    });
  });

  test('is cancelled when it was cancelled at PixAI', async () => {
    const { server, pixai, job } = await startWithPixai();
    pixai.endWith('cancelled');

    expect((await server.call(generate, input)).body).toMatchObject({
      code: 'generation_cancelled',
    });
    expect(await job()).toMatchObject({ state: 'cancelled' });
  });

  test.each([
    ['the task is unknown', 'GET /v1/task/*', { status: 404, body: {} }],
    ['the task is gone', 'GET /v1/task/*', { status: 410, body: {} }],
    ['the picture is gone', 'GET /v1/media/*', { status: 404, body: {} }],
    ['the address of the file has died', 'GET /files/*', { status: 403, body: {} }],
    [
      'it is done and has no picture',
      'GET /v1/task/*',
      { body: { id: '1000', status: 'completed', outputs: { mediaIds: [] } } },
    ],
  ] as const)('reports that the picture is gone when %s', async (_case, call, failure) => {
    const { server, pixai } = await startWithPixai();
    pixai.fail(call, failure);

    expect(await server.call(generate, input)).toMatchObject({
      status: 410,
      body: { code: 'picture_gone' },
    });
  });

  test.each([
    ['task that cannot be read', 'GET /v1/task/*', { body: { hello: 'there' } }],
    ['file that is no picture', 'GET /files/*', { body: { not: 'a picture' } }],
    [
      'address on a server without encryption',
      'GET /v1/media/*',
      { status: 302, headers: { Location: 'http://127.0.0.2/metadata' } },
    ],
  ] as const)('is reported after several tries for a %s', async (_case, call, failure) => {
    const { server, pixai } = await startWithPixai();
    pixai.fail(call, failure, 6);

    expect(await server.call(generate, input)).toMatchObject({
      status: 502,
      body: { code: 'picture_broken' },
    });
    expect(pixai.callsTo(call)).toHaveLength(6);
  });

  test('is reported after several tries when the service stays unavailable', async () => {
    const { server, pixai } = await startWithPixai();
    pixai.fail('GET /v1/task/*', 'reset', 6);

    expect(await server.call(generate, input)).toMatchObject({
      status: 503,
      body: { code: 'image_service_unavailable' },
    });
  });
});
