/** The tab "Greetings" of a chat's settings. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { serviceKinds } from '#contract/chats/values';
import { readChatHealth } from '#contract/endpoints/chat-activity';
import { changeValues, readValues } from '#contract/endpoints/chat-values';
import {
  addContent,
  type App,
  openSection,
  setByCommand,
  setElsewhere,
  storedContents,
  storedValues,
} from '#tests/chat-sections';
import { button, notice, toggle, updateFailed } from '#tests/open-settings';

const find = (name: string) => screen.findByRole('switch', { name });
const menu = (name: string) => screen.findByRole<HTMLSelectElement>('combobox', { name });
const part = (name: string) => screen.findByRole('region', { name });
const textRow = async (name: string) =>
  within(await part(name)).findByRole('button', { name: /^Text/ });
const storedInChat = async (app: App) => (await storedValues(app))['chat'];

describe('the greeting', () => {
  test('is switched on, and seen by whom the group wants', async () => {
    const app = await openSection('greetings');
    expect(await find('Greet newcomers')).not.toBeChecked();
    expect(await menu('Who sees it')).toHaveDisplayValue('Everyone');
    expect(await menu('Deleted after')).toHaveDisplayValue('5 minutes');

    await app.user.click(await find('Greet newcomers'));
    await app.user.selectOptions(await menu('Who sees it'), 'Only the newcomer');
    await app.user.selectOptions(await menu('Deleted after'), '1 hour');

    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        welcome: true,
        welcome_to: 'newcomer',
        welcome_keep: 3600,
      }),
    );
    await app.user.selectOptions(await menu('Deleted after'), 'Never');
    await waitFor(async () =>
      expect(await storedInChat(app)).toMatchObject({ welcome_keep: 'off' }),
    );
  });

  test('can be deleted after a time that is typed', async () => {
    const app = await openSection('greetings');
    await app.user.selectOptions(await menu('Deleted after'), 'Another time...');
    await app.user.type(await screen.findByRole('textbox', { name: 'Time' }), '10s{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Please enter a time between 1 minute and 1 day, such as 2h.',
    );

    await app.user.clear(screen.getByRole('textbox', { name: 'Time' }));
    await app.user.keyboard('30m{Enter}');

    await waitFor(async () => expect(await storedInChat(app)).toEqual({ welcome_keep: 1800 }));
    expect(await menu('Deleted after')).toHaveDisplayValue('30 minutes');
  });

  test('has the bot’s own text until it is written', async () => {
    const app = await openSection('greetings');
    expect(await textRow('Welcome')).toHaveTextContent(
      'Hello {mention}, welcome to {chatname}!The bot’s own text.',
    );
    await app.user.click(await textRow('Welcome'));
    const field = await screen.findByRole('textbox', { name: 'Text' });
    expect(field).toHaveValue('Hello {mention}, welcome to {chatname}!');
    expect(screen.getByRole('figure')).toHaveTextContent('Hello Alex, welcome to Cat lovers!');

    await app.user.clear(field);
    await app.user.type(field, 'Hi!');
    await app.user.click(await button('Save'));

    await waitFor(async () => expect(await textRow('Welcome')).toHaveTextContent('TextHi!'));
    await waitFor(async () =>
      expect(await storedContents(app)).toEqual([{ text: 'Hi!', entities: [], buttons: [] }]),
    );
    await app.reload();
    expect(await textRow('Welcome')).toHaveTextContent('TextHi!');
  });

  test('gets the bot’s own text back, which can be undone', async () => {
    const app = await openSection('greetings', {
      prepare: async (testServer) =>
        setByCommand(testServer, {
          goodbye_content: await addContent(testServer, {
            text: 'Bye!',
            buttons: [[{ label: 'Rules', to: 'rules' }]],
          }),
        }),
    });
    expect(await textRow('Goodbye')).toHaveTextContent('TextBye!1 button');

    await app.user.click(await button('Use the bot’s own text'));
    expect(await textRow('Goodbye')).toHaveTextContent('Goodbye, {first}.');
    await app.user.click(await button('Undo'));

    await waitFor(async () => expect(await textRow('Goodbye')).toHaveTextContent('Bye!'));
    expect(await storedContents(app)).toHaveLength(1);
  });

  test('that another administrator writes appears, with its text', async () => {
    const app = await openSection('greetings');
    await textRow('Welcome');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await setElsewhere(app, app.other.telegramId, {
      chat: { welcome: true, welcome_content: await addContent(app.testServer, { text: 'Ahoy' }) },
    });

    await waitFor(() => expect(toggle('Greet newcomers')).toBeChecked());
    await waitFor(async () => expect(await textRow('Welcome')).toHaveTextContent('TextAhoy'));
    expect(await screen.findByText('Mara changed 2 settings')).toBeVisible();
  });

  test('that is refused is as it was', async () => {
    const app = await openSection('greetings');
    await find('Say goodbye to members who leave');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await find('Say goodbye to members who leave'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(toggle('Say goodbye to members who leave')).not.toBeChecked();
  });
});

describe('service messages', () => {
  test('are deleted one by one, or all', async () => {
    const app = await openSection('greetings');
    await app.user.click(await find('New members'));
    await app.user.click(await find('Video chats'));
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({ clean_service: ['join', 'video_chat'] }),
    );
    expect(toggle('All of them')).not.toBeChecked();

    await app.user.click(await find('All of them'));
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({ clean_service: [...serviceKinds] }),
    );
    expect(toggle('Pinned messages')).toBeChecked();
    await waitFor(() => expect(toggle('All of them')).not.toHaveAttribute('aria-disabled'));
    await app.user.click(await find('All of them'));

    await waitFor(async () => expect(await storedInChat(app)).toEqual({ clean_service: [] }));
    expect(toggle('Pinned messages')).not.toBeChecked();
  });

  test('need a right, which is named where the bot lacks it', async () => {
    const health = {
      bot: 'nori_test_bot',
      is_listening: true,
      is_in: true,
      may_delete: false,
      sees_all: true,
      is_forum: false,
      rights: ['restrict'],
      checked_at: 1,
    };
    await openSection('greetings', {
      onConnect: (network) => network.refuse(readChatHealth, { status: 200, body: health }),
    });

    expect(
      await within(await part('Service messages')).findByText(
        /^The bot needs the right “Delete messages” for this/,
      ),
    ).toBeVisible();
  });
});

test('greetings that cannot be read say so, and can be read again', async () => {
  const app = await openSection('greetings', {
    onConnect: (network) => network.refuse(readValues, { status: 400 }),
  });
  expect(await screen.findByText('The greetings could not be loaded.')).toBeVisible();

  app.server.heal(readValues);
  await app.user.click(await button('Try again'));

  expect(await find('Greet newcomers')).toBeVisible();
});
