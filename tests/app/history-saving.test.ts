/** Pictures that are saved on backends which answer less than ours: each is saved once and shown once. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { listGenerations, saveGeneration } from '#contract/endpoints/generations';
import { generate } from '#contract/endpoints/images';
import { listMidjourneyHistory } from '#contract/endpoints/midjourney';
import { type Network } from '#tests/app-server';
import { fillIn, finished, generateButton } from '#tests/generator';
import { card, cardNames, history, openHistory } from '#tests/history';
import { answerWith, generatePictures, openMidjourney } from '#tests/midjourney';
import { cardNames as providerCards, person, pictureUrl } from '#tests/providers';
import { remembered } from '#tests/remembered';

type App = Awaited<ReturnType<typeof openHistory>>;

const listAnswer = (...generations: readonly unknown[]) => ({ status: 200, body: { generations } });
const now = () => new Date().toISOString();

const madePicture = {
  status: 200,
  body: 'the bytes of a picture',
  headers: { 'Content-Type': 'image/png' },
};

/** A backend that makes pictures without saying where they are, and has saved none. */
function answerAsTheSeeds(server: Network): void {
  server.refuse(generate, madePicture);
  server.refuse(saveGeneration, { status: 200, body: { status: 'ok' } });
  server.refuse(listGenerations, listAnswer());
}

const openMember = (prepare = answerAsTheSeeds) => openHistory([], { as: person, prepare });

async function make(app: App, prompt = 'A paper crane'): Promise<void> {
  await fillIn(app, prompt);
  await app.user.click(generateButton());
  await finished(prompt);
  await waitFor(() => expect(app.server.requestsTo(saveGeneration).length).toBeGreaterThan(0));
}

async function refresh(app: App): Promise<void> {
  const before = app.server.requestsTo(listGenerations).length;
  await app.user.click(history().getByRole('button', { name: 'Refresh' }));
  await waitFor(() =>
    expect(app.server.requestsTo(listGenerations).length).toBeGreaterThan(before),
  );
  await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
}

for (const [what, body] of [
  ['without an ID', { status: 'ok' }],
  ['without an ID that can be read', { id: null, image_url: 7 }],
  ['that is a sentence', 'Saved!'],
  ['that is empty', ''],
] as const) {
  test(`an answer ${what} does not save the picture again`, async () => {
    const app = await openMember((server) => {
      answerAsTheSeeds(server);
      server.refuse(saveGeneration, { status: 200, body });
    });
    await make(app);

    await refresh(app);
    await refresh(app);
    await app.reload();
    await screen.findByRole('heading', { name: 'History' });
    await card('A paper crane');
    await refresh(app);

    expect(app.server.requestsTo(saveGeneration)).toHaveLength(1);
    expect(cardNames()).toEqual(['Image: A paper crane']);
  });
}

test('a saved picture that the server lists under an ID of its own is shown once', async () => {
  const app = await openMember();
  await make(app);
  app.server.refuse(
    listGenerations,
    listAnswer({ id: 7, prompt: 'A paper crane', image_url: '/icon-512.png', created_at: now() }),
  );

  await refresh(app);
  await refresh(app);

  expect(cardNames()).toEqual(['Image: A paper crane']);
  expect(app.server.requestsTo(saveGeneration)).toHaveLength(1);
});

test('a time without a time zone is UTC, and one in seconds is none of 1970', async () => {
  const app = await openMember();
  await make(app, 'In words');
  const naive = now().replace('Z', '').replace('T', ' ');
  await make(app, 'In seconds');
  app.server.refuse(
    listGenerations,
    listAnswer(
      { id: 1, prompt: 'In words', image_url: '/icon-512.png', created_at: naive },
      { id: 2, prompt: 'In seconds', image_url: '/icon-512.png', created_at: Date.now() / 1000 },
    ),
  );

  await refresh(app);

  expect(new Set(cardNames())).toEqual(new Set(['Image: In words', 'Image: In seconds']));
  expect(cardNames()).toHaveLength(2);
});

test('pictures of the same prompt are paired one by one', async () => {
  const app = await openMember();
  await make(app, 'Again and again');
  await make(app, 'Again and again');
  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(2));
  const item = (id: number) => ({
    id,
    prompt: 'Again and again',
    image_url: '/icon-512.png',
    created_at: now(),
  });
  app.server.refuse(listGenerations, listAnswer(item(1), item(2), item(3)));

  await refresh(app);

  expect(cardNames()).toHaveLength(3);
});

test('two pictures of one prompt made within a second are two, also while one of them is not saved yet', async () => {
  const app = await openMember();
  await make(app, 'A paper crane');
  const arrive = app.server.hang(generate, madePicture);
  await fillIn(app, 'A paper crane');
  await app.user.click(generateButton());
  await waitFor(() => expect(app.server.requestsTo(generate)).toHaveLength(2));
  // The server has the first only; its clock is a little ahead.
  const created_at = Date.now() + 500;
  app.server.refuse(
    listGenerations,
    listAnswer({ id: 1, prompt: 'A paper crane', image_url: '/1.png', created_at }),
  );
  await refresh(app);
  await refresh(app);
  arrive();

  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(2));
  await refresh(app);
  expect(cardNames()).toEqual(['Image: A paper crane', 'Image: A paper crane']);
});

test('a picture that was refused is saved later, although another device has saved one of its prompt', async () => {
  const app = await openMember();
  app.server.refuse(saveGeneration, { status: 429, body: { detail: 'Later' } });
  await make(app, 'A paper crane');
  app.server.refuse(
    listGenerations,
    listAnswer({ id: 1, prompt: 'A paper crane', image_url: '/1.png', created_at: now() }),
  );
  app.server.refuse(saveGeneration, { status: 200, body: { status: 'ok' } });

  await refresh(app);

  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(2));
  expect(cardNames()).toHaveLength(2);
});

test('pictures of the same prompt by different jobs are different ones', async () => {
  const owner = String(person);
  const mine = remembered(1, { owner, jobKey: 'a'.repeat(32), isTaken: true, prompt: 'A crane' });
  const app = await openHistory([mine], { as: person, prepare: answerAsTheSeeds });
  app.server.refuse(
    listGenerations,
    listAnswer({
      id: 1,
      prompt: 'A crane',
      model_id: mine.modelId,
      image_url: '/1.png',
      created_at: mine.timestamp,
      job_key: 'b'.repeat(32),
    }),
  );

  await refresh(app);

  expect(cardNames()).toEqual(['Image: A crane', 'Image: A crane']);
});

test('a picture of another day with the same prompt is another one', async () => {
  const app = await openMember();
  await make(app);
  app.server.refuse(
    listGenerations,
    listAnswer({
      id: 7,
      prompt: 'A paper crane',
      image_url: '/icon-512.png',
      created_at: new Date(Date.now() - 24 * 60 * 60_000).toISOString(),
    }),
  );

  await refresh(app);

  expect(cardNames()).toHaveLength(2);
});

test('a refresh while a picture is being uploaded does not upload it a second time', async () => {
  const app = await openMember();
  const arrive = app.server.hang(saveGeneration);
  await make(app);

  await refresh(app);
  await refresh(app);
  arrive();

  await refresh(app);
  expect(app.server.requestsTo(saveGeneration)).toHaveLength(1);
});

test('an upload whose answer is lost is not repeated when the server lists the picture', async () => {
  const app = await openMember();
  app.server.drop(saveGeneration);
  await make(app);
  app.server.refuse(
    listGenerations,
    listAnswer({ id: 7, prompt: 'A paper crane', image_url: '/icon-512.png', created_at: now() }),
  );

  await refresh(app);

  expect(app.server.requestsTo(saveGeneration)).toHaveLength(1);
  expect(cardNames()).toEqual(['Image: A paper crane']);
});

test('a picture that the server has no room for stays, the user learns why once, and it is saved later', async () => {
  const detail = 'Your pictures take up all the space that you have here.';
  const app = await openMember((server) => {
    answerAsTheSeeds(server);
    server.refuse(saveGeneration, { status: 507, body: { detail, code: 'storage_quota' } });
  });
  const notices = () => screen.queryAllByText(`${detail} The picture stays on this device.`);
  await make(app);
  await waitFor(() => expect(notices()).toHaveLength(1));
  for (const button of screen.getAllByRole('button', { name: 'Close' })) {
    await app.user.click(button);
  }

  await refresh(app);
  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(2));
  expect(notices()).toEqual([]);
  expect(cardNames()).toEqual(['Image: A paper crane']);
  app.server.refuse(saveGeneration, { status: 200, body: { status: 'ok' } });
  await refresh(app);
  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(3));
  await refresh(app);

  expect(app.server.requestsTo(saveGeneration)).toHaveLength(3);
  expect(cardNames()).toEqual(['Image: A paper crane']);
});

test('an upload that the server will never take is not repeated at each refresh', async () => {
  const app = await openMember();
  app.server.refuse(saveGeneration, { status: 422, body: { detail: 'No such field' } });
  await make(app);

  await refresh(app);
  await refresh(app);

  expect(app.server.requestsTo(saveGeneration)).toHaveLength(1);
  expect(cardNames()).toEqual(['Image: A paper crane']);
});

for (const [what, urls] of [
  ['its links', Array.from({ length: 4 }, (_url, index) => pictureUrl(`mj-1-${index}`))],
  ['links that are signed anew', [`${pictureUrl('mj-1-0')}?signature=2`]],
  ['other links', ['/icon-512.png']],
] as const) {
  test(`MidJourney’s answer without an ID is shown once when the list has ${what}`, async () => {
    const app = await openMidjourney({ as: person });
    answerWith(app.server, { id: undefined });
    app.server.refuse(listMidjourneyHistory, {
      status: 200,
      body: {
        generations: [{ id: 'mj-1', prompt: 'a paper crane', s3_urls: urls, created_at: now() }],
      },
    });

    await generatePictures(app);
    const read = async (times: number) => {
      await waitFor(() => expect(app.server.requestsTo(listMidjourneyHistory)).toHaveLength(times));
      await waitFor(() => expect(screen.getByRole('button', { name: 'Refresh' })).toBeEnabled());
    };

    // When the page is opened, and when the pictures are there.
    await read(2);
    expect(providerCards()).toEqual(['Image: a paper crane']);
    await app.user.click(screen.getByRole('button', { name: 'Refresh' }));
    await read(3);
    expect(providerCards()).toEqual(['Image: a paper crane']);
  });
}
