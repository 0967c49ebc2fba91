/** Saved pictures: owners, histories, and deletion. */
import { expect, test } from 'vitest';

import {
  deleteGeneration,
  listGenerations,
  listGenerationUrls,
  restoreGeneration,
  saveGeneration,
  updateGeneration,
} from '#contract/endpoints/generations';
import { deleteMidjourney } from '#contract/endpoints/midjourney';
import { readHistory, toKey, makePng, save, readSaved, startWithPeople } from '#tests/pictures';
import { createTestServer } from '#tests/test-server';

test('a saved picture is in the history of its user, with its recipe', async () => {
  const { server, tokens } = await startWithPeople();

  const saved = await save(server, tokens.ann, { job_key: toKey('first') });
  const [item] = await readHistory(server, tokens.ann);

  expect(saved.status).toBe(201);
  expect(item).toMatchObject({
    prompt: 'a lighthouse',
    negativePrompt: 'fog',
    modelId: '1983308862240288769',
    modelName: 'Tidepool',
    seed: '1234567890123',
    ratio: '4:3',
    nsfw: false,
    loras: { '77': 0.7 },
    tags: ['pixai'],
    width: 64,
    height: 48,
    status: 'completed',
    timestamp: server.now(),
    jobKey: toKey('first'),
  });
  expect(await readHistory(server, tokens.bob)).toEqual([]);
  const urls = await server.call(listGenerationUrls, {}, { token: tokens.ann });
  expect(urls.body).toMatchObject({
    urls: [{ _id: item?.id, prompt: 'a lighthouse', s3_urls: [item?.imageUrl] }],
  });
});

test('saving again with the same key returns the first picture, also in parallel', async () => {
  const { server, tokens, objects } = await startWithPeople();

  const replies = await Promise.all(
    Array.from({ length: 6 }, () => save(server, tokens.ann, { job_key: toKey('twice') })),
  );
  const later = await save(server, tokens.ann, { job_key: toKey('twice') });
  const other = await save(server, tokens.bob, { job_key: toKey('twice') });

  const ids = new Set([...replies, later].map((reply) => readSaved(reply).id));
  expect(ids.size).toBe(1);
  expect(readSaved(other).id).not.toBe([...ids][0]);
  expect(await readHistory(server, tokens.ann)).toHaveLength(1);
  // One original and one thumbnail for each of the two users.
  expect(objects.names()).toHaveLength(4);
});

test('a hundred pictures saved at once by twenty users are all stored, each for its owner only', async () => {
  const server = await createTestServer();
  const people = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => ({
      index,
      token: await server.signUp(700_000_000 + index),
    })),
  );
  const image = await makePng(200, 150);

  const replies = await Promise.all(
    people.flatMap(({ index, token }) =>
      Array.from({ length: 5 }, (_, count) =>
        save(server, token, {
          image,
          job_key: toKey(`p${index}n${count}`),
          prompt: `person ${index} picture ${count}`,
        }),
      ),
    ),
  );
  const histories = await Promise.all(people.map(({ token }) => readHistory(server, token)));

  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 201));
  for (const [index, history] of histories.entries()) {
    expect(history.map(({ prompt }) => prompt).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((count) => `person ${index} picture ${count}`),
    );
  }
});

test('without a session no picture is saved, listed, renamed or deleted', async () => {
  const { server } = await startWithPeople();

  const replies = await Promise.all([
    server.call(saveGeneration, { model_id: '1', prompt: 'x', image: await makePng() }),
    server.call(listGenerations, {}),
    server.call(listGenerationUrls, {}),
    server.call(deleteGeneration, { id: 'abc' }),
    server.call(restoreGeneration, { id: 'abc' }),
    server.call(deleteMidjourney, { id: 'abc' }),
    server.call(updateGeneration, { id: 'abc', model_name: 'x' }),
  ]);

  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401]);
});

test('another user’s picture can neither be renamed nor deleted, and looks like one that does not exist', async () => {
  const { server, tokens } = await startWithPeople();
  const { id } = readSaved(await save(server, tokens.ann));

  const foreign = await server.call(deleteGeneration, { id }, { token: tokens.bob });
  const unknown = await server.call(deleteGeneration, { id: 'unknown' }, { token: tokens.bob });
  const renamed = await server.call(
    updateGeneration,
    { id, model_name: 'Mine' },
    { token: tokens.bob },
  );

  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual(unknown.body);
  expect(renamed.status).toBe(404);
  expect((await readHistory(server, tokens.ann))[0]).toMatchObject({ id, modelName: 'Tidepool' });
});

test('a user renames and deletes their own picture, which is shown no more', async () => {
  const { server, tokens } = await startWithPeople();
  const { id, image_url: link } = readSaved(await save(server, tokens.ann));

  await server.call(updateGeneration, { id, model_name: 'Moonlit' }, { token: tokens.ann });
  const [named] = await readHistory(server, tokens.ann);
  const deleted = await server.call(deleteGeneration, { id }, { token: tokens.ann });

  expect(named?.modelName).toBe('Moonlit');
  expect(deleted.status).toBe(204);
  expect((await server.app.request(link)).status).toBe(404);
});
