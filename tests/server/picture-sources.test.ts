/** Pictures that are made from a saved picture: variations and enlargements, and who may ask for them. */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { deleteGeneration, uploadSource } from '#contract/endpoints/generations';
import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { generate, readJob } from '#contract/endpoints/images';
import { readRecipe } from '#contract/images/recipe-file';
import { sweep } from '#server/services/maintenance';
import { connectPixai } from '#server/upstream/images/pixai';
import { createHandEngine } from '#tests/image-engines';
import { getPending, startA1111, startPixai } from '#tests/image-services';
import { ann, bob, makePng, readHistory, readSaved, save } from '#tests/pictures';
import { createMemoryStore, createTestServer, minute, type TestServer } from '#tests/test-server';

const input = getPending();

async function upload(server: TestServer, token: string, image: Blob) {
  const { status, body } = await server.call(uploadSource, { image }, { token });
  expect(status).toBe(201);
  return v.parse(uploadSource.output, body);
}

/** A user with a saved picture. */
async function withPicture(server: TestServer, image?: Blob) {
  const token = await server.signUp(ann);
  const { id } = readSaved(await save(server, token, image && { image }));
  return { token, id };
}

async function startWithWebUi(objects = createMemoryStore()) {
  const webUi = await startA1111();
  const server = await createTestServer({ variables: webUi.variables, objects });
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
      providers: { pixai: { modes: ['variation', 'upscale', 'inpaint'] } },
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

  test('makes a marked part anew', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    const { id: mask_id } = await upload(server, token, await makePng(104, 156));

    const made = await server.call(
      generate,
      { ...input, source: { generation_id: id, mode: 'inpaint', mask_id } },
      { token },
    );

    expect(made.status).toBe(200);
    expect(webUi.callsTo(varied).map(({ body }) => body)).toMatchObject([
      {
        init_images: [expect.stringMatching(/^[\w+/=]+$/)],
        mask: expect.stringMatching(/^[\w+/=]+$/),
        denoising_strength: 0.75,
        inpainting_fill: 1,
        inpaint_full_res: false,
      },
    ]);
    const [call] = webUi
      .callsTo(varied)
      .map(({ body }) =>
        v.parse(v.looseObject({ init_images: v.array(v.string()), mask: v.string() }), body),
      );
    expect(call?.mask).not.toBe(call?.init_images[0]);
    expect(await readHistory(server, token)).toHaveLength(2);
  });

  test('makes nothing anew without a mask, nor varies with one', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    const { id: mask_id } = await upload(server, token, await makePng());
    const request = (source: NonNullable<v.InferInput<typeof generate.input>['source']>) =>
      server.call(generate, { ...input, source }, { token });

    const answers = [
      await request({ generation_id: id, mode: 'inpaint' }),
      await request({ generation_id: id, mode: 'variation', mask_id }),
    ];
    expect(answers).toMatchObject(
      answers.map(() => ({
        status: 422,
        body: { detail: 'Mark the part of the picture that is made anew' },
      })),
    );
    const both = await request({ generation_id: id, source_id: mask_id, mode: 'variation' });
    const neither = await request({ mode: 'variation' });
    expect([both, neither]).toMatchObject(
      [both, neither].map(() => ({ status: 422, body: { detail: 'There is no such picture' } })),
    );
    expect(webUi.callsTo(varied)).toHaveLength(0);
  });

  test('varies a picture that the user has sent, which is in no history and gone a day later', async () => {
    const objects = createMemoryStore();
    const { server, webUi } = await startWithWebUi(objects);
    const token = await server.signUp(ann);
    const sent = await upload(server, token, await makePng(300, 200));
    const vary = (job: number) =>
      server.call(
        generate,
        { ...getPending(job), source: { source_id: sent.id, mode: 'variation' } },
        { token },
      );

    const made = await vary(1);

    expect(sent).toMatchObject({ width: 300, height: 200 });
    expect(made.status).toBe(200);
    expect(webUi.callsTo(varied)).toHaveLength(1);
    expect(await readHistory(server, token)).toHaveLength(1);
    expect(objects.names().filter((name) => name.startsWith(sent.id))).toHaveLength(2);

    server.wait(24 * 60 * minute);
    expect(await vary(2)).toMatchObject({ status: 410, body: { code: 'source_gone' } });
    await sweep(server.deps);
    expect(objects.names().filter((name) => name.startsWith(sent.id))).toHaveLength(0);
    expect(webUi.callsTo(varied)).toHaveLength(1);
  });

  test('gets a photo upright, however the camera was held', async () => {
    const { server, webUi } = await startWithWebUi();
    const token = await server.signUp(ann);
    const photo = await sharp(Buffer.from(await (await makePng(300, 200)).arrayBuffer()))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const sent = await upload(server, token, new Blob([new Uint8Array(photo)]));

    await server.call(
      generate,
      { ...input, source: { source_id: sent.id, mode: 'variation' } },
      { token },
    );

    expect(sent).toMatchObject({ width: 200, height: 300 });
    const [body] = webUi.callsTo(varied).map((call) => call.body);
    const [base64 = ''] = v.parse(
      v.looseObject({ init_images: v.array(v.string()) }),
      body,
    ).init_images;
    const {
      width,
      height,
      orientation = 1,
    } = await sharp(Buffer.from(base64, 'base64')).metadata();
    expect({ width, height, orientation }).toEqual({ width: 200, height: 300, orientation: 1 });
  });

  test('gets no picture that another user has sent', async () => {
    const { server, webUi } = await startWithWebUi();
    const { token, id } = await withPicture(server);
    const stranger = await server.signUp(bob);
    const theirs = await upload(server, stranger, await makePng());

    const byAnn = await server.call(
      generate,
      { ...input, source: { source_id: theirs.id, mode: 'variation' } },
      { token },
    );
    const withMask = await server.call(
      generate,
      { ...input, source: { generation_id: id, mode: 'inpaint', mask_id: theirs.id } },
      { token },
    );

    const gone = { status: 410, body: { code: 'source_gone' } };
    expect([byAnn, withMask]).toMatchObject([gone, gone]);
    expect(webUi.callsTo(varied)).toHaveLength(0);
  });

  test.each([
    ['that is no picture', async () => new Blob(['GIF89a']), 'picture_unreadable'],
    ['that is too large', () => makePng(8193, 1), 'picture_too_large'],
  ])('no file is taken %s', async (_what, makeFile, code) => {
    const server = await createTestServer({});
    const token = await server.signUp(ann);

    const { body } = await server.call(uploadSource, { image: await makeFile() }, { token });

    expect(body).toMatchObject({ code });
    expect(await readHistory(server, token)).toHaveLength(0);
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
