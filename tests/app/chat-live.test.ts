/** Two owners of one chat: each sees the changes of the other without a reload. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { followChat } from '#contract/endpoints/chat-activity';
import { readChat, setSetting } from '#contract/endpoints/chats';
import { takeChatAway } from '#tests/chats';
import {
  button,
  cats,
  openSettings,
  toggle,
  addOwner,
  isBlocked,
  openShared,
} from '#tests/open-settings';

type App = Awaited<ReturnType<typeof openShared>>;

afterEach(() => {
  vi.useRealTimers();
});

/** Waits until the page receives events, and has read again what may have changed before. */
async function openLive(options: Parameters<typeof openShared>[0] = {}): Promise<App> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const app = await openShared(options);
  await waitFor(() => expect(app.server.openStreams()).toBe(1));
  await waitFor(() => expect(app.server.requestsTo(readChat).length).toBeGreaterThan(1));
  return app;
}

describe('what another owner changes', () => {
  test('is shown without a reload, with a notice that names her', async () => {
    const app = await openLive();
    const reads = app.server.requestsTo(readChat).length;

    await app.other.toggle('photo', true);

    await waitFor(() => expect(toggle()).toBeChecked());
    const said = await screen.findByText('Mara changed 1 setting');
    expect(said.closest('[role="status"]')).not.toBeNull();
    expect(app.server.requestsTo(readChat)).toHaveLength(reads);
  });

  test('in quick succession is counted in one notice', async () => {
    const app = await openLive();

    await app.other.toggle('photo', true);
    await app.other.toggle('video', true);
    await app.other.toggle('photo', false);
    await app.other.change({ 0: { poll_blocked: true, dice_blocked: true } });

    expect(await screen.findByText('Mara changed 4 settings')).toBeVisible();
    await waitFor(() => expect(toggle('dice, General')).toBeChecked());
    expect(toggle()).not.toBeChecked();
    expect(screen.getAllByText(/^Mara changed/)).toHaveLength(1);
  });

  test('does not overwrite a pending value', async () => {
    const app = await openLive();
    const release = app.server.hang(setSetting);
    await app.user.click(toggle('video, General'));

    await app.other.change({ 0: { photo_blocked: true } });
    await waitFor(() => expect(toggle()).toBeChecked());
    expect(toggle('video, General')).toBeChecked();
    release();

    await waitFor(async () => expect(await isBlocked(app.testServer, 'video')).toBe(true));
    expect(toggle('video, General')).toBeChecked();
  });

  test('at the same time as this page ends with the value that the server has', async () => {
    const app = await openLive();
    const release = app.server.hang(setSetting);
    await app.user.click(toggle());

    await app.other.toggle('photo', true);
    await app.other.toggle('photo', false);
    await screen.findByText('Mara changed 1 setting');
    expect(toggle()).toBeChecked();
    release();

    await waitFor(async () => expect(await isBlocked(app.testServer, 'photo')).toBe(true));
    await waitFor(() => expect(toggle()).toBeChecked());
  });

  test('in a topic that is new here shows the topic', async () => {
    const app = await openLive();
    await app.testServer.db
      .insertInto('topics')
      .values({ chat_id: cats, topic_id: 7, created_at: app.testServer.now() })
      .execute();

    await app.other.toggle('photo', true, 7);

    expect(await screen.findByRole('switch', { name: 'photo, Topic 7' })).toBeChecked();
  });
});

test('another owner without a known name is shown by the Telegram ID', async () => {
  const app = await openLive();
  await app.testServer.db
    .updateTable('people')
    .set({ first_name: null, username: null })
    .where('telegram_id', '=', app.other.telegramId)
    .execute();

  await app.other.toggle('photo', true);

  expect(await screen.findByText('Telegram ID 222333444 changed 1 setting')).toBeVisible();
});

test('what is changed here is not announced, and not read again', async () => {
  const app = await openLive();
  const reads = app.server.requestsTo(readChat).length;

  await app.user.click(toggle());
  await waitFor(async () => expect(await isBlocked(app.testServer, 'photo')).toBe(true));
  await app.other.toggle('video', true);
  await screen.findByText('Mara changed 1 setting');

  expect(screen.queryByText(/You changed|123456789 changed/)).toBeNull();
  expect(app.server.requestsTo(readChat)).toHaveLength(reads);
});

test('changes on another device of the same user are shown without a notice', async () => {
  const app = await openLive();
  const change = { chat_id: cats, topic_id: 0, setting_name: 'photo_blocked', value: true };
  await app.testServer.call(setSetting, change, { token: app.token });

  await waitFor(() => expect(toggle()).toBeChecked());
  expect(screen.queryByText(/changed 1 setting/)).toBeNull();
});

test('a lost connection is made again, and missed changes are read', async () => {
  const app = await openLive();
  app.server.drop(followChat);
  Object.defineProperty(document, 'hidden', { configurable: true, value: true });
  document.dispatchEvent(new Event('visibilitychange'));
  await app.other.toggle('photo', true);
  Reflect.deleteProperty(document, 'hidden');
  app.server.heal(followChat);
  document.dispatchEvent(new Event('visibilitychange'));

  await waitFor(() => expect(toggle()).toBeChecked());
});

test('what is changed after the first read and before the connection is read, too', async () => {
  const app = await openShared();
  const connect = app.server.hang(followChat);
  await app.reload();
  await screen.findByRole('switch', { name: 'photo, General' });
  await waitFor(() => expect(screen.queryByText('Last known')).toBeNull());
  await waitFor(() => expect(app.server.requestsTo(followChat)).toHaveLength(2));
  await app.other.toggle('photo', true);

  connect();

  await waitFor(() => expect(toggle()).toBeChecked());
});

test('a chat to which access is lost is left', async () => {
  const app = await openLive();

  await takeChatAway(app.testServer, cats);
  app.testServer.services.chatEvents.publish(cats, { kind: 'lost' });

  expect(await screen.findByRole('alert')).toHaveTextContent('You no longer manage Cat lovers');
  expect(await screen.findByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
});

test('a group that becomes a supergroup is followed to its new ID', async () => {
  const present = -1005550001112;
  const app = await openLive();
  app.server.refuse(readChat, {
    status: 200,
    body: { chat_id: present, chat_name: 'Cat lovers', topics: { '0': { photo_blocked: true } } },
  });

  app.testServer.services.chatEvents.publish(cats, { kind: 'upgraded', chat_id: String(present) });

  expect(await screen.findByText('This group became a supergroup')).toBeVisible();
  await waitFor(() => expect(window.location.search).toBe(`?chat=${present}`));
  await waitFor(() => expect(toggle()).toBeChecked());
});

test('leaving the settings ends the connection', async () => {
  const app = await openLive();
  await app.user.click(await button('Back to List'));
  await screen.findByRole('heading', { name: 'Manage Your Chats' });
  await waitFor(() => expect(app.server.openStreams()).toBe(0));
  await app.other.toggle('photo', true);

  expect(screen.queryByText(/Mara changed/)).toBeNull();
  expect(app.server.requestsTo(followChat)).toHaveLength(1);
});

test('a server without events gets no such request', async () => {
  const app = await openSettings();
  app.server.refuse(followChat, { status: 404, body: { detail: 'Not found', code: 'not_found' } });
  await app.reload();
  await screen.findByRole('switch', { name: 'photo, General' });
  const other = await addOwner(app.testServer);
  await other.toggle('photo', true);

  expect(toggle()).not.toBeChecked();
  expect(screen.queryByRole('alert')).toBeNull();
});
