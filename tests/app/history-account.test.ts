/** The history of a logged-in user: the account's and the device's pictures as one list, and failures. */
import { screen, waitFor } from '@testing-library/react';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';

import {
  listGenerations,
  readModelInfo,
  saveGeneration,
  updateGeneration,
  updateModelCache,
} from '#contract/endpoints/generations';
import { fillIn, finished, generateButton } from '#tests/generator';
import { card, cardNames, history, openHistory } from '#tests/history';
import { readHistory, toKey, save, readSaved } from '#tests/pictures';
import { remembered } from '#tests/remembered';
import { startServer } from '#tests/render-app';

const person = 4242;
const mine = { owner: String(person), imageUrl: undefined };

async function startMember() {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  return { testServer, token, options: { server: testServer, as: { telegramId: person, token } } };
}

test('shows pictures from another device, and Refresh shows newer ones', async () => {
  const { testServer, token, options } = await startMember();
  await save(testServer, token, { prompt: 'Made on the laptop' });
  const { user } = await openHistory([], options);
  const made = await card('Made on the laptop');
  expect(await made.findByRole('button', { name: 'Enlarge: Made on the laptop' })).toBeVisible();

  testServer.wait(60_000);
  await save(testServer, token, { prompt: 'Made since' });
  await user.click(history().getByRole('button', { name: 'Refresh' }));

  await card('Made since');
  expect(cardNames()).toEqual(['Image: Made since', 'Image: Made on the laptop']);
  expect(history().queryByText(/Only on this device\./)).toBeNull();
});

test('says that it is loading while there is nothing to show', async () => {
  const { testServer, token, options } = await startMember();
  await save(testServer, token, { prompt: 'Made on the laptop' });
  let release = () => {};
  await openHistory([], {
    ...options,
    prepare: (server) => {
      release = server.hang(listGenerations);
    },
  });

  expect(await history().findByText('Loading history...')).toBeVisible();
  release();

  await card('Made on the laptop');
  expect(screen.queryByText('Loading history...')).toBeNull();
});

test('a picture on the device and in the account is listed once', async () => {
  const { testServer, token, options } = await startMember();
  const { id } = readSaved(await save(testServer, token, { prompt: 'Saved and known' }));
  await save(testServer, token, { prompt: 'Saved, and its answer lost', job_key: toKey('lost') });
  await openHistory(
    [
      remembered(1, { ...mine, prompt: 'Saved and known', remoteId: id }),
      remembered(2, { ...mine, prompt: 'Saved, and its answer lost', jobKey: toKey('lost') }),
      remembered(3, { prompt: 'A guest’s', imageUrl: '/icon-512.png' }),
    ],
    options,
  );

  // Only the account has their files.
  await (await card('Saved, and its answer lost')).findByRole('button', { name: /^Enlarge/ });
  expect(new Set(cardNames())).toEqual(
    new Set(['Image: A guest’s', 'Image: Saved and known', 'Image: Saved, and its answer lost']),
  );
});

test('a picture that was deleted on another device disappears here, too', async () => {
  const { options } = await startMember();
  await openHistory(
    [
      remembered(1, { ...mine, prompt: 'Deleted elsewhere', remoteId: 'gone' }),
      remembered(2, { ...mine, prompt: 'Not saved yet', imageUrl: '/icon-512.png' }),
    ],
    options,
  );

  await waitFor(() => expect(cardNames()).toEqual(['Image: Not saved yet']));
});

test('a picture is in the account as soon as it is made, without an upload', async () => {
  const { testServer, token, options } = await startMember();
  const app = await openHistory([], options);

  await fillIn(app, 'Made by the server');
  await app.user.click(generateButton());
  await finished('Made by the server');
  await waitFor(() => expect(rememberedId('Made by the server')).toBeDefined());

  expect(app.server.requestsTo(saveGeneration)).toEqual([]);
  const [saved] = await readHistory(testServer, token);
  expect(saved).toMatchObject({ prompt: 'Made by the server', modelId: '1001', tags: ['pixai'] });

  // Another device has only the account's data of it.
  localStorage.removeItem('nori_generation_history');
  await app.reload();
  await screen.findByRole('heading', { name: 'History' });
  await card('Made by the server');
  expect(app.server.requestsTo(saveGeneration)).toEqual([]);
});

test('a picture that was saved while the history was read stays, although the answer does not name it', async () => {
  const { testServer, token, options } = await startMember();
  const app = await openHistory([], options);
  const arrive = holdHistoryBack();
  await app.user.click(history().getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(arrive.isAsked()).toBe(true));

  await fillIn(app, 'Made meanwhile');
  await app.user.click(generateButton());
  await waitFor(async () => {
    const saved = await readHistory(testServer, token);
    expect(saved.map(({ prompt }) => prompt)).toContain('Made meanwhile');
  });
  await waitFor(() => expect(rememberedId('Made meanwhile')).toBeDefined());
  arrive.release();

  await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
  expect(cardNames()).toEqual(['Image: Made meanwhile']);
});

test('another user of this device does not see the pictures', async () => {
  const { options } = await startMember();
  await openHistory(
    [remembered(1, { owner: '999', prompt: 'Of somebody else' }), remembered(2)],
    options,
  );

  await card('A heron at dusk, number 2');
  expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']);
});

for (const [what, refusal] of [
  ['a server that is broken', { status: 500, body: { detail: 'Broken' } }],
  ['an answer that makes no sense', { status: 200, body: '<html>Hello</html>' }],
] as const) {
  test(`${what} leaves the device’s records, and is only logged`, async () => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { options } = await startMember();
    const app = await openHistory([remembered(1, { ...mine, imageUrl: '/icon-512.png' })], {
      ...options,
      prepare: (server) => server.refuse(listGenerations, refusal),
    });

    await waitFor(() => expect(app.server.requestsTo(listGenerations).length).toBeGreaterThan(0));
    await card('A heron at dusk, number 1');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(localStorage.getItem('accessToken')).not.toBeNull();
    await waitFor(() =>
      expect(logged).toHaveBeenCalledWith('The history could not be loaded', expect.any(String)),
    );
  });
}

test('without records, the history is empty after a failure', async () => {
  const { options } = await startMember();
  await openHistory([], {
    ...options,
    prepare: (server) => server.refuse(listGenerations, { status: 403, body: { detail: 'No' } }),
  });

  expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
});

for (const [what, refusal] of [
  ['a refused token', { status: 401, body: { detail: 'Your session has ended' } }],
  ['the detail Not authenticated', { status: 403, body: { detail: 'Not authenticated' } }],
] as const) {
  test(`${what} ends the session and leaves the cached history shown`, async () => {
    const { options } = await startMember();
    await openHistory([remembered(1, { ...mine, imageUrl: '/icon-512.png' })], {
      ...options,
      prepare: (server) => server.refuse(listGenerations, refusal),
    });

    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
    await card('A heron at dusk, number 1');
    expect(await history().findByText(/This is what this device has kept\./)).toBeVisible();
  });
}

test('items in every spelling are read, and invalid ones are left out', async () => {
  const { options } = await startMember();
  await openHistory([], {
    ...options,
    prepare: (server) =>
      server.refuse(listGenerations, {
        status: 200,
        body: [
          { _id: 1, imageUrl: '/icon-512.png', prompt: 'Camel case', timestamp: 2, modelId: 'm' },
          { id: '2', image_url: '/icon-512.png', prompt: 'Snake case', created_at: 1 },
          { prompt: 'No id' },
          'nonsense',
        ],
      }),
  });

  await card('Camel case');
  expect(cardNames()).toEqual(['Image: Camel case', 'Image: Snake case']);
});

test('the name of a model that only this device knows is sent to the account, once', async () => {
  const { testServer, token, options } = await startMember();
  const { id } = readSaved(
    await save(testServer, token, { prompt: 'Without a name', model_name: '' }),
  );
  const row = remembered(1, { ...mine, prompt: 'Without a name', remoteId: id });

  const { server, user } = await openHistory([row], options);
  await waitFor(async () => {
    const [saved] = await readHistory(testServer, token);
    expect(saved?.modelName).toBe(row.modelName);
  });
  await user.click(history().getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(server.requestsTo(listGenerations)).toHaveLength(2));

  expect(server.requestsTo(updateGeneration).map(({ body }) => body)).toEqual([
    { id, model_name: row.modelName },
  ]);
  const { body } = await testServer.call(
    readModelInfo,
    { model_id: '1983308862240288769' },
    { token },
  );
  expect(body).toMatchObject({ name: row.modelName });
});

test('a server that refuses names changes nothing for the user', async () => {
  const { testServer, token, options } = await startMember();
  const { id } = readSaved(
    await save(testServer, token, { prompt: 'Without a name', model_name: '' }),
  );
  const row = remembered(1, { ...mine, prompt: 'Without a name', remoteId: id });

  const { server } = await openHistory([row], {
    ...options,
    prepare: (network) => {
      network.refuse(updateModelCache, { status: 500, body: { detail: 'no' } });
      network.refuse(updateGeneration, { status: 404, body: { detail: 'no' } });
    },
  });
  await waitFor(() => expect(server.requestsTo(updateGeneration)).toHaveLength(1));

  await card('Without a name');
  expect(screen.queryByRole('alert')).toBeNull();
});

/** The server's answer about the history as it is now, which arrives later. */
function holdHistoryBack() {
  const pass = globalThis.fetch;
  const { promise, resolve } = Promise.withResolvers<void>();
  let isAsked = false;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const { method, url } = new Request(input, init);
    const answer = await pass(input, init);
    if (method === 'GET' && new URL(url).pathname.endsWith(listGenerations.path) && !isAsked) {
      isAsked = true;
      await promise;
    }
    return answer;
  });
  return { release: resolve, isAsked: () => isAsked };
}

/** The account's id of a picture, once this device knows it. */
function rememberedId(prompt: string): unknown {
  const rows = v.parse(
    v.array(v.object({ prompt: v.string(), remoteId: v.optional(v.string()) })),
    JSON.parse(localStorage.getItem('nori_generation_history') ?? '[]'),
  );
  return rows.find((row) => row.prompt === prompt)?.remoteId;
}
