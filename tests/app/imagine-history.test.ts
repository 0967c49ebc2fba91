/** The history of Imagine Art: the device's records, the account's, and the actions of a picture. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { listGenerations } from '#contract/endpoints/generations';
import { listImagineHistory } from '#contract/endpoints/imagine';
import {
  accountItem,
  historyHeading,
  listAnswer,
  openImagine,
  rememberedArt,
  styleMenu,
} from '#tests/imagine';
import { button, card, cardNames, dialog, kept, person, prompt, region } from '#tests/providers';
import { remembered } from '#tests/remembered';

const empty = 'No imagine art history found. Generate some images to see them here!';
const history = () => region(historyHeading);
const first = 'A heron at dusk, number 1';

describe('a guest', () => {
  test('sees the device’s records of Imagine Art only', async () => {
    const app = await openImagine({ rows: [rememberedArt(1), remembered(2), rememberedArt(3)] });

    await card(first);
    expect(cardNames()).toEqual([
      'Image: A heron at dusk, number 1',
      'Image: A heron at dusk, number 3',
    ]);
    expect(history().getByText(/Only on this device\./)).toBeVisible();
    expect(app.server.requestsTo(listImagineHistory)).toEqual([]);
    expect(app.server.requestsTo(listGenerations)).toEqual([]);
  });

  test('without any picture is told how to get one', async () => {
    await openImagine();

    expect(history().getByText(empty)).toBeVisible();
  });

  test('keeps the list when a refresh finds unreadable records', async () => {
    const app = await openImagine({ rows: [rememberedArt(1)] });
    await card(first);
    localStorage.setItem('nori_generation_history', 'broken');

    await app.user.click(history().getByRole('button', { name: 'Refresh' }));

    expect(cardNames()).toEqual([`Image: ${first}`]);
    expect(kept('nori_generation_history')).toMatchObject([{ prompt: first }]);
  });
});

describe('a member', () => {
  test('sees the account’s pictures, which are requested by the Telegram ID', async () => {
    const app = await openImagine({
      as: person,
      prepare: (server) =>
        server.refuse(listImagineHistory, listAnswer(accountItem(1), accountItem(2))),
    });

    await card('Of the account, number 1');
    expect(cardNames()).toEqual([
      'Image: Of the account, number 1',
      'Image: Of the account, number 2',
    ]);
    const [asked] = app.server.requestsTo(listImagineHistory);
    expect(asked?.url.searchParams.get('user_id')).toBe(String(person));
    expect(asked?.token).toBeDefined();
    expect(app.server.requestsTo(listGenerations)).toEqual([]);
  });

  test('without a known Telegram ID requests no list', async () => {
    const app = await openImagine({
      as: person,
      prepare: () => localStorage.removeItem('telegram_id'),
    });

    expect(await history().findByText(empty)).toBeVisible();
    expect(
      app.server.requestsTo(listImagineHistory).map(({ url }) => url.searchParams.get('user_id')),
    ).not.toContain('');
  });

  test('sees that it is loading while there is nothing to show', async () => {
    let release = () => {};
    const { server } = await openImagine({
      as: person,
      prepare: (network) => {
        release = network.hang(listImagineHistory);
      },
    });

    expect(await history().findByText('Loading history...')).toBeVisible();
    release();
    server.refuse(listImagineHistory, listAnswer());
    expect(await history().findByText(empty)).toBeVisible();
  });

  test('keeps the list when a refresh fails', async () => {
    const app = await openImagine({
      as: person,
      prepare: (server) => server.refuse(listImagineHistory, listAnswer(accountItem(1))),
    });
    await card('Of the account, number 1');
    app.server.refuse(listImagineHistory, { status: 403, body: { detail: 'Not now' } });

    await app.user.click(history().getByRole('button', { name: 'Refresh' }));

    await waitFor(() => expect(app.server.requestsTo(listImagineHistory)).toHaveLength(2));
    await waitFor(() => expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled());
    expect(cardNames()).toEqual(['Image: Of the account, number 1']);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    ['a refused token', { status: 401, body: { detail: 'Your session has ended' } }],
    ['the detail Not authenticated', { status: 403, body: { detail: 'Not authenticated' } }],
  ])('%s ends the session, and the cached history is shown', async (_what, refusal) => {
    await openImagine({
      as: person,
      rows: [rememberedArt(1, { owner: String(person) })],
      prepare: (server) => server.refuse(listImagineHistory, refusal),
    });

    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
    await card(first);
    expect(await history().findByText(/This is what this device has kept\./)).toBeVisible();
  });

  test('sees items in every spelling, without invalid ones', async () => {
    await openImagine({
      as: person,
      prepare: (server) =>
        server.refuse(
          listImagineHistory,
          listAnswer(
            { id: 1, prompt: 'Several links', s3_urls: ['/icon-512.png'], created_at: 5000 },
            { _id: 'a', prompt: 'No picture' },
            'nonsense',
            null,
          ),
        ),
    });

    await card('Several links');
    expect(cardNames()).toEqual(['Image: Several links']);
  });
});

describe('a picture', () => {
  test('is enlarged by a click, with its style, and Escape closes it', async () => {
    const app = await openImagine({ rows: [rememberedArt(1)] });

    await app.user.click(
      await (await card(first)).findByRole('button', { name: `Enlarge: ${first}` }),
    );

    const viewer = await dialog('Image viewer');
    expect(viewer.getByText('Style: Anime')).toBeVisible();
    await app.user.click(viewer.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('listitem', { name: `Image: ${first}` })).toHaveFocus();
  });

  test('shows its details, and puts them into the form again', async () => {
    const app = await openImagine({
      rows: [rememberedArt(1, { style: 'sdxl-1.0', ratio: '3:4' })],
    });
    await app.user.type(prompt(), 'something else');

    await app.user.click((await card(first)).getByRole('button', { name: 'Info' }));
    const details = await dialog('Image details');
    for (const fact of [first, 'SDXL 1.0', '3:4', '77']) {
      expect(details.getByText(fact)).toBeVisible();
    }
    await app.user.click(details.getByRole('button', { name: 'Use again' }));

    expect(prompt()).toHaveValue(first);
    expect(styleMenu()).toHaveValue('sdxl-1.0');
    await app.user.click(button('Undo'));
    expect(prompt()).toHaveValue('something else');
  });

  test('is reached by arrow keys, Home and End', async () => {
    const app = await openImagine({
      rows: Array.from({ length: 20 }, (_row, index) => rememberedArt(index + 1)),
    });
    await card(first);
    expect(cardNames()).toHaveLength(12);
    const focused = () => document.activeElement?.getAttribute('aria-label');

    screen.getByRole('listitem', { name: `Image: ${first}` }).focus();
    await app.user.keyboard('{ArrowRight}');
    expect(focused()).toBe('Image: A heron at dusk, number 2');
    await app.user.keyboard('{End}');
    expect(focused()).toBe('Image: A heron at dusk, number 20');
    await app.user.keyboard('{Home}{ArrowLeft}');
    expect(focused()).toBe(`Image: ${first}`);
    await app.user.keyboard('{Enter}');
    expect(await dialog('Image viewer')).toBeDefined();
  });
});
