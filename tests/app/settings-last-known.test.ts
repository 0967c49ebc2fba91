/** What the device knows of the settings of chats from an earlier visit. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { readChat } from '#contract/endpoints/chats';
import { giveChats, takeChatAway } from '#tests/chats';
import { cats, notice, openSettings, toggle } from '#tests/open-settings';

const storageKey = 'nori_last_known_chats';
const read = () => localStorage.getItem(storageKey);
const untilStored = (chatId: number) =>
  waitFor(() => expect(read()).toContain(`"chat_id":"${chatId}"`), { timeout: 5000 });

type Stored = { readonly chats: readonly { readonly chat_id: string }[] };

test('a toggle that was confirmed is known at the next visit', async () => {
  const app = await openSettings();
  await app.user.click(toggle());
  await waitFor(() => expect(read()).toContain('"0":"1'), { timeout: 5000 });
  app.server.hang(readChat);

  await app.reload();

  expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
  expect(screen.getByText('Last known')).toBeVisible();
});

test('a chat that is no longer managed disappears with its reason, also from the device', async () => {
  const app = await openSettings();
  await untilStored(cats);
  await takeChatAway(app.testServer, cats);

  await app.reload();

  expect(await notice()).toHaveTextContent('Cat lovers');
  await waitFor(() => expect(screen.queryByRole('switch')).toBeNull());
  expect(read()).toBeNull();
});

test('without an answer the last known settings stay, marked as such', async () => {
  const app = await openSettings();
  await untilStored(cats);
  // The first page reads once more when it hears of changes.
  await waitFor(() => expect(app.server.requestsTo(readChat)).toHaveLength(2));
  app.server.refuse(readChat, { status: 500 });

  await app.reload();
  await waitFor(() => expect(app.server.requestsTo(readChat).length).toBeGreaterThan(2));

  expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeVisible();
  expect(screen.getByText('Last known')).toBeVisible();
});

test('the device knows the five chats that were opened last', async () => {
  const app = await openSettings();
  await untilStored(cats);
  const others = [1, 2, 3, 4, 5].map((number) => cats - number);
  await giveChats(
    app.testServer,
    123456789,
    others.map((id) => ({ id, name: `Chat ${id}`, topics: [0] })),
  );

  for (const id of others) {
    app.goTo(`/dashboard?chat=${id}`);
    await untilStored(id);
  }

  const { chats }: Stored = JSON.parse(read() ?? '');
  expect(chats.map(({ chat_id }) => chat_id)).toEqual(others.toReversed().map(String));
});

test('chats with very many long topics make room for each other', async () => {
  const app = await openSettings();
  await untilStored(cats);
  const known: Stored = JSON.parse(read() ?? '');
  const topic_names = Object.fromEntries(
    Array.from({ length: 500 }, (_, id) => [id + 1, 'n'.repeat(300)]),
  );
  const [chat] = known.chats;
  const others = [
    { ...chat, chat_id: String(cats - 1), topic_names },
    { ...chat, chat_id: String(cats - 2), topic_names },
  ];
  const chats = [...known.chats, ...others];
  localStorage.setItem(storageKey, JSON.stringify({ ...known, chats }));

  await app.user.click(toggle());
  await waitFor(() => expect(read()).toContain('"0":"1'), { timeout: 5000 });

  expect(read()?.length).toBeLessThan(200_100);
  const left: Stored = JSON.parse(read() ?? '');
  expect(left.chats.map(({ chat_id }) => chat_id)).toEqual([String(cats), String(cats - 1)]);
});

test('another user is not shown what the device knew of the one before', async () => {
  const app = await openSettings();
  await untilStored(cats);
  const token = await app.testServer.signUp(555);

  localStorage.setItem('accessToken', token);
  localStorage.setItem('telegram_id', '555');
  await app.reload();

  await waitFor(() => expect(window.location.search).toBe(`?verify=${cats}`));
  expect(screen.queryByText('Cat lovers')).toBeNull();
});
