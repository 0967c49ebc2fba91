/** Pictures that are made from a saved picture: variations and enlargements, and who may ask for them. */
import { describe, expect, test } from 'vitest';

import { deleteGeneration } from '#contract/endpoints/generations';
import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { generate, readJob } from '#contract/endpoints/images';
import { readRecipe } from '#contract/images/recipe-file';
import { connectPixai } from '#server/upstream/images/pixai';
import { createHandEngine } from '#tests/image-engines';
import { getPending, startA1111, startPixai } from '#tests/image-services';
import { ann, bob, makePng, readHistory, readSaved, save } from '#tests/pictures';
import { createTestServer, type TestServer } from '#tests/test-server';

const input = getPending();

/** A user with a saved picture. */
async function withPicture(server: TestServer, image?: Blob) {
  const token = await server.signUp(ann);
  const { id } = readSaved(await save(server, token, image && { image }));
  return { token, id };
}

async function startWithWebUi() {
  const webUi = await startA1111();
  const server = await createTestServer({ variables: webUi.variables });
  return { webUi, server };
}

const varied = 'POST /sdapi/v1/img2img';
const enlarged = 'POST /sdapi/v1/extra-single-image';
const drawn = 'POST /sdapi/v1/txt2img';

describe('a Stable Diffusion web UI', () => {
  test('varies a picture of the user, as far as they wish, and the result is in their history', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    const abilities = await server.call(readImageAbilities, {});
    const source = { generation_id: id, mode: 'variation', strength: 0.4 } as const;

    const made = await server.call(generate, { ...input, source }, { token });
    const again = await server.call(generate, { ...input, source }, { token });

    expect(abilities.body).toMatchObject({
      providers: { pixai: { modes: ['variation', 'upscale'] } },
    });
    expect([made.status, again.status]).toEqual([200, 200]);
    expect(webUi.callsTo(varied).map(({ body }) => body)).toMatchObject([
      {
        prompt: 'a secret garden at dusk',
        init_images: [expect.stringMatching(/^[\w+/=]+$/)],
        denoising_strength: 0.4,
        resize_mode: 1,
        width: 832,
        height: 1248,
      },
    ]);
    expect(webUi.callsTo(drawn)).toHaveLength(0);
    expect(await readHistory(server, token)).toHaveLength(2);
  });

  test('enlarges a picture with the best that it has, and says nothing of steps', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    const source = { generation_id: id, mode: 'upscale' } as const;

    const made = await server.call(generate, { ...input, source }, { token });

    expect(made.status).toBe(200);
    expect(webUi.callsTo(enlarged).map(({ body }) => body)).toMatchObject([
      { upscaling_resize: 2, upscaler_1: 'R-ESRGAN 4x+' },
    ]);
    expect(webUi.callsTo(drawn)).toHaveLength(0);
    const link = made.headers.get('X-Nori-Image-Url') ?? '';
    const file = new Uint8Array(await (await server.app.request(link)).arrayBuffer());
    expect(readRecipe(file)).toMatchObject({ prompt: input.prompt, seed: input.seed });
    expect(readRecipe(file)?.steps).toBeUndefined();
  });

  test('enlarges no picture that is large already, and none without an upscaler', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id: large } = await withPicture(server, await makePng(1600, 16));
    const { id } = readSaved(await save(server, token, { job_key: 'b'.repeat(32) }));
    webUi.fail('GET /sdapi/v1/upscalers', { body: [{ name: 'None' }] });
    const enlarge = async (generation_id: string, job: number) =>
      server.call(
        generate,
        { ...getPending(job), source: { generation_id, mode: 'upscale' } },
        { token },
      );

    expect(await enlarge(large, 1)).toMatchObject({
      status: 413,
      body: {
        code: 'picture_too_large',
        detail: 'This picture is large already: up to 1536 pixels on a side can be enlarged.',
      },
    });
    expect(await enlarge(id, 2)).toMatchObject({
      status: 422,
      body: {
        code: 'generation_refused',
        detail: 'This server has nothing to enlarge pictures with.',
      },
    });
    expect(webUi.callsTo(enlarged)).toHaveLength(0);
  });

  test('gets no picture of another user, of a visitor, or one that was deleted', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    const stranger = await server.signUp(bob);
    const body = { ...input, source: { generation_id: id, mode: 'variation' } } as const;

    const byStranger = await server.call(generate, body, { token: stranger });
    const byVisitor = await server.call(generate, body);
    await server.call(deleteGeneration, { id }, { token });
    const deleted = await server.call(generate, body, { token });

    const missing = { status: 404, body: { code: 'generation_not_found' } };
    expect([byStranger, deleted]).toMatchObject([missing, missing]);
    expect(byVisitor.status).toBe(401);
    expect(webUi.callsTo(varied)).toHaveLength(0);
  });

  test('that fails leaves the reason with the job', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    webUi.fail(varied, { status: 500, body: { detail: 'OutOfMemoryError' } });

    const made = await server.call(
      generate,
      { ...input, source: { generation_id: id, mode: 'variation' } },
      { token },
    );

    expect(made).toMatchObject({ status: 503, body: { code: 'image_service_unavailable' } });
    const job = await server.call(readJob, { job_key: input.job_key }, { token });
    expect(job.body).toMatchObject({ state: 'failed' });
  });
});

test('an engine that makes pictures from words alone refuses, instead of leaving the picture out', async () => {
  const hand = createHandEngine();
  const server = await createTestServer({ engines: { pixai: hand.engine } });
  const { token, id } = await withPicture(server);

  const made = await server.call(
    generate,
    { ...input, source: { generation_id: id, mode: 'upscale' } },
    { token },
  );

  expect(made).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', detail: 'This server cannot make that from a picture.' },
  });
  expect(hand.asked()).toBe(0);
});

describe('PixAI', () => {
  async function startWithAddress(publicUrl: string) {
    const pixai = await startPixai();
    const hasPublicLinks = publicUrl.startsWith('https:');
    const engine = connectPixai({
      apiKey: pixai.apiKey,
      apiRoot: pixai.url,
      hasPublicLinks,
      sleep: () => Promise.resolve(),
    });
    const server = await createTestServer({
      engines: { pixai: engine },
      variables: { PUBLIC_URL: publicUrl },
    });
    return { pixai, server };
  }

  test('fetches the picture by a link that needs no login', async () => {
    const { pixai, server } = await startWithAddress('https://nori.example.org');
    const { token, id } = await withPicture(server);
    const source = { generation_id: id, mode: 'variation' } as const;

    const made = await server.call(generate, { ...input, source }, { token });

    expect(made.status).toBe(200);
    const [sent] = pixai.callsTo('POST /v1/task').map(({ body }) => body);
    expect(sent).toMatchObject({
      parameters: {
        mediaUrl: expect.stringMatching(/^https:\/\/nori\.example\.org\/backend\/media\//),
        strength: 0.6,
      },
    });
    const [link = ''] = /https:[^"]+/.exec(JSON.stringify(sent)) ?? [];
    const fetched = await server.app.request(link.replace('https://nori.example.org', ''));
    expect(fetched.headers.get('Content-Type')).toBe('image/png');
  });

  test.each([
    ['https://nori.example.org', ['variation']],
    ['http://localhost:8787', undefined],
  ])('varies pictures only where it can fetch them: %s', async (publicUrl, modes) => {
    const server = await createTestServer({
      variables: { PIXAI_API_KEY: 'sk-x', PUBLIC_URL: publicUrl },
    });

    expect(server.services.engines.pixai.abilities.modes).toEqual(modes);
  });
});
