/** The page of the account: the reminders that the user has asked the bot for. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { listReminders, removeReminder } from '#contract/endpoints/reminders';
import { readCapabilities } from '#contract/endpoints/site';
import {
  button,
  type OpenApp,
  person,
  problem,
  question,
  rows,
  startHearingServer,
} from '#tests/account';
import { renderApp } from '#tests/render-app';
import { type TestServer } from '#tests/test-server';

const group = -1_001_234_567_890;
const now = Date.parse('2026-11-21T12:30:00Z');
const hour = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => vi.useRealTimers());

type Made = { readonly text: string; readonly chatId?: number; readonly inHours?: number };

/** What the bot keeps when the person has written `/remind` to it. */
async function remind({ services }: TestServer, made: readonly Made[]): Promise<void> {
  for (const [index, { text, chatId = person, inHours = 1 }] of made.entries()) {
    const dueAt = now + inHours * hour;
    const chat = { chatId, topicId: undefined };
    await services.reminders.add({ key: `${index}`, telegramId: person, ...chat, text, dueAt });
  }
}

async function openReminders(...made: readonly Made[]): Promise<OpenApp> {
  const server = await startHearingServer();
  const token = await server.signUp(person);
  await remind(server, made);
  const app = await renderApp('/account', { server, as: { telegramId: person, token } });
  await screen.findByRole('heading', { name: 'Reminders' });
  return app;
}

const list = () => screen.findByRole('list', { name: 'Your reminders' });
const reminders = async () => within(await list()).getAllByRole('listitem');

/** Presses Delete at a reminder, and answers the question. */
async function remove({ user }: OpenApp, text: string, answer = 'Delete'): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `Delete: ${text}` }));
  const dialog = await question('Delete reminder');
  expect(dialog).toHaveTextContent(text);
  await user.click(within(dialog).getByRole('button', { name: answer }));
}

test('are listed with what, when and where, the next first', async () => {
  await openReminders(
    { text: 'Lunch with Mika', inHours: 48 },
    { text: '', chatId: group, inHours: 0.5 },
    { text: 'Over since yesterday', inHours: -24 },
  );

  expect((await reminders()).map((row) => row.textContent)).toEqual([
    expect.stringMatching(
      /^Over since yesterdayYesterday, \d\d:30In your chat with the botDelete$/,
    ),
    expect.stringMatching(/^A messageToday, \d\d:00In a groupDelete$/),
    expect.stringMatching(/^Lunch with Mika23 Nov 2026, \d\d:30In your chat with the botDelete$/),
  ]);
  expect(screen.getByText('/remind 2h tea')).toBeVisible();
});

test('without one, the page says how to make one', async () => {
  await openReminders();

  expect(await screen.findByText('You have no reminders.')).toBeVisible();
  expect(screen.getByText(/^For a new one, write to the bot:/)).toHaveTextContent(
    'For a new one, write to the bot: /remind 2h tea',
  );
});

test('all 25 are shown, and a long one in any script whole and as text', async () => {
  const long = `<b>${'شاي بالنعناع '.repeat(30)}</b>`.slice(0, 400).trim();
  await openReminders(
    { text: long },
    ...Array.from({ length: 24 }, (_one, index) => ({ text: `Cup ${index}`, inHours: 2 + index })),
  );

  expect(await reminders()).toHaveLength(25);
  const shown = screen.getByText(long.replaceAll(/\s+/g, ' '));
  expect(shown).toHaveAttribute('dir', 'auto');
});

test('one is deleted after a question, and the others stay', async () => {
  const app = await openReminders({ text: 'tea' }, { text: 'rice', inHours: 2 });

  await remove(app, 'tea');

  expect(await screen.findByText('The reminder is deleted.')).toBeVisible();
  expect(await reminders()).toHaveLength(1);
  const heading = screen.getByRole('heading', { name: 'Reminders' });
  await waitFor(() => expect(heading).toHaveFocus());
  const left = await app.testServer.services.reminders.list(person);
  expect(left.map(({ text }) => text)).toEqual(['rice']);

  await remove(app, 'rice');

  expect(await screen.findByText('You have no reminders.')).toBeVisible();
});

test('Cancel deletes nothing', async () => {
  const app = await openReminders({ text: 'tea' });

  await remove(app, 'tea', 'Cancel');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(app.server.requestsTo(removeReminder)).toHaveLength(0);
  expect(await reminders()).toHaveLength(1);
});

test('one that cannot be deleted stays, with the reason', async () => {
  const app = await openReminders({ text: 'tea' });
  app.server.refuse(removeReminder, { status: 500 });

  await remove(app, 'tea');

  expect(await problem()).toHaveTextContent('The reminder could not be deleted.');
  expect(await reminders()).toHaveLength(1);
  expect(button('Delete: tea')).toBeEnabled();
  expect(await app.testServer.services.reminders.list(person)).toHaveLength(1);

  app.server.heal(removeReminder);
  await remove(app, 'tea');

  expect(await screen.findByText('The reminder is deleted.')).toBeVisible();
});

test('one that the bot has deleted meanwhile is gone here, too', async () => {
  const app = await openReminders({ text: 'tea' });
  await reminders();
  await app.testServer.services.reminders.remove(person, '0');

  await remove(app, 'tea');

  expect(await screen.findByText('You have no reminders.')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('those that cannot be loaded can be loaded again, and the rest works meanwhile', async () => {
  const app = await openReminders({ text: 'tea' });
  app.server.refuse(listReminders, { status: 403, body: { detail: 'Not now.' } });
  await app.reload();
  expect(await screen.findByText('Your reminders could not be loaded.')).toBeVisible();
  expect(await rows()).toHaveLength(1);

  app.server.heal(listReminders);
  await app.user.click(button('Try again'));

  expect(await reminders()).toHaveLength(1);
});

test('a server whose bot hears no commands is not asked, and has no such section', async () => {
  const app = await openReminders();
  const asked = app.server.requestsTo(listReminders).length;
  const capabilities = ['auth.logout', 'auth.sessions'];
  app.server.refuse(readCapabilities, { status: 200, body: { capabilities } });
  await app.reload();

  expect(await rows()).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: 'Reminders' })).toBeNull();
  expect(app.server.requestsTo(listReminders)).toHaveLength(asked);
});
