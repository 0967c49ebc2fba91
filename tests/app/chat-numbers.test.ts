/** The page of numbers of a chat: charts, and the tables in which screen readers read them. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { readChatNumbers } from '#contract/endpoints/chat-numbers';
import { readCapabilities } from '#contract/endpoints/site';
import { openSection } from '#tests/chat-sections';
import { cats, choose, openShared } from '#tests/open-settings';

type App = Awaited<ReturnType<typeof openShared>>;

afterEach(() => {
  vi.useRealTimers();
});

async function openNumbers({ user }: Pick<App, 'user'>): Promise<void> {
  await choose({ user }, 'Numbers');
  await screen.findByRole('heading', { level: 2, name: 'Numbers' });
}

/** Rows of a table as texts. */
async function readTable(name: string): Promise<readonly (readonly string[])[]> {
  const table = await screen.findByRole('table', { name });
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.textContent ?? ''));
}

describe('the numbers', () => {
  test('are opened from the menu, and have an address that leads back to the settings', async () => {
    const app = await openShared();
    await openNumbers(app);
    expect(window.location.search).toBe(`?chat=${cats}&view=numbers`);
    expect(await screen.findByText('Nothing to count yet')).toBeVisible();

    await app.user.click(screen.getByRole('button', { name: 'Back to settings' }));
    await waitFor(() => expect(window.location.search).toBe(`?chat=${cats}`));
  });

  test('are charts whose numbers are tables, by day, with the time of the reader', async () => {
    const app = await openShared({ topics: [0, 4] });
    const { chatNumbers } = app.testServer.services;
    const hour = 3_600_000;
    chatNumbers.count(cats, 'join', { times: 3 });
    chatNumbers.count(cats, 'check_passed', { times: 2 });
    chatNumbers.count(cats, 'check_failed');
    chatNumbers.count(cats, 'deleted:photo_blocked', { topicId: 4, times: 5 });
    app.testServer.wait(24 * hour);
    chatNumbers.count(cats, 'check_expired');
    chatNumbers.count(cats, 'deleted:blocklist', { topicId: 0, times: 1234 });
    vi.useFakeTimers({ toFake: ['Date'], now: app.testServer.now() });
    await openNumbers(app);

    const joins = await readTable('Joins');
    expect(joins[0]).toEqual(['Day', 'Joined']);
    expect(joins).toHaveLength(8);
    expect(joins.slice(-2).map((row) => row.slice(1))).toEqual([['3'], ['0']]);
    const tasks = await readTable('Tasks of newcomers');
    expect(tasks.slice(-2).map((row) => row.slice(1))).toEqual([
      ['2', '1'],
      ['0', '1'],
    ]);
    expect((await readTable('Deleted messages')).at(-1)?.at(1)).toBe('1,234');
    expect(await readTable('Deleted, by what they were')).toEqual([
      ['blocked words', '1,234'],
      ['photo', '5'],
    ]);
    expect(await readTable('Deleted, by topic')).toEqual([
      ['General', '1,234'],
      ['Topic 4', '5'],
    ]);
    // Nothing of it: no chart that has no bar.
    expect(screen.getAllByText('None in the last 7 days.')).toHaveLength(2);
    expect(screen.queryByRole('figure', { name: /^Floods/ })).not.toBeInTheDocument();
    const figure = screen.getByRole('figure', { name: /^Joins/ });
    expect(figure.querySelectorAll('rect')).toHaveLength(1);
  });

  test('are shown for 30 days by keyboard, and the address keeps that', async () => {
    const app = await openShared();
    app.testServer.services.chatNumbers.count(cats, 'join');
    vi.useFakeTimers({ toFake: ['Date'], now: app.testServer.now() });
    await openNumbers(app);
    await screen.findByRole('figure', { name: /^Joins/ });

    const week = screen.getByRole('tab', { name: '7 days' });
    week.focus();
    await app.user.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: '30 days' })).toHaveFocus();
    await waitFor(async () => expect(await readTable('Joins')).toHaveLength(31));
    expect(window.location.search).toBe(`?chat=${cats}&view=numbers&days=30`);
    const sent = app.server.requestsTo(readChatNumbers).at(-1);
    expect(sent?.url.searchParams.get('days')).toBe('30');
  });

  test('say what the last attack brought', async () => {
    const app = await openShared();
    const since = app.testServer.now();
    await app.testServer.db
      .insertInto('chat_numbers')
      .values({
        chat_id: cats,
        topic_id: -1,
        name: 'attack:raid_removed',
        hour: since,
        count: 280,
      })
      .execute();
    vi.useFakeTimers({ toFake: ['Date'], now: since });
    await openNumbers(app);
    const heading = await screen.findByRole('heading', { level: 3, name: 'Last attack: Today' });
    expect(heading.closest('section')).toHaveTextContent('280');
  });

  test('can be asked for again when they could not be loaded', async () => {
    const app = await openShared();
    app.server.refuse(readChatNumbers, { status: 400, body: {} });
    await openNumbers(app);
    expect(await screen.findByText('The numbers could not be loaded.')).toBeVisible();
    app.server.heal(readChatNumbers);
    await app.user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing to count yet')).toBeVisible();
  });

  test('are not in the menu of a server that does not count them', async () => {
    const app = await openSection('locks', {
      onConnect: (network) =>
        network.refuse(readCapabilities, { status: 200, body: { capabilities: ['chats.care'] } }),
    });
    await app.user.click(await screen.findByRole('button', { name: 'Menu' }));
    expect(await screen.findByRole('menuitem', { name: 'History of changes' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: 'Numbers' })).not.toBeInTheDocument();
  });
});
