/** The page of the account: what happened, sessions that are ended one by one, and the language of the bot. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { listAccountEvents } from '#contract/endpoints/account-events';
import { setAccountLanguage } from '#contract/endpoints/language';
import { endOneSession, login, readMe } from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import {
  button,
  isAlive,
  openAccount,
  type Opened,
  person,
  problem,
  question,
  rows,
} from '#tests/account';

const eventList = () => screen.findByRole('list', { name: 'What happened to your account' });
const events = async () => within(await eventList()).getAllByRole('listitem');

/** Answers the question about logging out the phone. */
async function answer({ user }: Opened, text: string) {
  const dialog = await question('Log out: Safari on iPhone');
  await user.click(within(dialog).getByRole('button', { name: text }));
}

describe('one session', () => {
  test('is ended after a question, while it is in use; the others go on', async () => {
    const app = await openAccount({ others: 1 });
    const [phone = ''] = app.elsewhere;

    await app.user.click(await screen.findByRole('button', { name: 'Log out: Safari on iPhone' }));
    await answer(app, 'Log out');

    expect(await screen.findByText('Safari on iPhone is logged out.')).toBeVisible();
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    const heading = screen.getByRole('heading', { name: 'Where you are logged in' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(await isAlive(app, phone)).toBe(false);
    expect(await isAlive(app, app.token)).toBe(true);
    expect(await within(await eventList()).findByText('A device was logged out')).toBeVisible();
  });

  test('goes on when the question is answered with Cancel', async () => {
    const app = await openAccount({ others: 1 });

    await app.user.click(await screen.findByRole('button', { name: 'Log out: Safari on iPhone' }));
    await answer(app, 'Cancel');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.server.requestsTo(endOneSession)).toHaveLength(0);
    expect(await rows()).toHaveLength(2);
  });

  test('that cannot be ended stays in the list, with the reason', async () => {
    const app = await openAccount({ others: 1 });
    app.server.refuse(endOneSession, { status: 500 });

    await app.user.click(await screen.findByRole('button', { name: 'Log out: Safari on iPhone' }));
    await answer(app, 'Log out');

    expect(await problem()).toHaveTextContent('The device could not be logged out.');
    expect(await rows()).toHaveLength(2);
  });

  test('has the first part of its address where the server knows it', async () => {
    const app = await openAccount({ others: 1 });
    await app.testServer.db
      .updateTable('sessions')
      .set({ address_prefix: '203.0.113.*' })
      .execute();
    await app.reload();

    expect((await rows()).map((row) => row.textContent)).toEqual([
      expect.stringContaining(', from 203.0.113.*This device'),
      expect.stringContaining(', from 203.0.113.*Log out'),
    ]);
  });

  test('of this device has no button, and on servers that cannot end one, none has', async () => {
    const app = await openAccount({ others: 1 });
    await screen.findByRole('button', { name: 'Log out: Safari on iPhone' });
    expect(screen.queryByRole('button', { name: 'Log out: Unknown device' })).toBeNull();

    const capabilities = ['auth.logout', 'auth.sessions'];
    app.server.refuse(readCapabilities, { status: 200, body: { capabilities } });
    await app.reload();

    expect(await rows()).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Log out: Safari on iPhone' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'What happened' })).toBeNull();
  });
});

describe('what happened', () => {
  const event = (kind: string, more: object = {}) => ({
    id: `${kind}${JSON.stringify(more)}`,
    at: '2026-03-02T12:30:00Z',
    kind,
    device: 'Chrome on Windows',
    address: '203.0.113.*',
    ...more,
  });

  test('is in plain sentences, the newest first', async () => {
    await openAccount({ others: 1 });

    const texts = (await events()).map((row) => row.textContent);

    expect(texts).toHaveLength(3);
    expect(texts.toSorted()).toEqual([
      expect.stringContaining('Account created'),
      expect.stringMatching(/^Login by OTP.*Unknown device/),
      expect.stringMatching(/^Login by password.*Safari on iPhone/),
    ]);
  });

  test('every kind has a sentence; what a newer server tells besides is left out', async () => {
    const app = await openAccount();
    app.server.refuse(listAccountEvents, {
      status: 200,
      body: {
        events: [
          event('login', { detail: 'telegram' }),
          event('login', { detail: 'passkey' }),
          event('login_failed', { times: 3 }),
          event('login_failed'),
          event('sessions_ended'),
          event('password_changed'),
          event('passkey_added', { detail: 'Phone' }),
          event('passkey_removed', { detail: 'Phone' }),
          event('linked', { detail: 'Spotify' }),
          event('unlinked', { detail: 'Spotify' }),
          event('export'),
          event('something_new'),
        ],
      },
    });
    await app.reload();
    await events();
    await app.user.click(button('Show all 11'));

    expect((await events()).map((row) => row.textContent)).toEqual([
      expect.stringMatching(
        /^Login by Telegram2 Mar 2026, \d\d:30Chrome on Windows, 203\.0\.113\.\*$/,
      ),
      expect.stringMatching(/^Login by passkey/),
      expect.stringMatching(/^3 logins with a wrong password/),
      expect.stringMatching(/^Login with a wrong password/),
      expect.stringMatching(/^All other devices were logged out/),
      expect.stringMatching(/^New password/),
      expect.stringMatching(/^Passkey added: Phone/),
      expect.stringMatching(/^Passkey removed: Phone/),
      expect.stringMatching(/^Spotify linked/),
      expect.stringMatching(/^Spotify unlinked/),
      expect.stringMatching(/^Your data exported/),
    ]);
  });

  test('shows the newest five, and all after a press, which keeps the focus', async () => {
    const app = await openAccount({ others: 6 });
    expect(await events()).toHaveLength(5);

    await app.user.click(button('Show all 8'));

    expect(await events()).toHaveLength(8);
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
    await waitFor(async () => expect(await eventList()).toHaveFocus());
  });

  test('that cannot be loaded can be loaded again, and the rest works meanwhile', async () => {
    const app = await openAccount();
    app.server.refuse(listAccountEvents, { status: 403, body: { detail: 'Not now.' } });
    await app.reload();
    expect(await screen.findByText('What happened could not be loaded.')).toBeVisible();
    expect(await rows()).toHaveLength(2);

    app.server.heal(listAccountEvents);
    await app.user.click(button('Try again'));

    expect(await events()).toHaveLength(3);
  });

  test('is nothing for an old account', async () => {
    const app = await openAccount();
    app.server.refuse(listAccountEvents, { status: 200, body: { events: [] } });
    await app.reload();

    expect(await screen.findByText('Nothing has happened in the last 90 days.')).toBeVisible();
  });
});

describe('a login elsewhere', () => {
  test('is in both lists, inside Telegram as well', async () => {
    const app = await openAccount({ others: 0, launch: true });
    expect(await rows()).toHaveLength(1);
    const typed = { telegram_id: String(person), password: 'not the password' };
    await app.testServer.call(login, typed);

    await app.reload();

    expect(await within(await eventList()).findByText('Login with a wrong password')).toBeVisible();
  });
});

describe('the language of the bot', () => {
  beforeEach(() => {
    vi.stubEnv('NORI_LANGUAGES', 'en,de');
    vi.stubEnv('NORI_LANGUAGE_NAMES', 'English,Deutsch');
  });
  afterEach(() => vi.unstubAllEnvs());

  const select = () => screen.findByRole('combobox', { name: 'The bot writes to you in' });

  test('is that of Telegram until the user chooses one, which the server keeps', async () => {
    const app = await openAccount();
    expect(await select()).toHaveDisplayValue('As in Telegram');

    await app.user.selectOptions(await select(), 'Deutsch');

    expect(await select()).toHaveDisplayValue('Deutsch');
    await waitFor(async () => {
      const { body } = await app.testServer.call(readMe, {}, { token: app.token });
      expect(body).toMatchObject({ language: 'de' });
    });
    await app.user.selectOptions(await select(), 'As in Telegram');
    await waitFor(async () => {
      const { body } = await app.testServer.call(readMe, {}, { token: app.token });
      expect(body).toMatchObject({ language: null });
    });
  });

  test('goes back when it cannot be saved, and the user is told', async () => {
    const app = await openAccount();
    await select();
    app.server.refuse(setAccountLanguage, { status: 500 });

    await app.user.selectOptions(await select(), 'Deutsch');

    expect(await screen.findByText(/The language could not be saved/)).toBeVisible();
    await waitFor(async () => expect(await select()).toHaveDisplayValue('As in Telegram'));
  });
});
