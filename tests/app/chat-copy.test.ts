/** Copying a topic's settings to other topics and chats, with a preview of what will change. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { changeSettings } from '#contract/endpoints/chat-changes';
import { readChat, setSetting } from '#contract/endpoints/chats';
import { giveChats } from '#tests/chats';
import { cats, choose, openSettings, toggle, type App, isBlocked } from '#tests/open-settings';

const person = 123456789;
const dogs = -1009876543210;
const birds = -1005550001;

/** "Cat lovers" with two blocked message types in General, and two more chats. */
async function openCopying({ topics = [0, 4, 9] as readonly number[] } = {}): Promise<App> {
  const app = await openSettings({ topics });
  await giveChats(app.testServer, person, [
    { id: dogs, name: 'Dog walkers', topics: [0, 5] },
    { id: birds, name: 'Bird watchers' },
  ]);
  await block(app, 'photo');
  await block(app, 'url');
  await app.reload();
  await waitFor(() => expect(toggle()).toBeChecked());
  return app;
}

/** Blocks something on the server before the page is opened. */
async function block({ testServer, token }: App, name: string, { chatId = cats, topic = 0 } = {}) {
  const change = { chat_id: chatId, topic_id: topic, setting_name: `${name}_blocked`, value: true };
  expect((await testServer.call(setSetting, change, { token })).status).toBe(200);
}

const dialog = () => screen.findByRole('dialog', { name: 'Copy the settings of General' });
const box = (name: string) => screen.findByRole('checkbox', { name });
const press = async ({ user }: App, name: string | RegExp) =>
  user.click(within(await dialog()).getByRole('button', { name }));

async function openDialog(app: App): Promise<HTMLElement> {
  await choose(app, 'Copy to..., General', 'Menu, General');
  return dialog();
}

describe('to other topics of the chat', () => {
  test('shows what will change, changes it in one call, and can be undone', async () => {
    const app = await openCopying();
    await block(app, 'photo', { topic: 9 });
    await block(app, 'dice', { topic: 9 });
    await app.reload();
    const open = await openDialog(app);
    expect(open).toHaveTextContent('Nothing chosen yet');
    expect(within(open).getByRole('button', { name: 'Preview' })).toBeDisabled();

    await app.user.click(await box('Topic 4, Cat lovers'));
    await app.user.click(await box('Topic 9, Cat lovers'));
    expect(open).toHaveTextContent('2 topics chosen');
    await press(app, 'Preview');
    expect(await screen.findByText('4 changes in 2 topics')).toBeVisible();
    await app.user.click(screen.getByText('Topic 9: 2 changes'));
    expect(screen.getByText('dice: Blocked → Allowed')).toBeVisible();
    expect(screen.getAllByText('url: Allowed → Blocked')).toHaveLength(2);
    expect(app.server.requestsTo(changeSettings)).toHaveLength(0);
    await press(app, 'Change 4 settings');

    expect(await screen.findByText('General copied: 4 settings changed.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(1);
    expect(app.server.requestsTo(changeSettings)[0]?.body).toMatchObject({ kind: 'copy' });
    expect(toggle('url, Topic 4')).toBeChecked();
    expect(toggle('dice, Topic 9')).not.toBeChecked();
    expect(await isBlocked(app.testServer, 'url', { topic: 9 })).toBe(true);

    await app.user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone: everything is as it was.')).toBeVisible();
    expect(toggle('url, Topic 4')).not.toBeChecked();
    expect(toggle('dice, Topic 9')).toBeChecked();
    expect(await isBlocked(app.testServer, 'url', { topic: 9 })).toBe(false);
  });

  test('says when nothing would change', async () => {
    const app = await openCopying();
    await block(app, 'photo', { topic: 4 });
    await block(app, 'url', { topic: 4 });
    await app.reload();
    await openDialog(app);

    await app.user.click(await box('Topic 4, Cat lovers'));
    await press(app, 'Preview');

    const summary = await screen.findByText(/^Nothing to change/);
    expect(summary).toBeVisible();
    await waitFor(() => expect(summary).toHaveFocus());
    expect(screen.getByText('1 topic has the same settings already.')).toBeVisible();
    expect(
      within(await dialog()).getByRole('button', { name: 'Change 0 settings' }),
    ).toBeDisabled();
    await press(app, 'Back');
    await waitFor(() => expect(screen.getByText('1 topic chosen')).toHaveFocus());
  });

  test('includes a toggle whose write is still in flight', async () => {
    const app = await openCopying();
    const release = app.server.hang(setSetting);
    await app.user.click(toggle('poll, General'));
    await openDialog(app);

    await app.user.click(await box('Topic 4, Cat lovers'));
    await press(app, 'Preview');
    await app.user.click(await screen.findByText('Topic 4: 3 changes'));

    expect(screen.getByText('poll: Allowed → Blocked')).toBeVisible();
    release();
  });

  test('all of them are chosen by one press, those that were found by another, and copied in one call', async () => {
    const topics = Array.from({ length: 61 }, (_topic, index) => index);
    const app = await openCopying({ topics });
    const open = await openDialog(app);
    // Queried inside the dialog alone, because the page behind it has many topics.
    const inside = within(open);
    const next = (name: string) => app.user.click(inside.getByRole('button', { name }));
    // Only what is visible is rendered.
    expect(inside.getAllByRole('checkbox').length).toBeLessThan(40);

    await app.user.type(inside.getByRole('searchbox'), 'topic 1');
    await app.user.click(await inside.findByLabelText(/^All topics found \(\d+\), Cat lovers$/));
    expect(open).toHaveTextContent('11 topics chosen');
    await app.user.clear(inside.getByRole('searchbox'));
    const all = await inside.findByLabelText('All topics (60), Cat lovers');
    expect(all).toBePartiallyChecked();
    await app.user.click(all);
    expect(open).toHaveTextContent('60 topics chosen');
    await next('Preview');
    expect(await inside.findByText('120 changes in 60 topics')).toBeVisible();
    await next('Change 120 settings');

    expect(await screen.findByText('General copied: 120 settings changed.')).toBeInTheDocument();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(1);
    expect(await isBlocked(app.testServer, 'photo', { topic: 60 })).toBe(true);
  });

  test('works by the keyboard alone, and returns the focus', async () => {
    const app = await openCopying();
    const opener = await screen.findByRole('button', { name: 'Menu, General' });
    opener.focus();
    await app.user.keyboard('{Enter}');
    await app.user.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: 'Copy to..., General' })).toHaveFocus();
    await app.user.keyboard('{Enter}');
    const open = await dialog();

    within(open).getByRole('searchbox').focus();
    await app.user.tab();
    expect(await box('All topics (2), Cat lovers')).toHaveFocus();
    await app.user.tab();
    await app.user.keyboard(' ');
    expect(await box('Topic 4, Cat lovers')).toBeChecked();
    expect(open).toHaveTextContent('1 topic chosen');
    within(open).getByRole('button', { name: 'Cancel' }).focus();
    await app.user.keyboard('{Enter}');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(opener).toHaveFocus();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(0);
  });
});

describe('to other chats', () => {
  test('reads their topics when they are opened, and changes each chat by a call of its own', async () => {
    const app = await openCopying();
    const reads = () =>
      app.server.requestsTo(readChat).filter(({ url }) => url.href.includes(String(dogs)));
    await openDialog(app);
    expect(reads()).toHaveLength(0);

    await app.user.click(await screen.findByRole('button', { name: /^Dog walkers/ }));
    await app.user.click(await box('All topics (2), Dog walkers'));
    await app.user.click(await box('Topic 4, Cat lovers'));
    await press(app, 'Preview');
    expect(await screen.findByText('6 changes in 3 topics')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Dog walkers' })).toHaveTextContent(
      'Topic 5: 2 changes',
    );
    await press(app, 'Change 6 settings');

    expect(await screen.findByText('General copied: 6 settings changed.')).toBeVisible();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(2);
    expect(await isBlocked(app.testServer, 'photo', { chatId: dogs, topic: 5 })).toBe(true);
    await app.user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Undone: everything is as it was.');
    expect(await isBlocked(app.testServer, 'photo', { chatId: dogs, topic: 5 })).toBe(false);
    expect(await isBlocked(app.testServer, 'photo', { topic: 4 })).toBe(false);
  });

  test('one that fails does not affect the others, and can be tried again', async () => {
    const app = await openCopying();
    await openDialog(app);
    await app.user.click(await screen.findByRole('button', { name: /^Dog walkers/ }));
    await app.user.click(await box('Topic 5, Dog walkers'));
    await app.user.click(await box('Topic 4, Cat lovers'));
    await press(app, 'Preview');
    await screen.findByText('4 changes in 2 topics');
    const heal = refuseFor(dogs);
    await press(app, 'Change 4 settings');

    expect(await screen.findByRole('alert')).toHaveTextContent('Not everything could be copied.');
    expect(screen.getByRole('region', { name: 'Cat lovers' })).toHaveTextContent(
      'Copied: 2 settings changed.',
    );
    expect(screen.getByRole('region', { name: 'Dog walkers' })).toHaveTextContent(
      'The dogs are asleep.',
    );
    expect(await isBlocked(app.testServer, 'photo', { topic: 4 })).toBe(true);
    heal();
    await press(app, 'Try again');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await isBlocked(app.testServer, 'photo', { chatId: dogs, topic: 5 })).toBe(true);
    expect(app.server.requestsTo(changeSettings)).toHaveLength(2);
  });

  test('whose topics cannot be read shows an error, and can be read again', async () => {
    const app = await openCopying();
    await openDialog(app);
    app.server.refuse(readChat, { status: 400, body: { detail: 'Not now.' } });
    await app.user.click(await screen.findByRole('button', { name: /^Bird watchers/ }));

    expect(await screen.findByText('Not now.')).toBeVisible();
    app.server.heal(readChat);
    await press(app, 'Try again');

    expect(await box('General, Bird watchers')).toBeVisible();
  });

  test('are found by their names', async () => {
    const app = await openCopying();
    const open = await openDialog(app);

    await screen.findByRole('button', { name: /^Dog walkers/ });
    await app.user.type(within(open).getByRole('searchbox'), 'bird');

    await waitFor(() => expect(screen.queryByRole('button', { name: /^Dog walkers/ })).toBeNull());
    expect(screen.getByRole('button', { name: /^Bird watchers/ })).toBeVisible();
    expect(screen.getByText('No topics found matching your search')).toBeVisible();
  });
});

/** Makes the server refuse changes to one chat; returns a function that ends this. */
function refuseFor(chatId: number): () => void {
  const pass = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const { url, method } = input instanceof Request ? input : new Request(input, init);
    return method === 'PUT' && url.includes(String(chatId))
      ? new Response(JSON.stringify({ detail: 'The dogs are asleep.' }), { status: 503 })
      : pass(input, init);
  };
  return () => {
    globalThis.fetch = pass;
  };
}
