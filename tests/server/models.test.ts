/** Browsing the built-in models: paging, sorting, searching, covers and names. */
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';

import { readModelInfo, updateModelCache } from '#contract/endpoints/generations';
import { type ModelCard, queryModels, readModelsPage } from '#contract/endpoints/models';
import { sortOrders } from '#contract/images/sort-orders';
import { createCovers, createPaintings } from '#services/images';
import { createMemoryStore, createTestServer, type TestServer } from '#tests/test-server';

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});

type Variables = Parameters<typeof server.call<typeof queryModels>>[1]['variables'];

async function query(
  variables: Variables,
  operation: 'listGenerationModels' | 'searchGenerationModels' = 'listGenerationModels',
) {
  const { status, body } = await server.call(queryModels, { operation, variables });
  const answer = v.parse(queryModels.output, body);
  return { status, answer, page: readModelsPage(answer) };
}

/** The models of all pages. */
async function readAll(variables: Variables): Promise<ModelCard[]> {
  const { page } = await query(variables);
  const rest = page.hasNextPage ? await readAll({ ...variables, after: page.endCursor }) : [];
  return [...page.models, ...rest];
}

test('there are hundreds of models and LoRAs, each with its own IDs, name and cover', async () => {
  const models = await readAll({ first: 100 });

  expect(models.length).toBeGreaterThanOrEqual(300);
  for (const key of ['id', 'modelId', 'name', 'cover', 'thumbnail'] as const) {
    expect(new Set(models.map((model) => model[key])).size).toBe(models.length);
  }
  expect(models.filter(({ isLora }) => isLora).length).toBeGreaterThan(100);
  expect(models.filter(({ isLora }) => !isLora).length).toBeGreaterThan(100);
  expect(models.every((model) => model.isLora === model.triggerWords.length > 0)).toBe(true);
  expect(models.some(({ isNsfw }) => isNsfw)).toBe(true);
  expect(models.every(({ width, height }) => Number(width) > 0 && Number(height) > 0)).toBe(true);
});

test.each(sortOrders)('$value has every model exactly once, in its order', async (order) => {
  const { feed, orderBy } = order;

  const [pages, whole] = [
    await readAll({ first: 37, feed, orderBy }),
    await readAll({ first: 100, feed, orderBy }),
  ];

  expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  expect(pages.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
});

test.each([
  { orderBy: '-markInfo.likedCount', rank: 'likedCount' },
  { orderBy: '-markInfo.refCount', rank: 'refCount' },
] as const)('$orderBy is descending by $rank', async ({ orderBy, rank }) => {
  const models = await readAll({ first: 100, feed: 'default', orderBy });

  const counts = models.map((model) => model[rank]);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});

test('the four orders differ', async () => {
  const starts = await Promise.all(
    sortOrders.map(async ({ feed, orderBy }) => {
      const { page } = await query({ first: 12, feed, orderBy });
      return page.models.map(({ id }) => id).join();
    }),
  );

  expect(new Set(starts).size).toBe(4);
});

test('Latest begins with the newest', async () => {
  const { answer } = await query({ first: 100, feed: 'latest', orderBy: '-createdAt' });
  const node = v.object({ node: v.object({ createdAt: v.string() }) });
  const dates = (answer.data?.generationModels?.edges ?? []).map(
    (edge) => v.parse(node, edge).node.createdAt,
  );

  expect(dates).toHaveLength(100);
  expect(dates).toEqual(dates.toSorted().toReversed());
});

test('a search finds names, tags, trigger words and IDs, and has more pages', async () => {
  const search = (keyword: string, first = 100) =>
    query({ first, keyword, feed: 'search' }, 'searchGenerationModels');

  const byName = await search('  LANTERN ');
  const byWord = await search('stained glass');
  const byTag = await search('science fiction');
  const [some] = byWord.page.models;
  const byId = await search(some?.modelId ?? '');
  const none = await search('no such thing');
  const begin = await search('lantern', 5);
  const next = await query(
    { first: 100, keyword: 'lantern', feed: 'search', after: begin.page.endCursor },
    'searchGenerationModels',
  );

  expect(byName.page.models.length).toBeGreaterThan(5);
  expect(byName.page.models.every(({ name }) => name.includes('Lantern'))).toBe(true);
  expect(
    byWord.page.models.every(({ triggerWords }) => triggerWords.includes('stained glass')),
  ).toBe(true);
  expect(byTag.page.models.every(({ tags }) => tags.includes('science fiction'))).toBe(true);
  expect(byId.page.models.map(({ id }) => id)).toEqual([some?.id]);
  expect(none.page).toEqual({ models: [], hasNextPage: false, endCursor: undefined });
  expect(begin.page.hasNextPage).toBe(true);
  expect([...begin.page.models, ...next.page.models]).toEqual(byName.page.models);
});

test.each([
  'nonsense',
  Buffer.from('1').toString('base64url'),
  Buffer.from('9'.repeat(16)).toString('base64url'),
])('an invalid cursor (%s) is reported as a GraphQL error', async (after) => {
  const { status, answer } = await query({ first: 5, after });

  expect(status).toBe(200);
  expect(answer.errors).toEqual([
    { message: 'This list cannot be continued. Please load it again.' },
  ]);
  expect(answer.data).toBeNull();
});

test.each([{ first: 0 }, { first: 101 }, { first: 1.5 }])(
  'a page of %o is refused',
  async (input) => {
    const reply = await server.call(queryModels, {
      operation: 'listGenerationModels',
      variables: input,
    });

    expect(reply.status).toBe(422);
  },
);

test('a cover is painted at its first request, has the documented shape, and is stored', async () => {
  const { page } = await query({ first: 1 });
  const [model] = page.models;

  const first = await server.app.request(model?.thumbnail ?? '');
  const bytes = Buffer.from(await first.arrayBuffer());
  const again = await server.app.request(model?.thumbnail ?? '');
  const { format, width, height } = await sharp(bytes).metadata();

  expect(first.headers.get('Content-Type')).toBe('image/webp');
  expect(first.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(format).toBe('webp');
  expect(Math.max(width, height)).toBeLessThanOrEqual(512);
  expect(width / height).toBeCloseTo(Number(model?.width) / Number(model?.height), 1);
  expect(Buffer.from(await again.arrayBuffer())).toEqual(bytes);
});

test('parallel requests for a cover paint it once', async () => {
  const { page } = await query({ first: 1 });
  const id = page.models[0]?.id ?? '';
  let painted = 0;
  const paintings = createPaintings(createMemoryStore(), async () => {
    painted += 1;
    return Buffer.from('a cover');
  });
  const covers = createCovers(paintings);

  const looks = await Promise.all(Array.from({ length: 8 }, () => covers.read(id, 'thumbnail')));
  await covers.read(id, 'thumbnail');
  await covers.read(id, 'public');

  expect(looks.every((bytes) => bytes?.toString() === 'a cover')).toBe(true);
  expect(painted).toBe(2);
});

test.each(['v0/17-thumbnail.webp', 'v2/1-thumbnail.webp', 'v2/17-secret.webp', 'v2/..%2F.webp'])(
  'there is no cover at %s',
  async (path) => {
    expect((await server.app.request(`/backend/media/covers/${path}`)).status).toBe(404);
  },
);

test('a model is found by its version, a name sent by a user by its ID, and nothing else is found', async () => {
  const token = await server.signUp(111_222_333);
  const { page } = await query({ first: 1 });
  const [model] = page.models;
  const info = (model_id: string, as?: string) =>
    server.call(readModelInfo, { model_id }, { token: as });

  const builtIn = await info(model?.modelId ?? '');
  const unknown = await info('4711');
  const told = await server.call(
    updateModelCache,
    { models: [{ modelId: '4711', name: 'A user’s own' }] },
    { token },
  );
  const retold = await server.call(
    updateModelCache,
    { models: [{ modelId: '4711', name: 'Another name' }] },
    { token },
  );
  const asGuest = await server.call(updateModelCache, { models: [] });

  expect(builtIn.body).toMatchObject({
    name: model?.name,
    type: model?.type,
    cover_url: model?.thumbnail,
    is_nsfw: model?.isNsfw,
  });
  expect(unknown.status).toBe(404);
  expect(unknown.body).toMatchObject({ detail: 'There is no model with this ID.' });
  expect(told.body).toEqual({ status: 'ok', updated: 1 });
  expect(retold.body).toEqual({ status: 'ok', updated: 0 });
  expect(asGuest.status).toBe(401);
  expect((await info('4711', token)).body).toMatchObject({ name: 'A user’s own' });
});

test('a name that a user has sent is shown to no other user and to no visitor', async () => {
  const [teller, other] = [await server.signUp(111_222_333), await server.signUp(444_555_666)];
  const models = [{ modelId: '4711', name: 'Free gems at evil.example' }];

  await server.call(updateModelCache, { models }, { token: teller });
  const seenByOther = await server.call(readModelInfo, { model_id: '4711' }, { token: other });
  const seenByVisitor = await server.call(readModelInfo, { model_id: '4711' });
  const own = { models: [{ modelId: '4711', name: 'Another name' }] };
  const named = await server.call(updateModelCache, own, { token: other });

  expect(seenByOther.status).toBe(404);
  expect(seenByVisitor.status).toBe(404);
  expect(named.body).toEqual({ status: 'ok', updated: 1 });
});

test('a page of models is compressed for those who understand it', async () => {
  const readPage = (encodings: Readonly<Record<string, string>>) =>
    server.app.request(`/backend${queryModels.path}?operation=listGenerationModels`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...encodings },
      body: JSON.stringify({ variables: {} }),
    });
  const plain = await readPage({});
  const compressed = await readPage({ 'Accept-Encoding': 'gzip' });

  expect(plain.headers.get('Content-Encoding')).toBeNull();
  expect(compressed.headers.get('Content-Encoding')).toBe('gzip');
  const bytes = Buffer.from(await compressed.arrayBuffer());
  const text = await plain.text();
  expect(gunzipSync(bytes).toString()).toBe(text);
  expect(bytes.length).toBeLessThan(text.length / 4);
});
