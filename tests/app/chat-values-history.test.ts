/** The history of a chat's values, and copying them to other topics and chats. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { valuePresets } from '#contract/chats/value-presets';
import { changeValues, readValues, type StoredValues } from '#contract/endpoints/chat-values';
import { readCapabilities } from '#contract/endpoints/site';
import {
  addContent,
  type App,
  channel,
  openSection,
  setByCommand,
  storedValues,
} from '#tests/chat-sections';
import { giveChats } from '#tests/chats';
import { button, cats, choose } from '#tests/open-settings';

const person = 123456789;
const dogs = -1009876543210;

const day = 86_400;

/** The history, after each of these was set in a change of its own; the last is the newest. */
async function openHistory(
  changes: readonly StoredValues[],
  options: { readonly topics?: readonly number[] } = {},
) {
  const app = await openSection('locks', options);
  for (const values of changes) {
    await set(app, values);
  }
  await choose(app, 'History of changes');
  await screen.findByRole('heading', { level: 2, name: 'History of changes' });
  return app;
}

async function set(app: App, values: StoredValues, chatId = cats): Promise<void> {
  app.testServer.wait(1000);
  const change = { chat_id: chatId, kind: 'values', values } as const;
  const reply = await app.testServer.call(changeValues, change, { token: app.token });
  expect(reply.status).toBe(200);
}

const sentences = async () =>
  (await screen.findAllByRole('button', { name: /^Revert: / })).map((one) =>
    (one.closest('li')?.querySelector('p')?.textContent ?? '').trim(),
  );

async function revert(app: App, name: RegExp): Promise<void> {
  await app.user.click(await button(name));
  const question = await screen.findByRole('dialog', { name: 'Revert this change?' });
  await app.user.click(within(question).getByRole('button', { name: 'Revert' }));
}

describe('the history', () => {
  test('says in a sentence what a value became', async () => {
    await openHistory(
      [
        { chat: { warn_limit: 5 } },
        { chat: { warn_limit: 3, warn_action: { kind: 'mute', seconds: day } } },
        { chat: { warn_action: { kind: 'ban' } } },
        { chat: { warn_action: { kind: 'kick' } } },
        { chat: { warn_expiry: 'off' } },
        { chat: { warn_expiry: 7 * day } },
        { chat: { reports: false } },
        { chat: { reports: null } },
        { chat: { quiet_actions: true } },
        { chat: { trust_anonymous: true } },
        { chat: { log_categories: ['members', 'reports'] } },
        { chat: { log_categories: [] } },
        { chat: { 'off:report': true } },
        { '4': { 'off:report': true } },
        { '4': { 'off:report': null } },
      ],
      { topics: [0, 4] },
    );

    expect((await sentences()).toReversed()).toEqual([
      'You set warnings to 5',
      'You set warnings to 3, then mute for 1 day',
      'You chose what follows too many warnings: ban for good',
      'You chose what follows too many warnings: kick',
      'You let a warning count until it is taken back',
      'You let a warning count for 1 week',
      'You switched reports by members off',
      'You switched reports by members on',
      'You made answers about bans and the like visible to the administrator alone',
      'You let anonymous administrators act at once',
      'You chose what is noted in the log: What is done to members, Reports',
      'You chose that nothing is noted in the log',
      'You switched /report off in the whole chat',
      'You switched /report off in Topic 4',
      'You switched /report on in Topic 4',
    ]);
    expect(screen.queryByRole('button', { name: /^Show \d/ })).toBeNull();
  });

  test('names who has set something by a command, and the channel', async () => {
    const app = await openSection('locks');
    await setByCommand(app.testServer, { log_channel: channel }, app.other.telegramId);
    await choose(app, 'History of changes');

    expect(await sentences()).toEqual(['Mara made Log of the cats the log channel']);
    expect(screen.getByText('Log of the cats', { selector: 'bdi' })).toBeVisible();
  });

  test('shows several values line by line, and ready-made rules by their name', async () => {
    const app = await openSection('locks');
    await set(app, { chat: { reports: false, warn_limit: 7, 'off:admins': true } });
    app.testServer.wait(1000);
    await app.testServer.call(
      changeValues,
      {
        chat_id: cats,
        kind: 'preset',
        preset: 'strict',
        values: { chat: { ...valuePresets.strict } },
      },
      { token: app.token },
    );
    await choose(app, 'History of changes');

    expect(await sentences()).toEqual([
      'You applied “Strict” in the whole chat: 3 settings',
      'You changed 3 settings in the whole chat',
    ]);
    const [, older] = await screen.findAllByRole('button', { name: 'Show 3 settings' });
    await app.user.click(older ?? document.body);
    const lines = within(older?.closest('li') ?? document.body).getAllByRole('definition');
    expect(lines.map((one) => one.textContent)).toEqual([
      'Limit of warnings: 7',
      'Members may not report messages',
      '/admins: off',
    ]);
    expect(screen.getByRole('term')).toHaveTextContent('The whole chat');
  });

  test('reverts values, which can be undone', async () => {
    const app = await openHistory([{ chat: { warn_limit: 5, reports: false } }]);

    await revert(app, /^Revert: You changed 2 settings/);

    expect(await screen.findByText('Reverted: 2 settings.')).toBeVisible();
    expect(await storedValues(app)).toEqual({});
    expect(await sentences()).toContain('You reverted 2 settings in the whole chat');
    await app.user.click(await button('Undo'));
    await waitFor(async () =>
      expect(await storedValues(app)).toEqual({ chat: { warn_limit: 5, reports: false } }),
    );
  });

  test('leaves what was changed again', async () => {
    const app = await openHistory([
      { chat: { warn_limit: 5, reports: false } },
      { chat: { warn_limit: 6 } },
    ]);

    await revert(app, /^Revert: You changed 2 settings/);

    expect(await screen.findByText(/^Reverted: 1 setting\. 1 setting changed again/)).toBeVisible();
    expect(await storedValues(app)).toEqual({ chat: { warn_limit: 6 } });
  });

  test('of a removed channel gives it back', async () => {
    const app = await openSection('locks', {
      prepare: (testServer) => setByCommand(testServer, { log_channel: channel }),
    });
    await set(app, { chat: { log_channel: null } });
    await choose(app, 'History of changes');

    await revert(app, /^Revert: You removed the log channel/);

    await waitFor(async () =>
      expect(await storedValues(app)).toEqual({ chat: { log_channel: channel } }),
    );
  });
});

describe('copying', () => {
  const title = 'Copy the settings of General';
  const dialog = () => screen.findByRole('dialog', { name: title });
  const box = (name: string) => screen.findByRole('checkbox', { name });
  const press = async (app: App, name: string | RegExp) =>
    app.user.click(within(await dialog()).getByRole('button', { name }));
  /** Rules, a log channel and switched-off commands in "Cat lovers", and a second chat. */
  async function openCopying() {
    const app = await openSection('locks', {
      topics: [0, 4],
      prepare: async (testServer) => {
        await giveChats(testServer, person, [
          { id: dogs, name: 'Dog walkers', topics: [0, 5], isDemo: false },
        ]);
        await setByCommand(testServer, {
          warn_limit: 7,
          log_channel: channel,
          'off:admins': true,
        });
      },
    });
    await set(app, { '0': { 'off:report': true } });
    await set(app, { chat: { reports: false } }, dogs);
    await choose(app, 'Copy to..., General', 'Menu, General');
    return app;
  }

  test('to another chat takes along all but the log channel, after a preview', async () => {
    const app = await openCopying();
    await app.user.click(await button(/^Dog walkers/));
    await app.user.click(await box('General, Dog walkers'));
    await app.user.click(await box('Settings of the whole chat'));
    await press(app, 'Preview');

    expect(await screen.findByText('3 changes')).toBeVisible();
    await app.user.click(screen.getByText('The whole chat: 3 changes'));
    const lines = screen.getAllByRole('listitem').map((one) => one.textContent);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Limit of warnings: 7',
        'Members may report messages',
        '/admins: off',
      ]),
    );
    await press(app, 'Change 3 settings');

    expect(await screen.findByText('General copied: 3 settings changed.')).toBeVisible();
    expect(await storedValues(app, dogs)).toEqual({ chat: { warn_limit: 7, 'off:admins': true } });
    await app.user.click(await button('Undo'));
    await waitFor(async () =>
      expect(await storedValues(app, dogs)).toEqual({ chat: { reports: false } }),
    );
  });

  test('to other topics takes along the commands that are switched off', async () => {
    const app = await openCopying();
    await app.user.click(await box('Topic 4, Cat lovers'));
    await app.user.click(await box('Commands, blocked words and answers of General'));
    // The rules of the chat itself are the same.
    await app.user.click(await box('Settings of the whole chat'));
    await press(app, 'Preview');
    await app.user.click(await screen.findByText('Topic 4, commands and words: 1 change'));
    expect(screen.getByText('/report: off')).toBeVisible();

    await press(app, 'Change 1 setting');

    await waitFor(async () =>
      expect((await storedValues(app))['4']).toEqual({ 'off:report': true }),
    );
  });

  test('leaves what goes on for a time, and takes along blocked words, answers and what they say', async () => {
    const app = await openSection('locks', {
      topics: [0, 4],
      prepare: async (testServer) => {
        await giveChats(testServer, person, [
          { id: dogs, name: 'Dog walkers', topics: [0], isDemo: false },
        ]);
        const content = await addContent(testServer, { text: 'Read the rules.' });
        await setByCommand(testServer, {
          attack: { since: Date.now(), until: Date.now() + 3_600_000 },
          raid_until: Date.now() + 3_600_000,
          'filter:rules': { content, match: 'exact' },
        });
      },
    });
    await set(app, { '0': { 'block:casino': {} } });
    const copyToDogs = async () => {
      await choose(app, 'Copy to..., General', 'Menu, General');
      await app.user.click(await button(/^Dog walkers/));
      await app.user.click(await box('General, Dog walkers'));
      await app.user.click(await box('Settings of the whole chat'));
      await app.user.click(await box('Commands, blocked words and answers of General'));
      await press(app, 'Preview');
    };

    await copyToDogs();
    await press(app, 'Change 2 settings');

    await screen.findByText('General copied: 2 settings changed.');
    const stored = await storedValues(app, dogs);
    expect(stored).toEqual({
      chat: { 'filter:rules': { content: expect.any(String), match: 'exact' } },
      '0': { 'block:casino': {} },
    });
    await copyToDogs();
    expect(await screen.findByText(/^Nothing to change/)).toBeVisible();
  });

  test('that is refused says so, and can be tried again', async () => {
    const app = await openCopying();
    await app.user.click(await box('Topic 4, Cat lovers'));
    await app.user.click(await box('Commands, blocked words and answers of General'));
    await press(app, 'Preview');
    await screen.findByText('Topic 4, commands and words: 1 change');
    app.server.refuse(changeValues, { status: 500 });
    await press(app, 'Change 1 setting');
    expect(await screen.findByText('Could not be copied. Please try again.')).toBeVisible();

    app.server.heal(changeValues);
    await press(app, 'Try again');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await storedValues(app))['4']).toEqual({ 'off:report': true });
  });

  test('whose values cannot be read stays at the choice', async () => {
    const app = await openCopying();
    await app.user.click(await button(/^Dog walkers/));
    await app.user.click(await box('General, Dog walkers'));
    await app.user.click(await box('Settings of the whole chat'));
    app.server.refuse(readValues, { status: 400 });
    await press(app, 'Preview');

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Not all chosen chats could be read. Please try again.',
    );
    expect(await box('General, Dog walkers')).toBeChecked();
  });

  test('on a backend without values offers the settings alone', async () => {
    const app = await openSection('locks', {
      onConnect: (network) =>
        network.refuse(readCapabilities, { status: 200, body: { capabilities: ['chats.care'] } }),
    });
    await choose(app, 'Copy to..., General', 'Menu, General');
    await dialog();

    expect(screen.queryByRole('checkbox', { name: 'Settings of the whole chat' })).toBeNull();
  });
});
