/** The tab "Log and commands" of a chat's settings. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { switchableCommands } from '#contract/chats/values';
import { isOffered } from '#contract/commands/index';
import { readCommands } from '#contract/endpoints/bot-commands';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { changeValues, pickLogChannel, readValues } from '#contract/endpoints/chat-values';
import { readCapabilities } from '#contract/endpoints/site';
import {
  type App,
  channel,
  openSection,
  setByCommand,
  setElsewhere,
  storedValues,
} from '#tests/chat-sections';
import { button, notice, toggle, updateFailed } from '#tests/open-settings';

const find = (name: string) => screen.findByRole('switch', { name });
const storedInChat = async (app: App) => (await storedValues(app))['chat'];
const withChannel = {
  prepare: (testServer: App['testServer']) => setByCommand(testServer, { log_channel: channel }),
};

describe('the log channel', () => {
  test('is chosen outside Telegram in steps, and nothing can be noted until then', async () => {
    await openSection('log');

    expect(await screen.findByText('No channel yet')).toBeVisible();
    const steps = within(screen.getByRole('list', { name: 'How to choose a channel' }))
      .getAllByRole('listitem')
      .map((step) => step.textContent);
    expect(steps).toEqual([
      'Make the bot an administrator of the channel.',
      'Write /setlog in the channel.',
      'Forward that message to this group.',
    ]);
    expect(screen.queryByRole('button', { name: /^Choose a channel/ })).toBeNull();
    expect(await find('What is done to members')).toBeDisabled();
    expect(screen.getByText('Choose a channel first.')).toBeVisible();
  });

  test('that a command sets appears without a reload', async () => {
    const app = await openSection('log');
    await screen.findByText('No channel yet');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await setByCommand(app.testServer, { log_channel: channel }, app.other.telegramId);

    expect(await screen.findByText('Log of the cats')).toBeVisible();
    expect(await screen.findByText('Mara changed 1 setting')).toBeVisible();
    expect(await find('What is done to members')).toBeEnabled();
    expect(screen.queryByText('Choose a channel first.')).toBeNull();
  });

  test('that a command sets while the tab is read for the first time appears, too', async () => {
    const app = await openSection('log');
    await screen.findByText('No channel yet');
    localStorage.removeItem('nori_last_seen');
    const answer = app.server.hang(readValues, {
      status: 200,
      body: { values: {}, contents: {} },
    });
    await app.reload();
    await waitFor(() => expect(app.server.requestsTo(readValues)).toHaveLength(2));
    await waitFor(() => expect(app.server.openStreams()).toBe(1));
    await setByCommand(app.testServer, { log_channel: channel }, app.other.telegramId);
    expect(await screen.findByText('Mara changed 1 setting')).toBeVisible();

    answer();

    expect(await screen.findByText('Log of the cats')).toBeVisible();
  });

  test('is removed, which can be undone', async () => {
    const app = await openSection('log', withChannel);
    // For another channel the steps are the same.
    expect(await screen.findByRole('list', { name: 'How to choose a channel' })).toBeVisible();

    await app.user.click(await button('Remove the channel'));

    expect(await screen.findByText('No channel yet', { exact: true })).toBeVisible();
    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    await app.user.click(await button('Undo'));
    expect(await screen.findByText('Log of the cats')).toBeVisible();
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ log_channel: channel }));
  });

  test('that cannot be removed stays', async () => {
    const app = await openSection('log', withChannel);
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await button('Remove the channel'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await screen.findByText('Log of the cats')).toBeVisible();
  });

  test('notes what is switched on', async () => {
    const app = await openSection('log', withChannel);
    expect(await find('Changes of settings')).toBeChecked();

    await app.user.click(await find('Changes of settings'));
    await waitFor(async () =>
      expect((await storedInChat(app))?.['log_categories']).toEqual([
        'members',
        'reports',
        'messages',
      ]),
    );
    app.server.refuse(changeValues, { status: 500 });
    await app.user.click(await find('Deleted messages'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(toggle('Deleted messages')).toBeChecked();
    expect(toggle('Changes of settings')).not.toBeChecked();
  });
});

describe('a channel of the list of the Telegram client', () => {
  const offered = [chatActivity, 'chats.values', 'chats.log-pick'];

  async function openPicking() {
    const app = await openSection('log', {
      launch: true,
      onConnect: (network) => {
        network.refuse(readCapabilities, { status: 200, body: { capabilities: offered } });
        network.refuse(pickLogChannel, { status: 200, body: { request_id: 'req-9' } });
      },
    });
    await button(/^Choose a channel/);
    return app;
  }

  /** What the client reports after the user has chosen. */
  function answerPick({ bridge }: App, answer: (data: unknown) => readonly [string, unknown]) {
    if (bridge) {
      bridge.answers['web_app_request_chat'] = answer;
    }
  }

  test('is the log channel as soon as it has arrived', async () => {
    const app = await openPicking();
    answerPick(app, (data) => {
      void setByCommand(app.testServer, { log_channel: channel });
      return ['requested_chat_sent', data];
    });

    await app.user.click(await button(/^Choose a channel/));

    expect(await screen.findByText('Log of the cats')).toBeVisible();
    expect(await button(/^Choose another channel/)).toBeVisible();
    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_request_chat',
      data: { req_id: 'req-9' },
    });
  });

  test('that is not chosen after all changes nothing', async () => {
    const app = await openPicking();
    answerPick(app, (data) => ['requested_chat_failed', data]);

    await app.user.click(await button(/^Choose a channel/));

    await waitFor(async () =>
      expect(await button(/^Choose a channel/)).not.toHaveTextContent('Waiting'),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('No channel yet')).toBeVisible();
  });

  test('that Telegram cannot share, or the server refuses, shows an error', async () => {
    const app = await openPicking();
    answerPick(app, () => ['requested_chat_failed', { req_id: 'req-9', error: 'UNSUPPORTED' }]);
    await app.user.click(await button(/^Choose a channel/));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Telegram could not share the channel. Please try again.',
    );

    const detail = 'The bot may not show you your groups yet.';
    app.server.refuse(pickLogChannel, { status: 403, body: { code: 'bot_not_started', detail } });
    await app.user.click(await button(/^Choose a channel/));

    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(detail));
  });
});

describe('answers and reports', () => {
  test('are switched one by one, and kept', async () => {
    const app = await openSection('log');
    expect(await find('Members may report messages')).toBeChecked();
    expect(await find('Quiet answers')).not.toBeChecked();
    expect(await find('Quiet answers')).toHaveAccessibleDescription(
      'Answers about bans and the like are seen by the administrator alone.',
    );

    await app.user.click(await find('Members may report messages'));
    await app.user.click(await find('Quiet answers'));
    await app.user.click(await find('Trust anonymous administrators'));

    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        reports: false,
        quiet_actions: true,
        trust_anonymous: true,
      }),
    );
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    await app.reload();
    expect(await find('Members may report messages')).not.toBeChecked();
    expect(await find('Trust anonymous administrators')).toBeChecked();
  });

  test('that are refused are as they were', async () => {
    const app = await openSection('log');
    await find('Quiet answers');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await find('Quiet answers'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(toggle('Quiet answers')).not.toBeChecked();
  });
});

describe('commands for members', () => {
  const withoutServices = switchableCommands.filter((id) => isOffered(id, new Set()));
  const where = () => screen.findByRole('combobox', { name: 'Where' });
  const listed = async () =>
    within(await screen.findByRole('region', { name: 'Commands for members' })).getAllByRole(
      'switch',
    );

  test('are those of this server: one whose service is not connected is not there', async () => {
    await openSection('log');

    expect(await listed()).toHaveLength(withoutServices.length);
    expect(screen.queryByRole('switch', { name: 'Connect accounts' })).toBeNull();
  });

  test('include one whose service is connected', async () => {
    await openSection('log', {
      onConnect: (network) =>
        network.refuse(readCommands, { status: 200, body: { commands: ['link'] } }),
    });

    expect(await find('Connect accounts')).toBeChecked();
    expect(await listed()).toHaveLength(withoutServices.length + 1);
  });

  test('are switched off for the whole chat', async () => {
    const app = await openSection('log');
    expect(await find('Administrators')).toHaveAccessibleDescription(/^\/admins: /);
    // A chat with one topic has nothing to choose.
    expect(screen.queryByRole('combobox', { name: 'Where' })).toBeNull();

    await app.user.click(await find('Administrators'));
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ 'off:admins': true }));
    expect(toggle('Administrators')).not.toBeChecked();
    await waitFor(() => expect(toggle('Administrators')).not.toHaveAttribute('aria-disabled'));
    await app.user.click(await find('Administrators'));

    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    expect(toggle('Administrators')).toBeChecked();
  });

  test('are switched off in a topic, where those of the whole chat stay off', async () => {
    const app = await openSection('log', {
      topics: [0, 4],
      prepare: (testServer) => setByCommand(testServer, { 'off:admins': true }),
    });
    await app.user.selectOptions(await where(), 'Topic 4');

    expect(await find('Administrators')).toBeDisabled();
    expect(await find('Administrators')).toHaveAccessibleDescription(
      'Switched off in the whole chat.',
    );
    await app.user.click(await find('Report'));
    await waitFor(async () =>
      expect(await storedValues(app)).toEqual({
        chat: { 'off:admins': true },
        '4': { 'off:report': true },
      }),
    );

    await app.user.selectOptions(await where(), 'General');
    expect(await find('Report')).toBeChecked();
    await app.user.selectOptions(await where(), 'The whole chat');
    expect(await find('Report')).toBeChecked();
    expect(await find('Administrators')).not.toBeChecked();
  });

  test('that another administrator switches in a topic follow', async () => {
    const app = await openSection('log', { topics: [0, 4] });
    await app.user.selectOptions(await where(), 'Topic 4');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await setElsewhere(app, app.other.telegramId, { '4': { 'off:report': true } });

    await waitFor(() => expect(toggle('Report')).not.toBeChecked());
    expect(await screen.findByText('Mara changed 1 setting')).toBeVisible();
  });
});

test('settings that cannot be read say so, and can be read again', async () => {
  const app = await openSection('log', {
    onConnect: (network) => network.refuse(readValues, { status: 400 }),
  });
  expect(await screen.findByText('The settings could not be loaded.')).toBeVisible();

  app.server.heal(readValues);
  await app.user.click(await button('Try again'));

  expect(await screen.findByText('No channel yet')).toBeVisible();
});
