/** The settings of a chat: what is shown, and toggles on every kind of network. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { addTopic, readChat, setSetting } from '#contract/endpoints/chats';
import { login } from '#contract/endpoints/session';
import { giveChats, takeChatAway } from '#tests/managed-chats';
import { renderApp, startServer } from '#tests/render-app';

const person = 123456789;
const cats = -1001234567890;

type Options = {
  readonly path?: string;
  readonly topics?: readonly number[];
  readonly name?: string;
  readonly launch?: boolean;
};

/** The open settings of "Cat lovers". */
async function openSettings({
  path = `/dashboard?chat=${cats}`,
  topics = [0],
  name = 'Cat lovers',
  launch = false,
}: Options = {}) {
  const kit = await startServer();
  const token = await kit.signUp(person);
  await giveChats(kit, person, [{ id: cats, name, topics }]);
  const app = await renderApp(path, {
    server: kit,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person } } : {}),
  });
  await screen.findByRole('switch', { name: 'photo, General' });
  return { ...app, token };
}

type App = Awaited<ReturnType<typeof openSettings>>;

/** Opens the dashboard's list first, then the chat whose settings the server answers in its own way. */
async function openAnswer(chat: Record<string, unknown>) {
  const app = await openSettings({ path: `/dashboard?chat=${cats}` });
  app.server.refuse(readChat, { status: 200, body: chat });
  await app.reload();
  return app;
}

const toggle = (name = 'photo, General') => screen.getByRole('switch', { name });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const notice = () => screen.findByRole('alert');
const section = (name: string) => screen.getByRole('region', { name: new RegExp(`^${name}`) });
const failed = 'Failed to update setting. Please try again.';

/** What the server has for photos in General. */
async function stored({ kit }: App): Promise<boolean | undefined> {
  const row = await kit.db
    .selectFrom('topic_settings')
    .select('is_blocked')
    .where('name', '=', 'photo_blocked')
    .executeTakeFirst();
  return row && Number(row.is_blocked) === 1;
}

/** Another device changes photos in General. */
async function changeElsewhere({ kit, token }: App, value: boolean): Promise<void> {
  const change = { chat_id: cats, topic_id: 0, setting_name: 'photo_blocked', value };
  expect((await kit.call(setSetting, change, { token })).status).toBe(200);
}

const unlocked = () => waitFor(() => expect(toggle()).not.toHaveAttribute('aria-disabled'));

/** Lets calls reach the server at once, and keeps their answers back. Returns how to deliver them. */
function holdAnswers(method: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pass = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await pass(input, init);
    const used = input instanceof Request ? input.method : (init?.method ?? 'GET');
    if (used.toUpperCase() === method) {
      await promise;
    }
    return response;
  });
  return () => {
    vi.stubGlobal('fetch', pass);
    resolve();
  };
}

describe('what is shown', () => {
  test('the chat, and a toggle for each of the 27 kinds of message', async () => {
    await openSettings();

    expect(screen.getByRole('heading', { level: 2, name: 'Cat lovers' })).toBeVisible();
    expect(screen.getByText(`ID: ${cats}`)).toBeVisible();
    expect(screen.getByText('demo: no bot connected')).toBeVisible();
    expect(screen.getAllByRole('switch')).toHaveLength(27);
    const row = toggle('video note, General').closest('label');
    expect(row).toHaveTextContent(/^video noteAllowed$/);
    expect(toggle()).toHaveAccessibleDescription('Allowed');
  });

  test('topics in the order of their numbers, all open, each of which can be closed', async () => {
    const { user } = await openSettings({ topics: [10, 0, 9] });
    const headings = screen.getAllByRole('heading', { level: 3 }).map((it) => it.textContent);

    expect(headings).toEqual(['General', 'Topic 9', 'Topic 10']);
    expect(screen.getAllByRole('switch')).toHaveLength(81);
    const general = await button(/^General/);
    expect(general).toHaveAttribute('aria-expanded', 'true');
    await user.click(general);

    expect(general).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByRole('switch', { name: 'photo, General' })).toBeNull();
    expect(toggle('photo, Topic 9')).toBeVisible();
    await user.click(general);
    expect(toggle()).toBeVisible();
  });

  test('settings and topics that nobody foresaw', async () => {
    await openAnswer({
      chat: {
        chat_id: cats,
        chat_name: null,
        topics: { '0': { hologram_blocked: true, photo_blocked: false, odd: true }, '5': {} },
      },
    });

    expect(await screen.findByRole('switch', { name: 'hologram, General' })).toBeChecked();
    expect(screen.getByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
    expect(screen.getAllByRole('switch').map((it) => it.getAttribute('aria-label'))).toEqual([
      'photo, General',
      'hologram, General',
      'odd, General',
    ]);
    expect(section('Topic 5')).toHaveTextContent('This topic has no settings.');
  });

  test.each([undefined, null, {}])('General alone when topics are %s', async (topics) => {
    await openAnswer({ chat_id: String(cats), chat_name: 'مجموعة القطط', topics });

    const heading = await screen.findByRole('heading', { level: 2, name: 'مجموعة القطط' });
    expect(heading).toHaveAttribute('dir', 'auto');
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1);
    expect(screen.getAllByRole('switch')).toHaveLength(27);
  });

  test('five hundred topics open with the first few drawn', async () => {
    const topics = Object.fromEntries(
      Array.from({ length: 500 }, (_topic, id) => [id, { photo_blocked: false }]),
    );
    await openAnswer({ chat_id: cats, chat_name: 'Big', topics });
    await screen.findByRole('heading', { name: 'Big' });

    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(500);
    expect(screen.getAllByRole('switch').length).toBeLessThan(10);
  });

  test.each([
    ['a wrong shape', { status: 200, body: { chat_id: cats, topics: [1] } }, /loaded\.Try again$/],
    ['a refusal with a reason', { status: 400, body: { detail: 'Not now.' } }, /Not now\./],
  ])('an error with a way to try again, after %s', async (_case, answer, reason) => {
    const app = await openSettings();
    app.server.refuse(readChat, answer);
    await app.reload();

    const title = await screen.findByText('The settings could not be loaded.');
    expect(title.parentElement).toHaveTextContent(reason);
    app.server.heal(readChat);
    await app.user.click(await button('Try again'));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeVisible();
  });
});

describe('searching', () => {
  test('filters the labels in all topics', async () => {
    const { user } = await openSettings({ topics: [0, 7] });
    await user.click(await button(/^Topic 7/));

    await user.type(screen.getByRole('searchbox', { name: 'Search settings...' }), 'VIDEO N');

    await waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(2));
    expect(toggle('video note, General')).toBeVisible();
    expect(toggle('video note, Topic 7')).toBeVisible();
  });

  test('says when nothing is found, and can be cleared', async () => {
    const { user } = await openSettings();

    await user.type(screen.getByRole('searchbox'), 'hologram');
    expect(await screen.findByText('No settings found matching your search')).toBeVisible();
    await user.click(await button('Clear the search'));

    await waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(27));
  });
});

describe('a toggle', () => {
  test('changes at once, is counted, and sends the value itself', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);

    await app.user.click(toggle());
    expect(toggle()).toBeChecked();
    expect(toggle()).toHaveAccessibleDescription('Blocked');
    expect(section('General')).toHaveTextContent('1 blocked');
    release();

    await waitFor(async () => expect(await stored(app)).toBe(true));
    expect(toggle()).toBeChecked();
    expect(app.server.requestsTo(setSetting)[0]?.body).toEqual({
      chat_id: String(cats),
      topic_id: '0',
      setting_name: 'photo_blocked',
      value: true,
    });
  });

  test('refuses further presses for 150 ms, and keeps the focus', async () => {
    const app = await openSettings();

    await app.user.click(toggle());
    const locked = performance.now();
    expect(toggle()).toHaveAttribute('aria-disabled', 'true');
    await app.user.click(toggle());
    await app.user.keyboard(' ');
    expect(toggle()).toBeChecked();
    expect(toggle()).toHaveFocus();
    await unlocked();

    expect(performance.now() - locked).toBeGreaterThan(100);
    await app.user.keyboard(' ');
    expect(toggle()).not.toBeChecked();
    await waitFor(() => expect(app.server.requestsTo(setSetting)).toHaveLength(2));
  });

  test('that is refused goes back and says so', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 500, body: { detail: 'disk full' } });

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(failed);
    expect(toggle()).not.toBeChecked();
    expect(screen.getAllByText(failed, { exact: false })).toHaveLength(1);
  });

  test('that gets no answer goes back and says why', async () => {
    const app = await openSettings();
    app.server.drop(setSetting);

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(`${failed} No answer came: check your connection.`);
    expect(toggle()).not.toBeChecked();
  });

  test('several that fail are reported once, and each goes back', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 500 });

    await app.user.click(toggle());
    await app.user.click(toggle('video, General'));
    await notice();

    await waitFor(() => expect(screen.queryAllByRole('switch', { checked: true })).toEqual([]));
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  test('whose answer got lost shows what the server has', async () => {
    const app = await openSettings();
    const pass = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await pass(input, init);
      const method = input instanceof Request ? input.method : init?.method;
      if (method === 'PUT') {
        throw new TypeError('connection reset');
      }
      return response;
    });

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(failed);
    await waitFor(() => expect(toggle()).toBeChecked());
    expect(await stored(app)).toBe(true);
  });

  test('pressed again and again has one write under way, and the last wish wins', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);

    await app.user.click(toggle());
    await unlocked();
    await app.user.click(toggle());
    await unlocked();
    await app.user.click(toggle());
    await unlocked();
    await app.user.click(toggle());
    expect(toggle()).not.toBeChecked();
    expect(app.server.requestsTo(setSetting)).toHaveLength(1);
    release();

    await waitFor(() => expect(app.server.requestsTo(setSetting)).toHaveLength(2));
    await waitFor(async () => expect(await stored(app)).toBe(false));
    expect(app.server.requestsTo(setSetting).map(({ body }) => body)).toMatchObject([
      { value: true },
      { value: false },
    ]);
    expect(toggle()).not.toBeChecked();
  });

  test('keeps its value while a refresh with older facts arrives', async () => {
    const app = await openSettings();
    const deliver = holdAnswers('GET');
    await app.user.click(await button('Refresh settings'));
    await waitFor(() => expect(app.server.requestsTo(readChat)).toHaveLength(2));

    await app.user.click(toggle());
    await waitFor(async () => expect(await stored(app)).toBe(true));
    deliver();

    await waitFor(() => expect(screen.queryByText('Refreshing settings...')).toBeNull());
    expect(toggle()).toBeChecked();
  });

  test('keeps its value while its own write is still on the way and a refresh arrives', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);
    await app.user.click(toggle());

    await app.user.click(await button('Refresh settings'));
    await screen.findByText('Refreshing settings...');
    await waitFor(() => expect(screen.queryByText('Refreshing settings...')).toBeNull());
    expect(toggle()).toBeChecked();
    release();

    await waitFor(async () => expect(await stored(app)).toBe(true));
    expect(toggle()).toBeChecked();
  });

  test('goes on being written when the settings are left', async () => {
    const app = await openSettings();
    const release = app.server.hang(setSetting);

    await app.user.click(toggle());
    await app.user.click(await button('Back to List'));
    await screen.findByRole('heading', { name: 'Manage Your Chats' });
    release();
    await waitFor(async () => expect(await stored(app)).toBe(true));
    await app.user.click(await screen.findByRole('link', { name: /Cat lovers/ }));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
  });

  test('is felt inside Telegram', async () => {
    const app = await openSettings({ launch: true });

    await app.user.click(toggle());

    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_trigger_haptic_feedback',
      data: { type: 'impact', impact_style: 'light' },
    });
  });

  test('of a dead session logs out once, without a second complaint', async () => {
    const app = await openSettings();
    app.server.refuse(setSetting, { status: 401, body: { detail: 'expired' } });

    await app.user.click(toggle());

    expect(await screen.findByText("You've been logged out. Please login again.")).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(screen.queryByText(failed, { exact: false })).toBeNull();
    expect(app.server.requestsTo(login)).toHaveLength(0);
  });
});

describe('refreshing', () => {
  test('shows what changed elsewhere, and turns for about 0.8 seconds', async () => {
    const app = await openSettings();
    await changeElsewhere(app, true);

    await app.user.click(await button('Refresh settings'));
    const begun = performance.now();
    expect(await button('Refresh settings')).toHaveAttribute('aria-busy', 'true');
    await waitFor(() => expect(toggle()).toBeChecked());
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Refresh settings' })).not.toHaveAttribute(
        'aria-busy',
      ),
    );

    expect(performance.now() - begun).toBeGreaterThan(700);
  });

  test('that fails says so, and what was there stays', async () => {
    const app = await openSettings();
    app.server.refuse(readChat, { status: 500 });

    await app.user.click(await button('Refresh settings'));

    expect(await notice()).toHaveTextContent('Failed to refresh settings. Please try again.');
    expect(toggle()).toBeVisible();
  });

  test('pressed twice asks once', async () => {
    const app = await openSettings();
    const before = app.server.requestsTo(readChat).length;

    await app.user.dblClick(await button('Refresh settings'));
    await screen.findByText('Refreshing settings...');
    await waitFor(() => expect(screen.queryByText('Refreshing settings...')).toBeNull());

    expect(app.server.requestsTo(readChat)).toHaveLength(before + 1);
  });

  test('happens by itself when the person comes back to the window', async () => {
    const app = await openSettings();
    await changeElsewhere(app, true);

    window.dispatchEvent(new Event('focus'));

    await waitFor(() => expect(toggle()).toBeChecked());
  });
});

describe('adding a topic', () => {
  async function add({ user }: App, number: string) {
    await user.click(await button('Add topic'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a topic' }));
    await user.click(dialog.getByLabelText('Topic number'));
    await user.paste(number);
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    return dialog;
  }

  test('by its number, with everything allowed', async () => {
    const app = await openSettings();

    await add(app, ' 42 ');

    expect(await screen.findByRole('switch', { name: 'photo, Topic 42' })).not.toBeChecked();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.search).toBe(`?chat=${cats}&topic=42`);
  });

  test.each([
    ['', 'Please enter the number of the topic'],
    ['news', 'A topic ID is a number, and 0 is General'],
    ['0', 'General is already in the list'],
  ])('refuses "%s" with a reason', async (number, reason) => {
    const app = await openSettings();

    const dialog = await add(app, number);

    expect(await dialog.findByRole('alert')).toHaveTextContent(reason);
    expect(app.server.requestsTo(addTopic)).toHaveLength(0);
  });

  test.each([
    [{ detail: 'A chat can have at most 1000 topics.' }, 'A chat can have at most 1000 topics.'],
    ['<html>', 'Failed to add the topic. Please try again.'],
  ])('that the server refuses says why: %o', async (body, reason) => {
    const app = await openSettings();
    app.server.refuse(addTopic, { status: 422, body });

    const dialog = await add(app, '42');

    expect(await dialog.findByRole('alert')).toHaveTextContent(reason);
    expect(dialog.getByLabelText('Topic number')).toHaveValue('42');
  });
});

describe('a link to a topic', () => {
  test('leads to its heading', async () => {
    await openSettings({ path: `/dashboard?chat=${cats}&topic=9`, topics: [0, 9, 12] });

    await waitFor(() => expect(screen.getByRole('button', { name: /^Topic 9/ })).toHaveFocus());
  });

  test('that the chat does not list yet offers to add it', async () => {
    const app = await openSettings({ path: `/dashboard?chat=${cats}&topic=9` });

    expect(await screen.findByText('Topic 9 has no settings yet.')).toBeVisible();
    await app.user.click(await button('Add Topic 9'));

    expect(await screen.findByLabelText('Topic number')).toHaveValue('9');
  });
});

describe('a chat that is no longer the person’s', () => {
  const gone = 'You no longer manage Cat lovers. Verify that you own it to change its settings.';

  test('is left as soon as a write is refused', async () => {
    const app = await openSettings();
    await takeChatAway(app.kit, cats);

    await app.user.click(toggle());

    expect(await notice()).toHaveTextContent(gone);
    expect(await screen.findByText('No chats available')).toBeVisible();
    expect(window.location.search).toBe('');
    expect(screen.queryByText(failed, { exact: false })).toBeNull();
  });

  test('is left as soon as a read is refused', async () => {
    const app = await openSettings();
    await takeChatAway(app.kit, cats);

    window.dispatchEvent(new Event('focus'));

    expect(await notice()).toHaveTextContent(gone);
    expect(await screen.findByText('No chats available')).toBeVisible();
  });
});

test('a group that became a supergroup is followed to its new ID', async () => {
  const present = -1005550001112;
  const app = await openSettings({ path: `/dashboard?chat=${cats}&topic=0` });
  app.server.refuse(readChat, {
    status: 200,
    body: { chat_id: present, chat_name: 'Cat lovers', topics: { '0': { photo_blocked: true } } },
  });

  await app.reload();

  expect(await screen.findByText('This group became a supergroup')).toBeVisible();
  await waitFor(() => expect(window.location.search).toBe(`?chat=${present}&topic=0`));
  expect(await screen.findByText(`ID: ${present}`)).toBeVisible();
  expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
  expect(screen.getAllByText('This group became a supergroup')).toHaveLength(1);
});
