/** The tab "Automatic" of a chat's settings: floods, blocked words, links that stay, answers to words, reactions. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { type ChatHealth, readChatHealth } from '#contract/endpoints/chat-activity';
import { changeValues } from '#contract/endpoints/chat-values';
import {
  addContent,
  type App,
  openSection,
  setByCommand,
  setElsewhere,
  storedValues,
} from '#tests/chat-sections';
import { button, notice, updateFailed } from '#tests/open-settings';

const region = (name: string) => screen.findByRole('region', { name });
const inside = async (name: string) => within(await region(name));
const menuIn = async (part: string, name: string) =>
  (await inside(part)).findByRole<HTMLSelectElement>('combobox', { name });
const storedInChat = async (app: App) => (await storedValues(app))['chat'];

describe('floods', () => {
  test('are limited in a row or within a time, with what follows', async () => {
    const app = await openSection('automatic');
    expect((await inside('Floods')).queryByRole('combobox', { name: 'Within' })).toBeNull();

    await app.user.selectOptions(await menuIn('Floods', 'Limit'), '8 messages');
    expect(await screen.findByText('Flood: 8 messages in a row')).toBeVisible();
    expect(await storedInChat(app)).toEqual({ flood: { count: 8 } });
    await app.user.selectOptions(await menuIn('Floods', 'Within'), '10 seconds');
    await app.user.selectOptions(await menuIn('Floods', 'What follows'), 'Kick');

    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        flood: { count: 8, seconds: 10 },
        flood_action: { kind: 'kick' },
      }),
    );
    await app.user.selectOptions(await menuIn('Floods', 'Within'), 'In a row');
    await waitFor(async () =>
      expect(await storedInChat(app)).toMatchObject({ flood: { count: 8 } }),
    );
    await app.user.selectOptions(await menuIn('Floods', 'Limit'), 'Not limited');
    await waitFor(async () => expect(await storedInChat(app)).toMatchObject({ flood: 'off' }));
  });

  test('within a short time that is typed', async () => {
    const app = await openSection('automatic', {
      prepare: (server) => setByCommand(server, { flood: { count: 8 } }),
    });
    await app.user.selectOptions(await menuIn('Floods', 'Within'), 'Another time...');
    const field = await screen.findByRole('textbox', { name: 'Time' });

    await app.user.type(field, '11m{Enter}');
    expect(field).toHaveAccessibleDescription(
      /^Please enter a time between 1 second and 10 minutes, such as 30s\./,
    );
    await app.user.clear(field);
    await app.user.type(field, '45s{Enter}');

    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({ flood: { count: 8, seconds: 45 } }),
    );
  });

  test('that are refused are as they were', async () => {
    const app = await openSection('automatic');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.selectOptions(await menuIn('Floods', 'Limit'), '8 messages');

    expect(await notice()).toHaveTextContent(updateFailed);
    expect((await menuIn('Floods', 'Limit')).selectedOptions[0]).toHaveTextContent('Not limited');
  });
});

describe('blocked words', () => {
  const field = () => screen.findByRole('textbox', { name: 'Words, phrases or links to block' });
  const list = () => screen.findByRole('list', { name: 'Blocked words here' });
  const rows = async () =>
    within(await list())
      .queryAllByRole('listitem')
      .map((row) => row.querySelector('bdi')?.textContent);

  test('are added several at once, and one undo takes all of them back', async () => {
    const app = await openSection('automatic');
    expect(await screen.findByText('Nothing is blocked here.')).toBeVisible();

    await app.user.click(await field());
    await app.user.paste('Casino*\nfree   money\n\nhttps://example.com\ncasino*');
    await app.user.click(await button('Block'));

    expect(await rows()).toEqual(['casino*', 'example.com', 'free money']);
    expect(await field()).toHaveValue('');
    expect((await inside('Blocked words')).getByText('3 of 500')).toBeVisible();
    expect(await screen.findByText('3 entries added.')).toBeVisible();
    expect(await storedInChat(app)).toEqual({
      'block:casino*': {},
      'block:example.com': {},
      'block:free money': {},
    });
    await app.user.click(await button('Undo'));
    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    expect(await screen.findByText('Nothing is blocked here.')).toBeVisible();
  });

  test('that are none stay in the field, with a message, and the others are taken', async () => {
    const app = await openSection('automatic');
    await app.user.click(await field());
    await app.user.paste(`spam {mute 1h}\n***\n${'x'.repeat(65)}\nscam {hang}\nads {ban}`);

    await app.user.click(await button('Block'));

    expect(await rows()).toEqual(['ads', 'spam']);
    expect(await field()).toHaveValue(`***\n${'x'.repeat(65)}\nscam {hang}`);
    expect(await field()).toHaveFocus();
    expect(await field()).toHaveAccessibleDescription(/^3 lines could not be added\./);
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        'block:ads': { action: { kind: 'ban' } },
        'block:spam': { action: { kind: 'mute', seconds: 3600 } },
      }),
    );
  });

  test('that are refused are back in the field', async () => {
    const app = await openSection('automatic');
    app.server.refuse(changeValues, { status: 500 });
    await app.user.type(await field(), 'casino');

    await app.user.click(await button('Block'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await rows()).toEqual([]);
    expect(await field()).toHaveValue('casino');
  });

  test('lead to what is chosen for all, or for one of them', async () => {
    const app = await openSection('automatic', {
      prepare: (server) => setByCommand(server, { 'block:casino': {}, 'block:spam': {} }),
    });
    await app.user.selectOptions(await menuIn('Blocked words', 'What follows'), 'Warn');
    await app.user.selectOptions(
      await menuIn('Blocked words', 'What follows: casino'),
      'Ban for good',
    );

    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        blocklist_action: { kind: 'warn' },
        'block:casino': { action: { kind: 'ban' } },
        'block:spam': {},
      }),
    );
    await app.user.selectOptions(await menuIn('Blocked words', 'What follows: casino'), 'As above');
    await waitFor(async () =>
      expect(await storedInChat(app)).toMatchObject({ 'block:casino': {} }),
    );
  });

  test('are removed by the keyboard, which can be undone', async () => {
    const app = await openSection('automatic', {
      prepare: (server) => setByCommand(server, { 'block:casino': {}, 'block:spam': {} }),
    });
    (await button('Remove: casino')).focus();

    await app.user.keyboard('{Enter}');

    await waitFor(async () => expect(await rows()).toEqual(['spam']));
    expect(await list()).toHaveFocus();
    await screen.findByText('Not blocked: casino');
    await app.user.click(await button('Undo'));
    await waitFor(async () => expect(await rows()).toEqual(['casino', 'spam']));
  });

  test('are those of one topic where one is chosen, and all count together', async () => {
    const app = await openSection('automatic', {
      topics: [0, 4],
      prepare: (server) => setByCommand(server, { 'block:casino': {} }),
    });
    await app.user.selectOptions(await menuIn('Blocked words', 'Where'), 'Topic 4');
    expect(await screen.findByText('Nothing is blocked here.')).toBeVisible();

    await app.user.type(await field(), 'spam');
    await app.user.click(await button('Block'));

    await waitFor(async () =>
      expect(await storedValues(app)).toEqual({
        chat: { 'block:casino': {} },
        '4': { 'block:spam': {} },
      }),
    );
    expect(await rows()).toEqual(['spam']);
    expect((await inside('Blocked words')).getByText('2 of 500')).toBeVisible();
  });

  test('are shown 50 at first, found by a search, and never more than there is room for', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 498 }, (_entry, index) => [`block:word ${1000 + index}`, {}]),
    );
    const app = await openSection('automatic', {
      prepare: (server) => setByCommand(server, many),
    });
    expect(await rows()).toHaveLength(50);

    const search = await screen.findByRole('searchbox', { name: 'Search blocked words...' });
    await app.user.type(search, '1321');
    await waitFor(async () => expect(await rows()).toEqual(['word 1321']));
    await app.user.clear(search);
    await app.user.type(search, 'nothing');
    expect(await screen.findByText('Nothing found for this search.')).toBeVisible();
    await app.user.clear(search);

    await app.user.click(await field());
    await app.user.paste('one\ntwo\nthree');
    await app.user.click(await button('Block'));
    expect(await field()).toHaveAccessibleDescription(/^There is room for 2 more entries\./);
    expect(await field()).toHaveValue('one\ntwo\nthree');
    expect(app.server.requestsTo(changeValues)).toHaveLength(0);
    await app.user.click(await button('Show all 498'));
    expect(await rows()).toHaveLength(498);
  });

  test('that another administrator adds are shown without a reload', async () => {
    const app = await openSection('automatic');
    expect(await screen.findByText('Nothing is blocked here.')).toBeVisible();
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await setElsewhere(app, app.other.telegramId, { chat: { 'block:casino': {} } });

    await waitFor(async () => expect(await rows()).toEqual(['casino']));
  });
});

test('links stay that are allowed, until they are removed', async () => {
  const app = await openSection('automatic');
  await app.user.type(
    await screen.findByRole('textbox', { name: 'Links to allow' }),
    'Example.com',
  );
  await app.user.click(await button('Allow'));
  await waitFor(async () => expect(await storedInChat(app)).toEqual({ 'allow:example.com': true }));

  await app.user.click(await button('Remove: example.com'));

  await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
  expect(await screen.findByText('No links are allowed here.')).toBeVisible();
});

describe('answers to words', () => {
  const list = () => screen.findByRole('list', { name: 'Answers to words' });

  const openAnswering = () =>
    openSection('automatic', {
      topics: [0, 4],
      prepare: async (server) => {
        const content = await addContent(server, { text: 'Read the pinned message.' });
        await setByCommand(server, { 'filter:rules': { content, match: 'prefix' } });
      },
    });

  test('are listed with what they say, and removed with an undo', async () => {
    const app = await openAnswering();
    expect(within(await list()).getByText('Read the pinned message.')).toBeVisible();
    expect(within(await list()).getByText('at the beginning')).toBeVisible();
    expect((await inside('Answers to words')).getByText('1 of 150')).toBeVisible();

    await app.user.click(await button('Menu, rules'));
    await app.user.click(await screen.findByRole('menuitem', { name: 'Remove' }));

    expect(await screen.findByText('No answers here.')).toBeVisible();
    expect(await screen.findByText('No answer to “rules”')).toBeVisible();
    await app.user.click(await button('Undo'));
    expect(await screen.findByText('Read the pinned message.')).toBeVisible();
  });

  test('are written in the editor, for a topic', async () => {
    const app = await openAnswering();
    await app.user.selectOptions(await menuIn('Answers to words', 'Where'), 'Topic 4');
    await app.user.click(await button('Add an answer'));
    const dialog = within(await screen.findByRole('dialog', { name: 'New answer' }));

    await app.user.type(dialog.getByRole('textbox', { name: 'Word or phrase' }), 'Wi-Fi');
    await app.user.type(dialog.getByRole('textbox', { name: 'Text' }), 'The key is nori.');
    await app.user.selectOptions(
      dialog.getByRole('combobox', { name: 'Where it stands' }),
      'As the whole message',
    );
    await app.user.click(dialog.getByRole('button', { name: 'Save' }));

    await waitFor(async () =>
      expect((await storedValues(app))['4']).toEqual({
        'filter:wi-fi': { content: expect.any(String), match: 'exact' },
      }),
    );
    expect(within(await list()).getByText('The key is nori.')).toBeVisible();
  });

  test('keep what they say when their word is changed', async () => {
    const app = await openAnswering();
    await app.user.click(await button(/^rules/));
    const dialog = within(await screen.findByRole('dialog', { name: 'Answer to “rules”' }));
    const word = dialog.getByRole('textbox', { name: 'Word or phrase' });

    await app.user.clear(word);
    await app.user.type(word, 'law');
    await app.user.click(dialog.getByRole('button', { name: 'Save' }));

    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        'filter:law': { content: expect.any(String), match: 'prefix' },
      }),
    );
  });
});

describe('reactions', () => {
  test('are limited, and unwanted ones chosen by the keyboard', async () => {
    const app = await openSection('automatic');
    await app.user.selectOptions(await menuIn('Reactions', 'Limit'), '15 in a minute');
    (await button('Choose reactions')).focus();
    await app.user.keyboard('{Enter}');
    (await button('💩')).focus();
    await app.user.keyboard(' ');
    (await button('🖕')).focus();
    await app.user.keyboard(' ');

    expect(await button('💩')).toHaveAttribute('aria-pressed', 'true');
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        reaction_limit: 15,
        reactions_unwanted: ['💩', '🖕'],
      }),
    );
    await app.user.keyboard(' ');
    await waitFor(async () =>
      expect(await storedInChat(app)).toMatchObject({ reactions_unwanted: ['💩'] }),
    );
  });

  test('of custom emoji that a command has added can be allowed again', async () => {
    const app = await openSection('automatic', {
      prepare: (server) => setByCommand(server, { reactions_unwanted: ['5368324170671202286'] }),
    });

    await app.user.click(await button('Remove: Custom emoji 5368324170671202286'));

    await waitFor(async () => expect(await storedInChat(app)).toEqual({ reactions_unwanted: [] }));
  });

  test('have no settings where Telegram’s server cannot remove them', async () => {
    const health: ChatHealth = {
      bot: 'nori_bot',
      is_listening: true,
      is_in: true,
      may_delete: true,
      sees_all: true,
      is_forum: true,
      reactions: false,
      checked_at: 1,
    };
    await openSection('automatic', {
      onConnect: (network) => network.refuse(readChatHealth, { status: 200, body: health }),
    });

    await region('Floods');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Reactions' })).toBeNull());
  });
});
