/** PixAI's own model list, for servers that have a key for it. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { readModelInfo, updateModelCache } from '#contract/endpoints/generations';
import { queryModels, readModelsPage } from '#contract/endpoints/models';
import { sweep } from '#server/services/maintenance';
import { type RecordedCall, startStandIn } from '#tests/stand-in';
import { createTestServer } from '#tests/test-server';

const apiKey = 'sk-stand-in';

const node = {
  id: '1700000000000000001',
  title: 'Haruka',
  type: 'SDXL_LORA',
  isNsfw: false,
  createdAt: '2026-03-01T10:00:00.000Z',
  likedCount: 12,
  refCount: 340,
  media: {
    urls: [
      { variant: 'PUBLIC', url: 'https://images.example.org/full.png' },
      { variant: 'STILL_THUMBNAIL', url: 'https://images.example.org/small.webp' },
    ],
    width: 768,
    height: 1152,
  },
  tags: [{ name: 'style' }],
  latestAvailableVersion: { id: '1861558740588989558', extra: { triggerWords: 'haru, calm' } },
};
const page = {
  data: {
    generationModels: {
      edges: [{ cursor: 'c1', node }],
      pageInfo: { hasNextPage: true, endCursor: 'c1' },
    },
  },
};

/** A server whose image service returns these answers. */
async function startWith(answer: (call: RecordedCall) => object) {
  const service = await startStandIn(answer);
  const server = await createTestServer({
    variables: { PIXAI_API_KEY: apiKey, PIXAI_API_ROOT: service.url },
  });
  const fetchAnswer = async (
    operation: 'listGenerationModels' | 'searchGenerationModels',
    variables: object,
  ) => {
    const { body } = await server.call(queryModels, { operation, variables });
    return v.parse(queryModels.output, body);
  };
  return { service, server, fetchAnswer };
}

test('a list is requested from the service with the key and our own query document', async () => {
  const { service, fetchAnswer } = await startWith(() => ({ body: page }));

  const answer = await fetchAnswer('listGenerationModels', {
    first: 12,
    after: 'c0',
    feed: 'latest',
    orderBy: '-createdAt',
  });

  expect(readModelsPage(answer)).toEqual({
    models: [
      {
        id: node.id,
        modelId: '1861558740588989558',
        name: 'Haruka',
        endpointName: 'haruka',
        cover: 'https://images.example.org/full.png',
        thumbnail: 'https://images.example.org/small.webp',
        width: 768,
        height: 1152,
        type: 'SDXL_LORA',
        isLora: true,
        isNsfw: false,
        likedCount: 12,
        refCount: 340,
        createdAt: Date.parse('2026-03-01T10:00:00.000Z'),
        tags: ['style'],
        triggerWords: ['haru', 'calm'],
      },
    ],
    hasNextPage: true,
    endCursor: 'c1',
  });
  const [call] = service.callsTo('POST /graphql');
  expect(call?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(call?.body).toMatchObject({
    query: expect.stringContaining('query listGenerationModels'),
    variables: { first: 12, after: 'c0', feed: 'latest', orderBy: '-createdAt' },
  });
});

test('a search contains its keyword, and a client cannot send a query document of its own', async () => {
  const { service, server } = await startWith(() => ({ body: page }));

  await server.call(queryModels, {
    operation: 'searchGenerationModels',
    query: 'mutation { deleteEverything }',
    variables: { first: 5, keyword: 'haru', feed: 'search' },
  });

  const [call] = service.callsTo('POST /graphql');
  expect(call?.body).toMatchObject({
    query: expect.stringContaining('query searchGenerationModels'),
    variables: { keyword: 'haru', feed: 'search' },
  });
  expect(JSON.stringify(call?.body)).not.toContain('deleteEverything');
});

test.each([
  {
    what: 'its own errors',
    reply: { body: { errors: [{ message: 'Feed is closed' }] } },
    says: 'Feed is closed',
  },
  { what: 'a failure', reply: { status: 500, body: { message: 'boom' } }, says: /does not answer/ },
  { what: 'a page instead of JSON', reply: { body: '<html>down</html>' }, says: /does not answer/ },
  { what: 'JSON of another shape', reply: { body: { data: {} } }, says: /does not answer/ },
])(
  '$what of the service is reported as a GraphQL error, without models',
  async ({ reply, says }) => {
    const { fetchAnswer } = await startWith(() => reply);

    const answer = await fetchAnswer('listGenerationModels', { first: 5 });

    expect(answer.errors?.[0]?.message).toMatch(says);
    expect(readModelsPage(answer).models).toEqual([]);
  },
);

test('a model of an unknown shape does not hide the others', async () => {
  const { fetchAnswer } = await startWith(() => ({
    body: {
      data: {
        generationModels: {
          edges: [
            { cursor: 'c0', node: { id: '1', media: 'none' } },
            { cursor: 'c1', node },
          ],
          pageInfo: { hasNextPage: false },
        },
      },
    },
  }));

  const models = readModelsPage(await fetchAnswer('listGenerationModels', { first: 5 }));

  expect(models.models.map(({ name }) => name)).toEqual(['Haruka']);
  expect(models.hasNextPage).toBe(false);
});

test('the name of a version is requested once and cached; an unknown name is not an error', async () => {
  const { service, server } = await startWith(({ body }) => ({
    body: JSON.stringify(body).includes('"42"')
      ? { data: { generationModelVersion: { name: 'v2', model: { title: 'Tsubaki' } } } }
      : { errors: [{ message: 'not found' }] },
  }));

  const first = await server.call(readModelInfo, { model_id: '42' });
  const again = await server.call(readModelInfo, { model_id: '42' });
  const unknown = await server.call(readModelInfo, { model_id: '43' });

  expect(first.body).toMatchObject({ name: 'Tsubaki' });
  expect(again.body).toMatchObject({ name: 'Tsubaki' });
  expect(unknown.status).toBe(404);
  expect(service.callsTo('POST /graphql')).toHaveLength(2);
});

test('names sent by users are replaced by those of the service, and deleted after some time', async () => {
  let isDown = true;
  const { server } = await startWith(({ body }) =>
    isDown || !JSON.stringify(body).includes('"42"')
      ? { status: 500 }
      : { body: { data: { generationModelVersion: { model: { title: 'Tsubaki' } } } } },
  );
  const token = await server.signUp(111_222_333);
  const info = async (model_id: string) =>
    (await server.call(readModelInfo, { model_id }, { token })).body;
  const day = 24 * 60 * 60_000;

  await server.call(
    updateModelCache,
    {
      models: [
        { modelId: '42', name: 'Buy at evil.example' },
        { modelId: '43', name: 'A user’s own' },
      ],
    },
    { token },
  );
  const whileDown = await info('42');
  isDown = false;
  const known = await info('42');
  isDown = true;
  const remembered = await info('42');
  const gap = await info('43');
  server.wait(91 * day);
  await sweep(server.deps);
  const later = await info('43');

  expect(whileDown).toMatchObject({ name: 'Buy at evil.example' });
  expect(known).toMatchObject({ name: 'Tsubaki' });
  expect(remembered).toMatchObject({ name: 'Tsubaki' });
  expect(gap).toMatchObject({ name: 'A user’s own' });
  expect(later).toMatchObject({ code: 'model_not_found' });
});

test('an overlong error text of the service is shortened', async () => {
  const { fetchAnswer } = await startWith(() => ({
    body: { errors: [{ message: 'No! '.repeat(5000) }] },
  }));

  const answer = await fetchAnswer('listGenerationModels', { first: 5 });

  expect(answer.errors?.[0]?.message).toMatch(/^No! /);
  expect(answer.errors?.[0]?.message).toHaveLength(300);
});
