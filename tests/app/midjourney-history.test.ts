/** The history of MidJourney: its sources, all images of a generation, saving and deleting them. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { listGenerationUrls } from '#contract/endpoints/generations';
import {
  deleteMidjourney,
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import { readCapabilities } from '#contract/endpoints/site';
import {
  generatePictures,
  history,
  getImages,
  openMidjourney,
  rememberedGrid,
  result,
} from '#tests/midjourney';
import { createQuickEngine } from '#tests/pictures';
import { card, cardNames, dialog, kept, openProvider, person, prompt } from '#tests/providers';
import { remembered } from '#tests/remembered';
import { startServer } from '#tests/render-app';

const first = 'A heron at dusk, number 1';
const empty = 'No generations yet. Create your first MidJourney image!';

const item = (number: number, count = 4) => ({
  id: `mj-${number}`,
  prompt: `Of the account, number ${number}`,
  s3_urls: Array.from({ length: count }, () => '/icon-512.png'),
  created_at: new Date(Date.now() - number * 60_000).toISOString(),
});
const listAnswer = (...items: readonly unknown[]) => ({
  status: 200,
  body: { generations: items },
});

type App = Awaited<ReturnType<typeof openMidjourney>>;

describe('comes', () => {
  test('from the device for a guest, without a call', async () => {
    const app = await openMidjourney({ rows: [rememberedGrid(1), remembered(2)] });

    await card(first);
    expect(cardNames()).toEqual([`Image: ${first}`]);
    expect(app.server.requestsTo(listMidjourneyHistory)).toEqual([]);
  });

  test('from the account also where the server names no time', async () => {
    const { created_at: _, ...timeless } = item(1);
    await openMidjourney({
      as: person,
      prepare: (server) => server.refuse(listMidjourneyHistory, listAnswer(timeless)),
    });

    await card('Of the account, number 1');
    expect(cardNames()).toEqual(['Image: Of the account, number 1']);
  });

  test('from the account for a member, newest first', async () => {
    const app = await openMidjourney({
      as: person,
      prepare: (server) => server.refuse(listMidjourneyHistory, listAnswer(item(2), item(1))),
    });

    await card('Of the account, number 1');
    expect(cardNames()).toEqual([
      'Image: Of the account, number 1',
      'Image: Of the account, number 2',
    ]);
    expect(app.server.requestsTo(listMidjourneyHistory)[0]?.token).toBeDefined();
  });

  test('from all links, where a backend has no list of its own', async () => {
    await openMidjourney({
      as: person,
      prepare: (server) => {
        server.refuse(listMidjourneyHistory, { status: 404 });
        server.refuse(listGenerationUrls, {
          status: 200,
          body: { urls: [item(3), '/icon-512.png'] },
        });
      },
    });

    await card('Of the account, number 3');
    expect(cardNames()).toHaveLength(1);
  });

  test('with a note while it is loading', async () => {
    await openMidjourney({
      as: person,
      prepare: (server) => void server.hang(listMidjourneyHistory),
    });

    expect(await history().findByText('Loading history...')).toBeVisible();
  });

  test('empty, with a note how to begin', async () => {
    await openMidjourney();

    expect(history().getByText(empty)).toBeVisible();
  });

  test('again by Refresh; a failure leaves the list', async () => {
    const app = await openMidjourney({
      as: person,
      prepare: (server) => server.refuse(listMidjourneyHistory, listAnswer(item(1))),
    });
    await card('Of the account, number 1');
    app.server.refuse(listMidjourneyHistory, listAnswer(item(1), item(2)));
    await app.user.click(history().getByRole('button', { name: 'Refresh' }));
    await card('Of the account, number 2');
    app.server.refuse(listMidjourneyHistory, { status: 400 });

    await app.user.click(history().getByRole('button', { name: 'Refresh' }));

    await waitFor(() => expect(app.server.requestsTo(listMidjourneyHistory)).toHaveLength(3));
    expect(cardNames()).toHaveLength(2);
  });

  test('again when a generation succeeds, and not when it fails', async () => {
    const app = await openProvider('midjourney', { as: person });
    const readings = () => app.server.requestsTo(listMidjourneyHistory).length;
    expect(await history().findByText(empty)).toBeVisible();
    await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
    const before = readings();
    app.server.refuse(generateMidjourney, { status: 400, body: { detail: 'Not today' } });
    await generatePictures(app);
    expect(await result().findByRole('alert')).toHaveTextContent('Not today');
    expect(readings()).toBe(before);

    app.server.heal(generateMidjourney);
    await generatePictures(app);

    await waitFor(() => expect(readings()).toBe(before + 1));
    await card('a paper crane');
    await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
    expect(cardNames()).toEqual(['Image: a paper crane']);
  });

  test('from the device when the token is refused, which ends the session', async () => {
    await openMidjourney({
      as: person,
      rows: [rememberedGrid(1, { owner: String(person) })],
      prepare: (server) =>
        server.refuse(listMidjourneyHistory, {
          status: 401,
          body: { detail: 'Not authenticated' },
        }),
    });

    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
    await card(first);
  });
});

describe('all images of a generation', () => {
  test('are opened by the badge that counts the further ones: with dates and downloads', async () => {
    const app = await openMidjourney({ rows: [rememberedGrid(1)] });
    const badge = (await card(first)).getByRole('button', { name: 'All 4 images' });
    expect(badge).toHaveTextContent('+3');

    await app.user.click(badge);

    const all = await dialog('All Images');
    await waitFor(() => expect(getImages(all)).toHaveLength(4));
    expect(all.getAllByRole('time')).toHaveLength(4);
    expect(all.getAllByRole('link', { name: 'Download' })).toHaveLength(4);
    await app.user.click(getImages(all)[2]);
    const viewer = await dialog('Image viewer');
    expect(viewer.getByText('3 of 4')).toBeVisible();
    await app.user.click(viewer.getByRole('button', { name: 'Close' }));
    expect(await dialog('All Images')).toBeDefined();
    await app.user.click(all.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('have no badge when there is one', async () => {
    await openMidjourney({ rows: [rememberedGrid(1, { imageUrls: undefined })] });

    expect((await card(first)).queryByRole('button', { name: /^All/ })).toBeNull();
  });
});

describe('saving a picture', () => {
  /** The files that the browser was asked to save. */
  function watchDownloads() {
    const saved: { readonly name: string; readonly url: string }[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      saved.push({ name: this.download, url: this.href });
    });
    return saved;
  }

  const grid = rememberedGrid(1, {
    prompt: 'A lantern/boat: on a quiet river',
    imageUrls: ['https://cdn.example.org/1.png', 'https://cdn.example.org/2.png'],
    imageUrl: 'https://cdn.example.org/1.png',
  });

  test('downloads it from the server, named by the prompt’s beginning and its number', async () => {
    const saved = watchDownloads();
    const app = await openMidjourney({ rows: [grid] });
    app.server.refuse(downloadMidjourney, {
      status: 200,
      body: 'bytes',
      headers: { 'Content-Type': 'image/png' },
    });

    await app.user.click((await card(grid.prompt)).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    await app.user.click((await card(grid.prompt)).getByRole('button', { name: 'All 2 images' }));
    const [, second] = (await dialog('All Images')).getAllByRole('link', { name: 'Download' });
    await app.user.click(second!);
    await waitFor(() => expect(saved).toHaveLength(2));

    expect(saved.map(({ name }) => name)).toEqual([
      'A_lantern_boat_on_a_1.png',
      'A_lantern_boat_on_a_2.png',
    ]);
    expect(saved.every(({ url }) => url.startsWith('blob:'))).toBe(true);
    expect(
      app.server.requestsTo(downloadMidjourney).map(({ url }) => url.searchParams.get('url')),
    ).toEqual(['https://cdn.example.org/1.png', 'https://cdn.example.org/2.png']);
  });

  test('opens the direct link when the server refuses', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const app = await openMidjourney({ rows: [grid] });
    app.server.refuse(downloadMidjourney, { status: 403, body: { detail: 'Not this host' } });

    await app.user.click((await card(grid.prompt)).getByRole('button', { name: 'Download' }));

    await waitFor(() =>
      expect(opened).toHaveBeenCalledWith(
        'https://cdn.example.org/1.png',
        '_blank',
        'noopener,noreferrer',
      ),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    expect(logged).toHaveBeenCalledWith(
      'The image could not be downloaded.',
      'HTTP error! status: 403',
    );
  });
});

/** Drawing eight pictures would take seconds. */
const quickEngines = { midjourney: createQuickEngine('midjourney', 4).engine };

describe('a generation', () => {
  test('shows its prompt and its time, and can be used again', async () => {
    const app = await openMidjourney({
      rows: [rememberedGrid(1, { timestamp: Date.parse('2026-11-21T12:00:00') })],
    });

    await app.user.click((await card(first)).getByRole('button', { name: 'Info' }));
    const details = await dialog('Generation Details');
    expect(details.getByText('Prompt')).toBeVisible();
    expect(details.getByText(first)).toBeVisible();
    expect(details.getByText('Created')).toBeVisible();
    expect(details.getByText(/Nov 21, 2026/)).toBeVisible();
    await app.user.click(details.getByRole('button', { name: 'Use again' }));

    expect(prompt()).toHaveValue(first);
  });

  async function askToDelete({ user }: App) {
    await user.click((await card(first)).getByRole('button', { name: 'Delete' }));
    return dialog('Delete Generation');
  }

  test('of a visitor is deleted after a confirmation, for good', async () => {
    const app = await openMidjourney({ rows: [rememberedGrid(1), rememberedGrid(2)] });

    const question = await askToDelete(app);
    expect(
      question.getByText(
        'Are you sure you want to delete this generation? This action cannot be undone.',
      ),
    ).toBeVisible();
    await app.user.click(question.getByRole('button', { name: 'Delete' }));

    await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    await waitFor(() => expect(kept('nori_generation_history')).toHaveLength(1));
    expect(app.server.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('stays when the user cancels', async () => {
    const app = await openMidjourney({ rows: [rememberedGrid(1)] });

    const question = await askToDelete(app);
    await app.user.click(question.getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(cardNames()).toHaveLength(1);
  });

  test('of the account is deleted there, for good', async () => {
    const testServer = await startServer({ engines: quickEngines });
    const token = await testServer.signUp(person);
    for (const words of ['A paper crane', 'A paper boat']) {
      await testServer.call(generateMidjourney, { prompt: words }, { token });
    }
    const app = await openProvider('midjourney', {
      server: testServer,
      as: { telegramId: person, token },
    });
    await app.user.click((await card('A paper crane')).getByRole('button', { name: 'Delete' }));
    const question = await dialog('Delete Generation');
    expect(
      await question.findByText(
        'Are you sure you want to delete this generation? This action cannot be undone.',
      ),
    ).toBeVisible();
    await app.user.click(question.getByRole('button', { name: 'Delete' }));

    await waitFor(() => expect(cardNames()).toEqual(['Image: A paper boat']));
    await waitFor(async () => {
      const { body } = await testServer.call(listMidjourneyHistory, {}, { token });
      expect(body).toMatchObject({ generations: [{ prompt: 'A paper boat' }] });
    });
    await waitFor(() =>
      expect(JSON.stringify(kept('nori_generation_history'))).not.toContain('crane'),
    );
  });

  test('of an account that could not be deleted is back in the history, which says so', async () => {
    const testServer = await startServer({ engines: quickEngines });
    const token = await testServer.signUp(person);
    await testServer.call(generateMidjourney, { prompt: 'A paper crane' }, { token });
    const app = await openProvider('midjourney', {
      server: testServer,
      as: { telegramId: person, token },
    });
    app.server.refuse(deleteMidjourney, { status: 500, body: { detail: 'Broken' } });
    await app.user.click((await card('A paper crane')).getByRole('button', { name: 'Delete' }));
    await app.user.click(
      (await dialog('Delete Generation')).getByRole('button', { name: 'Delete' }),
    );

    expect(
      await screen.findByText('The picture could not be deleted. It is back in your history.'),
    ).toBeVisible();
    await card('A paper crane');
  });

  test('of an account that keeps it is deleted here only, which the question says', async () => {
    const app = await openMidjourney({
      as: person,
      prepare: (server) => {
        server.refuse(readCapabilities, { status: 404 });
        server.refuse(listMidjourneyHistory, listAnswer(item(1), item(2)));
      },
    });
    await app.user.click(
      (await card('Of the account, number 1')).getByRole('button', { name: 'Delete' }),
    );
    const question = await dialog('Delete Generation');
    expect(
      question.getByText(
        'Are you sure you want to delete this generation from this device? Your account keeps it. This action cannot be undone.',
      ),
    ).toBeVisible();
    await app.user.click(question.getByRole('button', { name: 'Delete' }));
    expect(app.server.requestsTo(deleteMidjourney)).toEqual([]);

    await app.user.click(history().getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(app.server.requestsTo(listMidjourneyHistory)).toHaveLength(2));

    expect(cardNames()).toEqual(['Image: Of the account, number 2']);
  });
});
