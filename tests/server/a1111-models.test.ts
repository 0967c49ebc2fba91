/**
 * The models of the operator's own A1111 server: listed, searched, named and used as they are
 * listed.
 */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { readModelInfo } from '#contract/endpoints/generations';
import { generateWithLoras } from '#contract/endpoints/images';
import { queryModels, readModelsPage } from '#contract/endpoints/models';
import { startA1111, getPending } from '#tests/image-services';
import { createTestServer } from '#tests/test-server';

const models = 'GET /sdapi/v1/sd-models';
const loras = 'GET /sdapi/v1/loras';

async function startServer(options: { auth?: string } = {}) {
  const webUi = await startA1111(options);
  const server = await createTestServer({ variables: webUi.variables });
  const query = async (
    variables: { first?: number; after?: string; keyword?: string },
    operation: 'listGenerationModels' | 'searchGenerationModels' = 'listGenerationModels',
  ) => v.parse(queryModels.output, (await server.call(queryModels, { operation, variables })).body);
  const list = async (...input: Parameters<typeof query>) => readModelsPage(await query(...input));
  return { webUi, server, query, list };
}

test('models and LoRAs are listed by the names that a request uses, without unusable ones', async () => {
  const { webUi, list } = await startServer({ auth: 'ada:pass:word' });

  const page = await list({ first: 36 });

  expect(page.models.map(({ modelId, name, isLora }) => ({ modelId, name, isLora }))).toEqual([
    { modelId: 'dreamy', name: 'dreamy', isLora: false },
    { modelId: 'inky', name: 'inky', isLora: false },
    { modelId: '静かな水 v2 (fp16)', name: '静かな水 v2 (fp16)', isLora: false },
    { modelId: '0a1b2c', name: 'a<b>', isLora: false },
    { modelId: 'ink style', name: 'Ink & Wash', isLora: true },
    { modelId: 'glow', name: 'glow', isLora: true },
  ]);
  expect(page.hasNextPage).toBe(false);
  expect(webUi.callsTo(models)).toHaveLength(1);
});

test('each of them makes a picture', async () => {
  const { webUi, server, list } = await startServer();
  const { models: found } = await list({ first: 36 });
  const weights = Object.fromEntries(
    found.filter(({ isLora }) => isLora).map(({ modelId }) => [modelId, 0.7]),
  );
  const usable = found.filter(({ isLora }) => !isLora);

  for (const [index, { modelId }] of usable.entries()) {
    const input = { ...getPending(index), model_id: modelId, loras: weights };
    expect(await server.call(generateWithLoras, input)).toMatchObject({ status: 200 });
  }

  const drawn = webUi.callsTo('POST /sdapi/v1/txt2img').map(({ body }) => body);
  expect(drawn).toMatchObject(
    [
      'dreamy.safetensors [abc123]',
      'inky.safetensors',
      '静かな水 v2 (fp16).ckpt',
      'a<b>.ckpt [0a1b2c]',
    ].map((title) => ({ override_settings: { sd_model_checkpoint: title } })),
  );
  expect(drawn[0]).toMatchObject({
    prompt: 'a secret garden at dusk <lora:ink style:0.7> <lora:glow:0.7>',
  });
});

test('they are listed in pages, and a search finds them by name or ID, ignoring case', async () => {
  const { list } = await startServer();

  const first = await list({ first: 4 });
  const rest = await list({ first: 4, after: first.endCursor ?? '' });
  const found = await list({ keyword: 'INK' }, 'searchGenerationModels');

  expect(first.models).toHaveLength(4);
  expect(first.hasNextPage).toBe(true);
  expect(rest.models.map(({ name }) => name)).toEqual(['Ink & Wash', 'glow']);
  expect(rest.hasNextPage).toBe(false);
  expect(found.models.map(({ name }) => name)).toEqual(['inky', 'Ink & Wash']);
});

test('an ID gives a name, and an unknown ID is not an error', async () => {
  const { server } = await startServer();

  const known = await server.call(readModelInfo, { model_id: '0a1b2c' });
  const lora = await server.call(readModelInfo, { model_id: 'ink style' });
  const unknown = await server.call(readModelInfo, { model_id: 'unheard of' });

  expect(known).toMatchObject({ status: 200, body: { name: 'a<b>' } });
  expect(lora).toMatchObject({ status: 200, body: { name: 'Ink & Wash' } });
  expect(unknown.status).toBe(404);
});

test('when the LoRA list is missing, the models are listed all the same', async () => {
  const { webUi, list } = await startServer();
  webUi.fail(loras, { status: 404, body: { detail: 'Not Found' } });

  expect((await list({ first: 36 })).models.map(({ isLora }) => isLora)).not.toContain(true);
});

test.each([
  ['is off', 'reset'],
  ['refuses the password', { status: 401, body: {} }],
  ['answers something else', { body: { models: 1 } }],
] as const)('when it %s, an error is shown and no other models', async (_what, failure) => {
  const { webUi, query } = await startServer();
  webUi.fail(models, failure);

  const answer = await query({ first: 36 });

  expect(answer.errors?.[0]?.message).toMatch(/does not answer/);
  expect(readModelsPage(answer).models).toEqual([]);
});

test('a list refuses an invalid cursor', async () => {
  const { query } = await startServer();

  const answer = await query({ first: 4, after: '-1' });

  expect(answer.errors?.[0]?.message).toMatch(/cannot be continued/);
});
