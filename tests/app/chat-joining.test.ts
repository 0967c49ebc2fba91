/** The tab "Joining" of a chat's settings: what newcomers do, raid protection, and who waits to be let in. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { type ChatHealth, readChatHealth } from '#contract/endpoints/chat-activity';
import { type Join, listJoins, settleJoin } from '#contract/endpoints/chat-joins';
import { changeValues, readValues } from '#contract/endpoints/chat-values';
import { type Network } from '#tests/app-server';
import {
  type App,
  openSection,
  setByCommand,
  storedValues,
  setServerClock,
} from '#tests/chat-sections';
import { button, cats, notice, updateFailed } from '#tests/open-settings';

const radio = (name: string) => screen.findByRole('radio', { name });
const menu = (name: string) => screen.findByRole<HTMLSelectElement>('combobox', { name });
const chosen = async (name: string) => (await menu(name)).selectedOptions[0]?.textContent;
const storedInChat = async (app: App) => (await storedValues(app))['chat'];

const health: ChatHealth = {
  bot: 'nori_bot',
  is_listening: true,
  is_in: true,
  may_delete: true,
  sees_all: true,
  is_forum: true,
  rights: ['delete', 'restrict', 'invite'],
  checked_at: 1,
};
const seeing = (seen: ChatHealth) => (network: Network) =>
  network.refuse(readChatHealth, { status: 200, body: seen });

afterEach(() => {
  vi.useRealTimers();
});

describe('the ready-made “Quiet start”', () => {
  test('says what it sets, sets it together, and can be undone', async () => {
    const app = await openSection('joining');
    const use = await button('Use: Quiet start');
    expect(use).toHaveAccessibleDescription(/press a button first.+8 messages within 10 seconds/);

    await app.user.click(use);

    expect(await radio('A button')).toBeChecked();
    expect(await button('In use: Quiet start')).toHaveFocus();
    expect(await screen.findByText('Quiet start: 2 settings changed.')).toBeVisible();
    expect(await storedInChat(app)).toEqual({
      captcha_mode: 'button',
      flood: { count: 8, seconds: 10 },
    });
    await app.user.click(await button('In use: Quiet start'));
    expect(app.server.requestsTo(changeValues)).toHaveLength(1);
    await app.user.click(await button('Undo'));
    await waitFor(async () => expect(await storedInChat(app)).toBeUndefined());
    expect(await radio('Nothing')).toBeChecked();
  });

  test('that is refused leaves all as it was', async () => {
    const app = await openSection('joining');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await button('Use: Quiet start'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await radio('Nothing')).toBeChecked();
    expect(await button('Use: Quiet start')).toBeVisible();
  });
});

describe('what newcomers do', () => {
  test('is chosen by the keyboard, with the time for it and what follows', async () => {
    const app = await openSection('joining');
    expect(screen.queryByRole('combobox', { name: 'Time for it' })).toBeNull();
    (await radio('Nothing')).focus();

    await app.user.keyboard('{ArrowDown}{ArrowDown}');

    expect(await radio('A task')).toBeChecked();
    expect(await screen.findByText('Asked of newcomers: a task')).toBeVisible();
    expect(await chosen('Time for it')).toBe('5 minutes');
    await app.user.selectOptions(await menu('Time for it'), '10 minutes');
    await app.user.selectOptions(await menu('When the time is over'), 'Keep muted');
    await waitFor(async () =>
      expect(await storedInChat(app)).toEqual({
        captcha_mode: 'task',
        captcha_seconds: 600,
        captcha_over: 'mute',
      }),
    );
  });

  test('lasts for a time that is typed, once it is one', async () => {
    const app = await openSection('joining', {
      prepare: (server) => setByCommand(server, { captcha_mode: 'button' }),
    });
    await app.user.selectOptions(await menu('Time for it'), 'Another time...');
    const field = await screen.findByRole('textbox', { name: 'Time' });

    await app.user.type(field, '2d{Enter}');
    expect(field).toHaveAccessibleDescription(/^Please enter a time between 1 minute and 1 day/);
    await app.user.clear(field);
    await app.user.type(field, '2m{Enter}');

    expect(await screen.findByText('Time to answer it: 2 minutes')).toBeVisible();
    expect(await chosen('Time for it')).toBe('2 minutes');
  });

  test('that is refused is as it was, with a message', async () => {
    const app = await openSection('joining');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await radio('A button'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await radio('Nothing')).toBeChecked();
  });

  test('names the right that the bot lacks for it', async () => {
    const app = await openSection('joining', {
      onConnect: seeing({ ...health, rights: ['delete', 'restrict'], guard: true }),
    });

    await app.user.click(await radio('The gate in Nori'));

    expect(
      await screen.findByText(/^The bot needs the right “Invite users” for this\./),
    ).toBeVisible();
  });

  test('says what to do for the gate, and when it is done', async () => {
    const gate = { captcha_mode: 'gate' };
    await openSection('joining', {
      prepare: (server) => setByCommand(server, gate),
      onConnect: seeing({ ...health, guard: false }),
    });
    const steps = await screen.findByRole('list', { name: /^For the gate to open at once/ });
    expect(within(steps).getByText('Switch “Approve new members” on.')).toBeVisible();
    // Who is not in yet can be neither removed nor muted.
    expect(screen.queryByRole('combobox', { name: 'When the time is over' })).toBeNull();

    await openSection('joining', {
      prepare: (server) => setByCommand(server, gate),
      onConnect: seeing({ ...health, guard: true }),
    });
    expect(
      await screen.findByText('The gate opens at once for people who ask to join.'),
    ).toBeVisible();
  });
});

describe('raid protection', () => {
  test('is switched on for the time that is chosen, and ended', async () => {
    const app = await openSection('joining');
    setServerClock(app);
    await app.user.selectOptions(await menu('How long it lasts'), '1 day');

    const before = Date.now();
    await app.user.click(await button('Switch on: raid protection'));

    expect(await screen.findByText(/^On until /)).toBeVisible();
    expect(await button('End: raid protection')).toHaveFocus();
    await waitFor(async () => expect((await storedInChat(app))?.['raid_until']).toBeDefined());
    const { raid_until: until } = (await storedInChat(app)) ?? {};
    expect(Number(until) - before).toBeGreaterThanOrEqual(86_400_000);
    await app.user.click(await button('End: raid protection'));
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ raid_seconds: 86_400 }));
    expect(screen.queryByText(/^On until /)).toBeNull();
  });

  test('whose time is over is off', async () => {
    await openSection('joining', {
      prepare: (server) => setByCommand(server, { raid_until: Date.now() - 1 }),
    });

    expect(await button('Switch on: raid protection')).toBeVisible();
  });

  test('begins by itself at a number of joins, which can be typed', async () => {
    const app = await openSection('joining');
    expect(await chosen('By itself')).toBe('Never');
    await app.user.selectOptions(await menu('By itself'), 'At 10 joins in a minute');
    await waitFor(async () => expect(await storedInChat(app)).toEqual({ raid_auto: 10 }));

    await app.user.selectOptions(await menu('By itself'), 'Another number...');
    const field = await screen.findByRole('textbox', { name: 'Number' });
    await app.user.type(field, '101{Enter}');
    expect(field).toHaveAccessibleDescription(/^Please enter a whole number between 3 and 100\./);
    await app.user.clear(field);
    await app.user.type(field, '42{Enter}');

    await waitFor(async () => expect(await storedInChat(app)).toEqual({ raid_auto: 42 }));
    expect(await menu('By itself')).toHaveFocus();
    expect(await chosen('By itself')).toBe('At 42 joins in a minute');
  });

  test('that is refused stays off', async () => {
    const app = await openSection('joining');
    app.server.refuse(changeValues, { status: 500 });

    await app.user.click(await button('Switch on: raid protection'));

    expect(await notice()).toHaveTextContent(updateFailed);
    expect(await button('Switch on: raid protection')).toBeVisible();
  });
});

describe('who waits to be let in', () => {
  const join = (id: number, name: string): Join => ({
    telegram_id: String(id),
    name,
    kind: 'button',
    started_at: Date.now(),
    due_at: Date.now() + 300_000,
  });
  const openWaiting = (joins: readonly Join[]) =>
    openSection('joining', {
      onConnect: (network) => network.refuse(listJoins, { status: 200, body: { joins } }),
    });
  const list = () => screen.findByRole('list', { name: 'Waiting to be let in' });

  test('is no one at first', async () => {
    await openSection('joining');

    expect(await screen.findByText('No one is waiting.')).toBeVisible();
  });

  test('is listed with what is asked of them, the first 20 at first', async () => {
    const app = await openWaiting([
      join(1, 'Ann'),
      { ...join(2, ''), kind: 'gate' },
      ...Array.from({ length: 300 }, (_join, index) => join(index + 10, `Raider ${index}`)),
    ]);
    expect(within(await list()).getAllByRole('listitem')).toHaveLength(20);
    expect(within(await list()).getByText('Telegram ID 2')).toBeVisible();
    expect(within(await list()).getByText(/^Gate in Nori, since /)).toBeVisible();

    await app.user.click(await button('Show all 302 people'));

    expect(within(await list()).getAllByRole('listitem')).toHaveLength(302);
  });

  test('is let in or turned away by a press, and leaves the list', async () => {
    const app = await openWaiting([join(1, 'Ann'), join(2, 'Bo')]);
    app.server.refuse(settleJoin, { status: 200, body: {} });
    const letIn = await button('Let in: Ann');
    app.server.refuse(listJoins, { status: 200, body: { joins: [join(2, 'Bo')] } });

    await app.user.click(letIn);

    await waitFor(() => expect(screen.queryByText('Ann')).toBeNull());
    expect(await list()).toHaveFocus();
    app.server.refuse(listJoins, { status: 200, body: { joins: [] } });
    await app.user.click(await button('Turn away: Bo'));
    expect(await screen.findByText('No one is waiting.')).toBeVisible();
    expect(app.server.requestsTo(settleJoin).map(({ body }) => body)).toEqual([
      { result: 'let_in' },
      { result: 'turn_away' },
    ]);
  });

  test('stays when Telegram refuses, with the reason', async () => {
    const app = await openWaiting([join(1, 'Ann')]);
    app.server.refuse(settleJoin, {
      status: 409,
      body: { code: 'telegram_refused', detail: 'Telegram does not allow this here.' },
    });

    await app.user.click(await button('Turn away: Ann'));

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Telegram does not allow this here.',
    );
    expect(await button('Let in: Ann')).toBeVisible();
  });

  test('is read again when someone comes or goes', async () => {
    const app = await openSection('joining');
    expect(await screen.findByText('No one is waiting.')).toBeVisible();
    await waitFor(() => expect(app.server.openStreams()).toBe(1));
    app.server.refuse(listJoins, { status: 200, body: { joins: [join(1, 'Ann')] } });

    app.testServer.services.chatEvents.publish(cats, { kind: 'join' });

    expect(await screen.findByText('Ann')).toBeVisible();
  });

  test('that cannot be read says so, and can be read again', async () => {
    const app = await openSection('joining', {
      onConnect: (network) => network.refuse(listJoins, { status: 400 }),
    });
    expect(await screen.findByText('Who is waiting could not be loaded.')).toBeVisible();

    app.server.heal(listJoins);
    await app.user.click(await button('Try again'));

    expect(await screen.findByText('No one is waiting.')).toBeVisible();
  });
});

test('what another administrator sets is shown without a reload', async () => {
  const app = await openSection('joining');
  expect(await radio('Nothing')).toBeChecked();
  await waitFor(() => expect(app.server.openStreams()).toBe(1));

  await setByCommand(app.testServer, { captcha_mode: 'task' }, app.other.telegramId);

  await waitFor(async () => expect(await radio('A task')).toBeChecked());
  expect(await screen.findByText('Mara changed 1 setting')).toBeVisible();
});

test('settings that cannot be read say so, and can be read again', async () => {
  const app = await openSection('joining', {
    onConnect: (network) => network.refuse(readValues, { status: 400 }),
  });
  expect(await screen.findByText('The settings could not be loaded.')).toBeVisible();

  app.server.heal(readValues);
  await app.user.click(await button('Try again'));

  expect(await radio('Nothing')).toBeChecked();
});
