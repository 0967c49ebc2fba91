/** The tab "Moderation" of a chat's settings: what warnings lead to. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { type ChatHealth, chatActivity, readChatHealth } from '#contract/endpoints/chat-activity';
import { changeValues, readValues } from '#contract/endpoints/chat-values';
import { readChat } from '#contract/endpoints/chats';
import { readCapabilities } from '#contract/endpoints/site';
import { type App, openSection, setByCommand, storedValues } from '#tests/chat-sections';
import { button, cats, notice, openSettings, toggle, updateFailed } from '#tests/open-settings';

const tab = (name: string) => screen.findByRole('tab', { name });
const menu = (name: string) => screen.findByRole<HTMLSelectElement>('combobox', { name });
const radio = (name: string) => screen.findByRole('radio', { name });
const limit = async () =>
  within(await screen.findByRole('group', { name: 'Limit' })).getByRole('status');

const storedInChat = async (app: Pick<App, 'testServer' | 'token'>) =>
  (await storedValues(app))['chat'];

describe('the tabs', () => {
  test('lead from the locks to the moderation and back, and a reload keeps the tab', async () => {
    const app = await openSettings();
    expect(await tab('Locks')).toHaveAttribute('aria-selected', 'true');

    await app.user.click(await tab('Moderation'));

    expect(await screen.findByRole('heading', { name: 'Warnings' })).toBeVisible();
    expect(window.location.search).toBe(`?chat=${cats}&section=moderation`);
    expect(screen.queryByRole('switch', { name: 'photo, General' })).toBeNull();
    expect(screen.getByRole('tabpanel', { name: 'Moderation' })).toBeVisible();

    await app.reload();
    expect(await screen.findByRole('heading', { name: 'Warnings' })).toBeVisible();
    await app.user.click(await tab('Locks'));
    await waitFor(() => expect(toggle()).toBeVisible());
    expect(window.location.search).toBe(`?chat=${cats}`);
  });

  test('are reached and chosen by the keyboard, and keep the topic of the address', async () => {
    const app = await openSettings({ path: `/dashboard?chat=${cats}&topic=4`, topics: [0, 4] });
    (await tab('Locks')).focus();

    await app.user.keyboard('{ArrowRight}');
    expect(await tab('Moderation')).toHaveFocus();
    expect(window.location.search).toBe(`?chat=${cats}&topic=4&section=moderation`);
    await app.user.keyboard('{End}');
    expect(await screen.findByRole('heading', { name: 'Log channel' })).toBeVisible();
    await app.user.keyboard('{Home}');

    await waitFor(() => expect(toggle('photo, Topic 4')).toBeVisible());
    expect(await tab('Locks')).toHaveFocus();
    expect(window.location.search).toBe(`?chat=${cats}&topic=4`);
  });

  test('are missing on a backend that has no values, whose locks are shown at any address', async () => {
    const app = await openSettings();
    // The first page reads once more when it hears of changes.
    await waitFor(() => expect(app.server.requestsTo(readChat).length).toBeGreaterThan(1));
    await waitFor(() => expect(app.server.requestsTo(readValues).length).toBeGreaterThan(0));
    const before = app.server.requestsTo(readValues).length;
    app.server.refuse(readCapabilities, { status: 404 });
    // The page that is still open does not go there, as it knows of values.
    window.history.replaceState(null, '', `/dashboard?chat=${cats}&section=moderation`);
    await app.reload();

    await waitFor(() => expect(toggle()).toBeVisible());
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByRole('tabpanel')).toBeNull();
    expect(app.server.requestsTo(readValues)).toHaveLength(before);
  });
});

describe('the limit of warnings', () => {
  test('is shown at once, stored, and can be undone', async () => {
    const app = await openSection('moderation');
    expect(await limit()).toHaveTextContent('3');
    const release = app.server.hang(changeValues);

    await app.user.click(await button('One warning more'));
    expect(await limit()).toHaveTextContent('4');
    expect(await storedInChat(app)).toBeUndefined();
    release();

    expect(await screen.findByText('Limit of warnings: 4')).toBeVisible();
    expect(await storedInChat(app)).toEqual({ warn_limit: 4 });
    await app.user.click(await button('Undo'));
    expect(await screen.findByText('Undone: everything is as it was.')).toBeVisible();
    expect(await limit()).toHaveTextContent('3');
    expect(await storedInChat(app)).toBeUndefined();
  });

  test('that is pressed quickly ends with the last value, and one undo takes all back', async () => {
    const app = await openSection('moderation');
    const release = app.server.hang(changeValues);
    for (const shown of ['4', '5', '6']) {
      await app.user.click(await button('One warning more'));
      expect(await limit()).toHaveTextContent(shown);
    }
    release();

    expect(await screen.findByText('Limit of warnings: 6')).toBeVisible();
    expect(await storedInChat(app)).toEqual({ warn_limit: 6 });
    expect(app.server.requestsTo(changeValues)).toHaveLength(2);
    await app.user.click(await button('One warning fewer'));
    expect(await screen.findByText('Limit of warnings: 5')).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);

    await app.user.click(await button('Undo'));
    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    expect(await limit()).toHaveTextContent('3');
  });

  test('that was only tried out leaves nothing to undo', async () => {
    const app = await openSection('moderation', {
      prepare: (testServer) => setByCommand(testServer, { warn_limit: 3 }),
    });
    await app.user.click(await button('One warning more'));
    await screen.findByText('Limit of warnings: 4');

    await app.user.click(await button('One warning fewer'));

    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    expect(await storedInChat(app)).toEqual({ warn_limit: 3 });
  });

  test('stays between 1 and 20', async () => {
    const app = await openSection('moderation', {
      prepare: (testServer) => setByCommand(testServer, { warn_limit: 19 }),
    });
    await app.user.click(await button('One warning more'));
    expect(await button('One warning more')).toHaveAttribute('aria-disabled', 'true');
    await app.user.click(await button('One warning more'));

    expect(await limit()).toHaveTextContent('20');
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ warn_limit: 20 }));
  });

  test('that is refused is as it was, with a message', async () => {
    const app = await openSection('moderation');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await button('One warning more'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await limit()).toHaveTextContent('3');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('whose answer is lost is read again', async () => {
    const app = await openSection('moderation');
    await limit();
    app.server.lose(changeValues);

    await app.user.click(await button('One warning more'));

    expect(await notice()).toHaveTextContent(updateFailed);
    await waitFor(async () => expect(await limit()).toHaveTextContent('4'));
  });
});

describe('what happens at the limit', () => {
  test('is a mute, a ban, or a kick, which has no end', async () => {
    const app = await openSection('moderation');
    expect(await menu('At the limit')).toHaveValue('mute');
    expect((await menu('For how long')).selectedOptions[0]).toHaveTextContent('1 day');

    await app.user.selectOptions(await menu('At the limit'), 'Ban');
    await app.user.selectOptions(await menu('For how long'), 'For good');
    expect(await screen.findByText('At the limit: ban for good')).toBeVisible();
    expect(await storedInChat(app)).toEqual({ warn_action: { kind: 'ban' } });

    await app.user.selectOptions(await menu('At the limit'), 'Kick');
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({ warn_action: { kind: 'kick' } }),
    );
    expect(screen.queryByRole('combobox', { name: 'For how long' })).toBeNull();
  });

  test('lasts for a time that is typed, once it is one', async () => {
    const app = await openSection('moderation');
    await app.user.selectOptions(await menu('For how long'), 'Another time...');
    const field = await screen.findByRole('textbox', { name: 'Time' });
    expect(field).toHaveAccessibleDescription(/^Such as 30m, 2h, 3d or 1w/);

    for (const wrong of ['29s', '367d', 'tomorrow', '']) {
      await app.user.clear(field);
      await app.user.type(field, `${wrong}{Enter}`);
      expect(field).toHaveFocus();
      expect(field).toHaveAccessibleDescription(/^Please enter a time between 30 seconds/);
    }
    expect(app.server.requestsTo(changeValues)).toHaveLength(0);
    await app.user.clear(field);
    await app.user.type(field, '1d 12h');
    await app.user.click(await button('Set'));

    expect(await screen.findByText('At the limit: mute for 1 day, 12 hours')).toBeVisible();
    expect(await menu('For how long')).toHaveFocus();
    expect((await menu('For how long')).selectedOptions[0]).toHaveTextContent('1 day, 12 hours');
    expect(await storedInChat(app)).toEqual({
      warn_action: { kind: 'mute', seconds: 36 * 3600 },
    });
  });
});

test('a warning lasts as long as is chosen, or until it is taken back', async () => {
  const app = await openSection('moderation');
  expect((await menu('A warning lasts')).selectedOptions[0]).toHaveTextContent('30 days');

  await app.user.selectOptions(await menu('A warning lasts'), 'Until taken back');
  expect(await screen.findByText('A warning counts until it is taken back')).toBeVisible();
  expect(await storedInChat(app)).toEqual({ warn_expiry: 'off' });
  await app.user.selectOptions(await menu('A warning lasts'), '1 year');

  await waitFor(async () => expect(await storedInChat(app)).toEqual({ warn_expiry: 365 * 86_400 }));
});

describe('ready-made rules', () => {
  test('say what they set, set it together, and can be undone', async () => {
    const app = await openSection('moderation');
    expect(await radio('Usual')).toBeChecked();
    expect(await radio('Strict')).toHaveAccessibleDescription(
      '2 warnings, then ban for good. Each counts for 90 days.',
    );

    await app.user.click(await radio('Strict'));

    expect(await radio('Strict')).toBeChecked();
    expect(await limit()).toHaveTextContent('2');
    expect(await menu('At the limit')).toHaveValue('ban');
    expect(await screen.findByText('Strict: 3 settings changed.')).toBeVisible();
    expect(await storedInChat(app)).toEqual({
      warn_limit: 2,
      warn_action: { kind: 'ban' },
      warn_expiry: 90 * 86_400,
    });
    await app.user.click(await button('Undo'));
    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    expect(await radio('Usual')).toBeChecked();
  });

  test('that are refused leave all as it was', async () => {
    const app = await openSection('moderation');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await radio('Patient'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await radio('Usual')).toBeChecked();
    expect(await limit()).toHaveTextContent('3');
  });

  test('that were changed in part are none of them', async () => {
    await openSection('moderation', {
      prepare: (testServer) => setByCommand(testServer, { warn_limit: 7 }),
    });

    expect(await radio('Usual')).not.toBeChecked();
    expect(screen.queryByRole('radio', { checked: true })).toBeNull();
  });
});

test('rules that cannot be read say so, and can be read again', async () => {
  const app = await openSection('moderation', {
    onConnect: (network) => network.refuse(readValues, { status: 400 }),
  });
  expect(await screen.findByText('The rules could not be loaded.')).toBeVisible();

  app.server.heal(readValues);
  await app.user.click(await button('Try again'));

  expect(await limit()).toHaveTextContent('3');
});

describe('what another administrator sets', () => {
  test('by a command is shown without a reload, with a notice that names her', async () => {
    const app = await openSection('moderation');
    expect(await limit()).toHaveTextContent('3');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));
    const reads = app.server.requestsTo(readValues).length;

    await setByCommand(app.testServer, { warn_limit: 9 }, app.other.telegramId);

    await waitFor(async () => expect(await limit()).toHaveTextContent('9'));
    expect(await screen.findByText('Mara changed 1 setting')).toBeVisible();
    expect(app.server.requestsTo(readValues)).toHaveLength(reads);
  });

  test('does not overwrite a choice that is on its way, and the last write counts', async () => {
    const app = await openSection('moderation');
    expect(await limit()).toHaveTextContent('3');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));
    const release = app.server.hang(changeValues);
    await app.user.click(await button('One warning more'));

    await setByCommand(app.testServer, { warn_limit: 9 }, app.other.telegramId);
    await screen.findByText('Mara changed 1 setting');
    expect(await limit()).toHaveTextContent('4');
    release();

    await waitFor(async () => expect(await storedInChat(app)).toEqual({ warn_limit: 4 }));
    expect(await limit()).toHaveTextContent('4');
  });

  test('is not taken back by an undo of what was set here before', async () => {
    const app = await openSection('moderation');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));
    await app.user.click(await button('One warning more'));
    await screen.findByText('Limit of warnings: 4');
    await setByCommand(app.testServer, { warn_limit: 9 }, app.other.telegramId);
    await waitFor(async () => expect(await limit()).toHaveTextContent('9'));

    await app.user.click(await button('Undo'));

    expect(await screen.findByText(/^Undone, except for 1 setting/)).toBeVisible();
    expect(await storedInChat(app)).toEqual({ warn_limit: 9 });
  });

  test('on another device of this user is shown without a notice', async () => {
    const app = await openSection('moderation');
    expect(await limit()).toHaveTextContent('3');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await setByCommand(app.testServer, { warn_limit: 9 });

    await waitFor(async () => expect(await limit()).toHaveTextContent('9'));
    expect(screen.queryByText(/changed 1 setting/)).toBeNull();
  });
});

describe('a right that the bot lacks', () => {
  const health: ChatHealth = {
    bot: 'nori_bot',
    is_listening: true,
    is_in: true,
    may_delete: true,
    sees_all: true,
    is_forum: true,
    rights: ['delete', 'restrict'],
    checked_at: 1,
  };
  const openWith = (seen: ChatHealth) =>
    openSection('moderation', {
      onConnect: (network) => network.refuse(readChatHealth, { status: 200, body: seen }),
    });
  const missing =
    'The bot needs the right “Ban users” for this. Give it to the bot in the list of administrators.';

  test('is named, with what to do', async () => {
    await openWith({ ...health, rights: ['delete'] });
    expect(await screen.findByText(missing)).toBeVisible();
  });

  test('is not named while the bot has it, and where an older server does not say', async () => {
    for (const seen of [health, { ...health, rights: undefined }]) {
      await openWith(seen);
      expect(await screen.findByRole('button', { name: 'All good' })).toBeVisible();
      await limit();
      expect(screen.queryByText(missing)).toBeNull();
    }
  });
});

test('a server with values alone has the rules without the lists', async () => {
  await openSection('moderation', {
    onConnect: (network) =>
      network.refuse(readCapabilities, {
        status: 200,
        body: { capabilities: [chatActivity, 'chats.values'] },
      }),
  });

  expect(await limit()).toHaveTextContent('3');
  expect(screen.queryByRole('heading', { name: 'What was done' })).toBeNull();
});

describe('bans in other chats', () => {
  test('are shared by a switch, also by the keyboard, and a refusal switches it back', async () => {
    const app = await openSettings();
    await app.user.click(await tab('Moderation'));
    const share = await screen.findByRole('switch', { name: 'Share bans' });
    expect(share).not.toBeChecked();

    share.focus();
    await app.user.keyboard(' ');
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ shared_bans: true }));
    expect(share).toBeChecked();

    app.server.refuse(changeValues, { status: 500 });
    await waitFor(() => expect(share).toBeEnabled());
    await app.user.click(share);
    await waitFor(() => expect(share).toBeChecked());
  });
});
