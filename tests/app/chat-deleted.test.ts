/** The numbers of messages that the bot has deleted in a chat. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { readDeletions } from '#contract/endpoints/chat-activity';
import { button, cats, choose, openSettings, openState, type App } from '#tests/open-settings';

const hourMs = 3_600_000;

/** Stores deletions that happened so many hours ago. */
async function deleted(
  { testServer }: App,
  counts: readonly {
    readonly name: string;
    readonly hoursAgo: number;
    readonly total: number;
    /** Of the total, those that were deleted together with others. */
    readonly uncertain?: number;
  }[],
): Promise<void> {
  const hour = (hoursAgo: number) =>
    Math.floor((testServer.now() - hoursAgo * hourMs) / hourMs) * hourMs;
  await testServer.db
    .insertInto('deletions')
    .values(
      counts.map(({ name, hoursAgo, total, uncertain = 0 }) => ({
        chat_id: cats,
        name: `${name}_blocked`,
        hour: hour(hoursAgo),
        total,
        uncertain,
      })),
    )
    .execute();
}

const section = () => screen.findByRole('button', { name: /^Deleted messages/ });

/** Opens the chat's state, in which the numbers are folded. */
async function openSection(app: App) {
  await openState(app);
  return section();
}

async function openNumbers(app: App) {
  await app.user.click(await openSection(app));
  const table = await screen.findByRole('table', {
    name: 'Messages that the bot has deleted, by what they were',
  });
  return within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));
}

describe('the numbers', () => {
  test('are counted by message type, the most frequent first, with their sum', async () => {
    const app = await openSettings();
    await deleted(app, [
      { name: 'photo', hoursAgo: 1, total: 3 },
      { name: 'photo', hoursAgo: 50, total: 1200 },
      { name: 'video_note', hoursAgo: 2, total: 7 },
      { name: 'url', hoursAgo: 100, total: 30 },
      { name: 'dice', hoursAgo: 24 * 8, total: 99 },
    ]);
    await app.reload();

    expect(await openNumbers(app)).toEqual([
      ['Kind', '24 hours', '7 days'],
      ['photo', '3', '1,203'],
      ['url', '0', '30'],
      ['video note', '7', '7'],
      ['All', '10', '1,240'],
    ]);
    expect(screen.getByText('10 in 24 h, 1,240 in 7 days')).toBeVisible();
    expect(screen.getByRole('rowheader', { name: 'photo' })).toBeVisible();
  });

  test('say where messages deleted together may include some that were already gone', async () => {
    const app = await openSettings();
    const note = 'Up to: messages deleted together may include some that were already gone.';
    await deleted(app, [
      { name: 'photo', hoursAgo: 1, total: 3 },
      { name: 'photo', hoursAgo: 50, total: 1200, uncertain: 1199 },
      { name: 'video_note', hoursAgo: 2, total: 7, uncertain: 7 },
    ]);
    await app.reload();

    expect(await openNumbers(app)).toEqual([
      ['Kind', '24 hours', '7 days'],
      ['photo', '3', 'up to 1,203'],
      ['video note', 'up to 7', 'up to 7'],
      ['All', 'up to 10', 'up to 1,210'],
    ]);
    expect(screen.getByText('up to 10 in 24 h, up to 1,210 in 7 days')).toBeVisible();
    expect(screen.getByText(note)).toBeVisible();
  });

  test('of a backend that does not say which are exact are shown as they are', async () => {
    const app = await openSettings();
    app.server.refuse(readDeletions, {
      status: 200,
      body: { day: { photo_blocked: 3 }, week: { photo_blocked: 40 } },
    });
    await app.reload();

    expect(await openNumbers(app)).toEqual([
      ['Kind', '24 hours', '7 days'],
      ['photo', '3', '40'],
      ['All', '3', '40'],
    ]);
    expect(screen.queryByText(/^Up to/)).toBeNull();
  });

  test('say so when nothing was deleted', async () => {
    const app = await openSettings();
    await openSection(app);

    expect(await screen.findByText('None in 7 days')).toBeVisible();
    await app.user.click(await section());

    expect(await screen.findByText('Nothing deleted in the last 7 days')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('are open when they were asked for, in the menu', async () => {
    const app = await openSettings();

    await choose(app, 'Deleted messages');

    expect(await section()).toHaveAttribute('aria-expanded', 'true');
    await waitFor(async () => expect(await section()).toHaveFocus());
    expect(await screen.findByText('Nothing deleted in the last 7 days')).toBeVisible();
  });

  test('can be opened by the keyboard', async () => {
    const app = await openSettings();
    (await openSection(app)).focus();
    await app.user.keyboard('{Enter}');

    expect(await section()).toHaveAttribute('aria-expanded', 'true');
    expect(await screen.findByText('Nothing deleted in the last 7 days')).toBeVisible();
  });

  test('are read again when the user returns', async () => {
    const app = await openSettings();
    await openSection(app);
    await screen.findByText('None in 7 days');
    await deleted(app, [{ name: 'photo', hoursAgo: 0, total: 1 }]);

    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));

    expect(await screen.findByText('1 in 24 h, 1 in 7 days')).toBeVisible();
  });

  test('that cannot be read show an error, and can be read again', async () => {
    const app = await openSettings();
    app.server.refuse(readDeletions, { status: 400, body: { detail: 'no' } });
    await app.reload();
    await app.user.click(await openSection(app));

    expect(await screen.findByText('What was deleted could not be counted.')).toBeVisible();
    app.server.heal(readDeletions);
    await app.user.click(await button('Try again'));

    expect(await screen.findByText('Nothing deleted in the last 7 days')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/could not be counted/)).toBeNull());
  });
});
