/** The tab "Content" of a chat's settings: rules and notes. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { type Note } from '#contract/chats/values';
import { readCommands } from '#contract/endpoints/bot-commands';
import { saveContent } from '#contract/endpoints/chat-contents';
import { changeValues } from '#contract/endpoints/chat-values';
import { readCapabilities } from '#contract/endpoints/site';
import { type Network } from '#tests/app-server';
import {
  addContent,
  type App,
  openSection,
  setByCommand,
  setElsewhere,
  storedContents,
  storedValues,
} from '#tests/chat-sections';
import { button, cats, choose, notice, updateFailed } from '#tests/open-settings';

const storedInChat = async (app: App) => (await storedValues(app))['chat'] ?? {};
const text = () => screen.findByRole('textbox', { name: 'Text' });
const nameField = () => screen.findByRole('textbox', { name: 'Name' });
const row = (name: string) => button(new RegExp(`^#${name}`));
const rows = () =>
  within(screen.getByRole('list', { name: 'Notes' }))
    .queryAllByRole('listitem')
    .map((item) => item.textContent);
const closed = () =>
  waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull());

type Stored = Omit<Note, 'content'> & { readonly text: string };

/** A group with notes, as commands have saved them. */
const withNotes = (notes: Readonly<Record<string, Stored>>) => ({
  prepare: async (testServer: App['testServer']) => {
    const values: Record<string, unknown> = {};
    for (const [name, { text: body, ...flags }] of Object.entries(notes)) {
      values[`note:${name}`] = { content: await addContent(testServer, { text: body }), ...flags };
    }
    await setByCommand(testServer, values);
  },
});

describe('the rules', () => {
  test('are written, shown in the group or in private, and removed with undo', async () => {
    const app = await openSection('content');
    expect(await button(/^Write the rules ?This group has no rules yet/)).toBeVisible();
    await app.user.click(await button(/^Write the rules/));
    await app.user.type(await text(), 'Be kind');
    await app.user.click(await button('Save'));
    await closed();
    expect(await button(/^Text of the rules ?Be kind/)).toBeVisible();

    await app.user.click(
      await screen.findByRole('switch', { name: 'Show the rules in the group' }),
    );
    await waitFor(async () =>
      expect(await storedInChat(app)).toMatchObject({ rules_public: true }),
    );
    await app.reload();
    await app.user.click(await button('Remove the rules'));
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ rules_public: true }));
    expect(await button(/^Write the rules/)).toBeVisible();
    await app.user.click(await button('Undo'));

    expect(await button(/^Text of the rules ?Be kind/)).toBeVisible();
    await waitFor(async () => expect(await storedContents(app)).toHaveLength(1));
  });

  test('that are removed right after they were written are still a draft', async () => {
    const app = await openSection('content');
    await app.user.click(await button(/^Write the rules/));
    await app.user.type(await text(), 'Be kind');
    await app.user.click(await button('Save'));
    await closed();

    await app.user.click(await button('Remove the rules'));
    await app.user.click(await button(/^Write the rules/));

    expect(await text()).toHaveValue('Be kind');
  });

  test('have a link to copy', async () => {
    const app = await openSection('content', {
      prepare: async (testServer) =>
        setByCommand(testServer, {
          rules_content: await addContent(testServer, { text: 'Be kind' }),
        }),
      onConnect: (network) =>
        network.refuse(readCapabilities, {
          status: 200,
          body: {
            capabilities: ['chats.values', 'chats.contents'],
            bot_username: 'nori_test_bot',
          },
        }),
    });
    const link = `https://t.me/nori_test_bot?start=rules_${cats}`;
    expect(await screen.findByText(link)).toBeVisible();

    await app.user.click(await button('Copy the link to the rules'));

    expect(await screen.findByText('Copied!')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(link);
  });

  test('are in the history, which says so', async () => {
    const app = await openSection('content');
    await app.user.click(await button(/^Write the rules/));
    await app.user.type(await text(), 'Be kind');
    await app.user.click(await button('Save'));
    await closed();

    await choose(app, 'History of changes');

    expect(await screen.findAllByText(/The rules have a text/)).not.toHaveLength(0);
  });
});

describe('what is for adults', () => {
  const offered = { status: 200, body: { commands: ['nsfwmode'] } };
  const withAdults = (refusal?: string) => ({
    topics: [0, 7],
    onConnect: (network: Network) => {
      network.refuse(readCommands, offered);
      if (refusal !== undefined) {
        const body = { code: 'telegram_refused', detail: refusal };
        network.refuse(changeValues, { status: 409, body });
      }
    },
  });
  const allow = () => screen.findByRole('switch', { name: 'Allow content for adults' });

  test('is not there where the server does not offer it', async () => {
    await openSection('content');
    expect(await screen.findByRole('heading', { name: 'Rules' })).toBeVisible();
    expect(screen.queryByText('For adults')).toBeNull();
  });

  test('is switched on with the reason why not, in words of the server', async () => {
    const refusal = 'Not in a group that has a public link or a linked channel.';
    const app = await openSection('content', withAdults(refusal));
    expect(await allow()).not.toBeChecked();
    await app.user.click(await allow());
    expect(await notice()).toHaveTextContent(refusal);
    expect(await allow()).not.toBeChecked();
  });

  test('is off in one topic where the group has it, or off in all', async () => {
    const app = await openSection('content', {
      ...withAdults(),
      prepare: (testServer) => setByCommand(testServer, { adult_mode: true }),
    });
    expect(await allow()).toBeChecked();
    await app.user.selectOptions(screen.getByRole('combobox', { name: 'Where' }), '7');
    expect(await allow()).toBeChecked();
    await app.user.click(await allow());
    await waitFor(async () =>
      expect(await storedValues(app)).toEqual({
        chat: { adult_mode: true },
        '7': { adult_mode: false },
      }),
    );
    expect(await allow()).not.toBeChecked();

    await app.user.selectOptions(screen.getByRole('combobox', { name: 'Where' }), 'chat');
    await app.user.click(await allow());
    await waitFor(async () => expect(await storedValues(app)).toEqual({}));
  });

  test('is deleted after 10 minutes, or another time', async () => {
    const app = await openSection('content', withAdults());
    const keep = await screen.findByRole('combobox', { name: 'Delete it after' });
    expect(keep).toHaveDisplayValue('10 minutes');
    await app.user.selectOptions(keep, '1 hour');
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ adult_clean: 3600 }));
  });
});

describe('a note', () => {
  test('is added with whom it is for', async () => {
    const app = await openSection('content');
    expect(await screen.findByText(/^No notes yet/)).toBeVisible();
    expect(screen.getByText('0 of 200')).toBeVisible();
    await app.user.click(await button('Add a note'));
    await app.user.type(await nameField(), '#WiFi');
    await app.user.type(await text(), 'The password is rice.');
    await app.user.click(await screen.findByRole('switch', { name: 'Send it in private' }));
    await app.user.click(await screen.findByRole('switch', { name: 'Protect it' }));

    await app.user.click(await button('Save'));

    await closed();
    expect(await row('wifi')).toHaveTextContent('The password is rice.private · protected');
    expect(screen.getByText('1 of 200')).toBeVisible();
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        'note:wifi': { content: expect.any(String), isPrivate: true, isProtected: true },
      }),
    );
    // The next one begins with nothing.
    await app.user.click(await button('Add a note'));
    expect(await text()).toHaveValue('');
    expect(await nameField()).toHaveValue('');
  });

  test('needs a name of its own', async () => {
    const app = await openSection('content', withNotes({ wifi: { text: 'rice' } }));
    await app.user.click(await button('Add a note'));
    await app.user.type(await text(), 'beans');
    await app.user.click(await button('Save'));
    expect(await nameField()).toHaveFocus();
    expect(await nameField()).toHaveAccessibleDescription(/^Please enter a name/);

    await app.user.type(await nameField(), 'two words');
    expect(await nameField()).toHaveAccessibleDescription(/^A name has up to 32 letters/);
    await app.user.clear(await nameField());
    await app.user.type(await nameField(), 'WIFI');
    expect(await nameField()).toHaveAccessibleDescription(/^There is a note #wifi already/);
    await app.user.click(await button('Save'));
    expect(app.server.requestsTo(saveContent)).toHaveLength(0);
    await app.user.type(await nameField(), '2');
    await app.user.click(await button('Save'));

    await closed();
    await waitFor(async () =>
      expect(Object.keys(await storedInChat(app))).toEqual(['note:wifi', 'note:wifi2']),
    );
  });

  test('is edited and renamed, in one change that can be undone', async () => {
    const app = await openSection(
      'content',
      withNotes({ wifi: { text: 'rice', isPrivate: true } }),
    );
    await app.user.click(await row('wifi'));
    expect(await nameField()).toHaveValue('wifi');
    expect(screen.getByRole('switch', { name: 'Send it in private' })).toBeChecked();
    await app.user.clear(await nameField());
    await app.user.type(await nameField(), 'wlan');
    await app.user.click(await button('Save'));

    await closed();
    // The text is the same, so nothing new is stored for it.
    expect(app.server.requestsTo(saveContent)).toHaveLength(0);
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        'note:wlan': { content: expect.any(String), isPrivate: true },
      }),
    );
    expect(rows()).toEqual(['#wlanriceprivate']);
    await app.user.click(await button('Undo'));
    await waitFor(() => expect(rows()).toEqual(['#wifiriceprivate']));
  });

  test('is removed from its menu, which can be undone', async () => {
    const app = await openSection('content', withNotes({ wifi: { text: 'rice' } }));
    await row('wifi');

    await choose(app, 'Remove', 'Menu, #wifi');

    await waitFor(() => expect(rows()).toEqual([]));
    expect(screen.getByRole('list', { name: 'Notes' })).toHaveFocus();
    await waitFor(async () => expect(await storedInChat(app)).toEqual({}));
    await app.user.click(await button('Undo'));
    expect(await row('wifi')).toHaveTextContent('rice');
    await waitFor(async () => expect(Object.keys(await storedInChat(app))).toEqual(['note:wifi']));
  });

  test('that cannot be removed stays', async () => {
    const app = await openSection('content', withNotes({ wifi: { text: 'rice' } }));
    await row('wifi');
    app.server.refuse(changeValues, { status: 500 });

    await choose(app, 'Remove', 'Menu, #wifi');

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await row('wifi')).toBeVisible();
  });

  test('that another administrator saves appears', async () => {
    const app = await openSection('content');
    await button('Add a note');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await setElsewhere(app, app.other.telegramId, {
      chat: { 'note:tea': { content: await addContent(app.testServer, { text: 'Green' }) } },
    });

    await waitFor(() => expect(rows()).toEqual(['#teaGreen']));
  });

  test('that is private has a link to copy', async () => {
    const app = await openSection('content', {
      ...withNotes({ wifi: { text: 'rice', isPrivate: true }, tea: { text: 'green' } }),
      onConnect: (network) =>
        network.refuse(readCapabilities, {
          status: 200,
          body: {
            capabilities: ['chats.values', 'chats.contents'],
            bot_username: 'nori_test_bot',
          },
        }),
    });
    await row('tea');
    await app.user.click(await button('Menu, #tea'));
    expect(screen.queryByRole('menuitem', { name: 'Copy the link' })).toBeNull();
    await app.user.keyboard('{Escape}');

    await choose(app, 'Copy the link', 'Menu, #wifi');

    expect(await screen.findByText('The link is copied.')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(
      `https://t.me/nori_test_bot?start=note_${cats}_wifi`,
    );
  });
});

describe('200 notes', () => {
  const many = withNotes(
    Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`n${index}`, { text: `Text of ${index}` }]),
    ),
  );

  test('are shown in part, found by name and text, and are the most', async () => {
    const app = await openSection('content', many);
    await row('n0');
    expect(screen.getByText('200 of 200')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add a note' })).toBeNull();
    expect(screen.getByText(/^A group has at most 200 notes\./)).toBeVisible();
    expect(rows()).toHaveLength(50);

    await app.user.type(screen.getByRole('searchbox', { name: 'Search notes...' }), '#N19');
    await waitFor(() => expect(rows()).toHaveLength(11));
    await app.user.clear(screen.getByRole('searchbox'));
    await app.user.type(screen.getByRole('searchbox'), 'text of 7');
    await waitFor(() => expect(rows()).toHaveLength(11));
    await app.user.clear(screen.getByRole('searchbox'));
    await app.user.type(screen.getByRole('searchbox'), 'nothing like it');
    expect(await screen.findByText('No notes found for this search.')).toBeVisible();

    await app.user.clear(screen.getByRole('searchbox'));
    await app.user.click(await button('Show all 200 notes'));
    expect(rows()).toHaveLength(200);
  });
});
