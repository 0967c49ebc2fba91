/** Passkeys on the page of the account and on the login screen. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { loginWithPasskey, requestPasskeyLogin } from '#contract/endpoints/passkey-login';
import { addPasskey, requestConfirmationCode } from '#contract/endpoints/passkeys';
import { readCapabilities } from '#contract/endpoints/site';
import {
  boxes,
  button,
  fillInLogin,
  isAlive,
  openAccount,
  openLogin,
  passwordField,
  person,
  problem,
  question,
  typeCode,
} from '#tests/account';
import { addPasskeyTo, createAuthenticator, installPasskeys, readPasskeys } from '#tests/passkeys';
import { renderApp, startServer } from '#tests/render-app';
import { goodPassword, minute } from '#tests/test-server';

const section = () => screen.findByRole('region', { name: 'Passkeys' });
const list = () => screen.findByRole('list', { name: 'Your passkeys' });
const names = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map((row) => row.querySelector('bdi')?.textContent);

/** The page of a person who has a passkey on this device, named "My phone". */
async function openWithPasskey({ isHere = true, launch = false } = {}) {
  const server = await startServer();
  const token = await server.signUp(person);
  const authenticator = createAuthenticator();
  await addPasskeyTo(server, authenticator, { token, name: 'My phone' });
  const user = isHere ? installPasskeys(authenticator) : undefined;
  const app = await renderApp('/account', {
    server,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person } } : {}),
  });
  await screen.findByRole('heading', { name: 'Your account' });
  return { ...app, token, elsewhere: [], authenticator, browser: user };
}

describe('logging in', () => {
  async function openLoginWithPasskey() {
    const server = await startServer();
    const token = await server.signUp(person);
    const authenticator = createAuthenticator();
    await addPasskeyTo(server, authenticator, { token });
    const browser = installPasskeys(authenticator);
    const app = await renderApp('/login', { server });
    await screen.findByRole('heading', { name: 'Log in' });
    const press = async () =>
      app.user.click(await screen.findByRole('button', { name: 'Log in with a passkey' }));
    return { ...app, browser, authenticator, press };
  }

  test('needs no ID and no password', async () => {
    const { press } = await openLoginWithPasskey();

    await press();

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    expect(localStorage.getItem('telegram_id')).toBe(String(person));
    expect(localStorage.getItem('accessToken')).not.toBeNull();
  });

  test('a closed question says nothing, loses nothing, and can be opened again', async () => {
    const app = await openLoginWithPasskey();
    await fillInLogin(app, { password: 'half of' });
    app.browser.isCancelling = true;

    await app.press();

    await waitFor(() => expect(app.server.requestsTo(requestPasskeyLogin)).toHaveLength(1));
    await waitFor(() => expect(button('Log in with a passkey')).toBeEnabled());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(passwordField()).toHaveValue('half of');
    app.browser.isCancelling = false;
    await app.press();
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('a passkey that was removed is not known here', async () => {
    const app = await openLoginWithPasskey();
    await app.testServer.db.deleteFrom('passkeys').execute();

    await app.press();

    expect(await problem()).toHaveTextContent(
      'This passkey is not known here. It may have been removed.',
    );
  });

  test('a server that does not answer is no fault of the passkey', async () => {
    const app = await openLoginWithPasskey();
    app.server.drop(loginWithPasskey);

    await app.press();

    expect(await problem()).toHaveTextContent('The login did not work. Please try again.');
  });

  test('is offered neither by a browser nor by a server without passkeys, nor inside Telegram', async () => {
    const app = await openLogin();
    await waitFor(() => expect(app.server.requestsTo(readCapabilities).length).toBeGreaterThan(0));
    expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
  });
});

describe('adding', () => {
  test('needs the password, and names the passkey as typed', async () => {
    const app = await openAccount();
    installPasskeys(createAuthenticator());
    await app.reload();
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Add a passkey' }));

    await app.user.type(part.getByLabelText('Name'), 'My phone');
    await app.user.click(part.getByRole('button', { name: 'Continue' }));
    expect(await problem()).toHaveTextContent('All fields are required');
    await app.user.type(part.getByLabelText('Password'), goodPassword);
    await app.user.click(part.getByRole('button', { name: 'Continue' }));

    expect(await part.findByText('My phone was added. You can now log in with it.')).toBeVisible();
    expect(await names()).toEqual(['My phone']);
    expect(await isAlive(app, app.elsewhere[0] ?? '')).toBe(true);
  });

  test('a wrong password adds nothing, and what was typed stays', async () => {
    const app = await openAccount();
    const authenticator = createAuthenticator();
    installPasskeys(authenticator);
    await app.reload();
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    await app.user.type(part.getByLabelText('Name'), 'My phone');
    await app.user.type(part.getByLabelText('Password'), 'not my password');

    await app.user.click(part.getByRole('button', { name: 'Continue' }));

    expect(await problem()).toHaveTextContent('This is not your current password.');
    expect(part.getByLabelText('Name')).toHaveValue('My phone');
    expect(authenticator.stored).toEqual([]);
  });

  test('the question of the browser can be opened again after it was closed, without another proof', async () => {
    const app = await openAccount();
    const browser = installPasskeys(createAuthenticator());
    browser.isCancelling = true;
    await app.reload();
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    await app.user.type(part.getByLabelText('Password'), goodPassword);
    await app.user.click(part.getByRole('button', { name: 'Continue' }));

    expect(await part.findByText('No passkey was made yet.')).toBeVisible();
    browser.isCancelling = false;
    await app.user.click(part.getByRole('button', { name: 'Make the passkey' }));

    expect(await part.findByText(/was added/)).toBeVisible();
    expect(app.server.requestsTo(addPasskey)).toHaveLength(1);
  });

  test('a form that was opened is closed again without a trace', async () => {
    const app = await openWithPasskey();
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    await app.user.click(part.getByRole('button', { name: 'Cancel' }));
    expect(part.queryByLabelText('Name')).toBeNull();
    expect(part.getByRole('heading', { name: 'Passkeys' })).toHaveFocus();

    await app.user.click(part.getByRole('button', { name: 'Remove My phone' }));
    await app.user.click(part.getByRole('button', { name: 'Cancel' }));
    expect(part.queryByRole('button', { name: 'Remove passkey' })).toBeNull();
    expect(await names()).toEqual(['My phone']);
  });

  test('a device that has one says so', async () => {
    const app = await openWithPasskey();
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    await app.user.click(part.getByRole('button', { name: 'Use a passkey' }));

    expect(await problem()).toHaveTextContent(
      'This device already has a passkey for your account.',
    );
    expect(await names()).toEqual(['My phone']);
  });

  test('inside Telegram the list is shown, and where to add one', async () => {
    await openWithPasskey({ launch: true });

    const part = within(await section());
    expect(await part.findByText('To add one, open Nori in a browser.')).toBeVisible();
    expect(await names()).toEqual(['My phone']);
    expect(part.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });

  test('a server without passkeys has no section', async () => {
    const server = await startServer({ variables: { PUBLIC_URL: 'https://203.0.113.7' } });
    await renderApp('/account', { server, as: person });

    expect(await screen.findByRole('region', { name: 'Delete account' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Passkeys' })).toBeNull();
  });
});

describe('removing', () => {
  test('a lost passkey goes by a code of the bot', async () => {
    const app = await openWithPasskey({ isHere: false });
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Remove My phone' }));
    await app.user.click(part.getByRole('button', { name: 'Send me a code' }));

    expect(await part.findByText('The bot has sent you a 6-digit code on Telegram.')).toBeVisible();
    expect(part.getByRole('button', { name: 'Resend OTP' })).toBeDisabled();
    await app.user.click(part.getByRole('button', { name: 'Remove passkey' }));
    expect(await problem()).toHaveTextContent('Please enter the complete 6-digit OTP');
    await typeCode(app, app.testServer.readCode(person));
    await app.user.click(part.getByRole('button', { name: 'Remove passkey' }));

    expect(await part.findByText('My phone was removed.')).toBeVisible();
    expect(await readPasskeys(app.testServer, app.token)).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Your passkeys' })).toBeNull());
  });

  test('a wrong code removes nothing, and the boxes are empty again', async () => {
    const app = await openWithPasskey({ isHere: false });
    const part = within(await section());
    await app.user.click(await part.findByRole('button', { name: 'Remove My phone' }));
    await app.user.click(part.getByRole('button', { name: 'Send me a code' }));
    await part.findByText('The bot has sent you a 6-digit code on Telegram.');
    const code = app.testServer.readCode(person);
    await typeCode(app, code === '123456' ? '123457' : '123456');
    await app.user.click(part.getByRole('button', { name: 'Remove passkey' }));

    expect(await problem()).toHaveTextContent('Invalid or expired verification code');
    expect(boxes().map(({ value }) => value)).toEqual(['', '', '', '', '', '']);
    await waitFor(() => expect(boxes()[0]).toHaveFocus());
    expect(await names()).toEqual(['My phone']);
  });
});

describe('deleting the account', () => {
  const deletion = async () =>
    within(await screen.findByRole('region', { name: 'Delete account' }));

  async function agree({ user }: Awaited<ReturnType<typeof openWithPasskey>>) {
    const dialog = await question('Delete account');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  }

  test('by a passkey, after a question', async () => {
    const app = await openWithPasskey();
    const part = await deletion();
    await app.user.click(await part.findByRole('button', { name: 'Use a passkey' }));
    await agree(app);

    expect(await screen.findByText('Your account is deleted.')).toBeVisible();
    expect(await isAlive(app, app.token)).toBe(false);
  });

  test('a closed question of the browser deletes nothing', async () => {
    const app = await openWithPasskey();
    if (app.browser) {
      app.browser.isCancelling = true;
    }
    const part = await deletion();
    await app.user.click(await part.findByRole('button', { name: 'Use a passkey' }));
    await agree(app);

    await waitFor(() => expect(part.getByRole('button', { name: 'Use a passkey' })).toBeEnabled());
    expect(app.server.requestsTo(deleteAccount)).toHaveLength(0);
    expect(part.queryByRole('alert')).toBeNull();
    expect(await isAlive(app, app.token)).toBe(true);
  });

  test('by a code of the bot, and the password can still be used instead', async () => {
    const app = await openWithPasskey({ isHere: false });
    const part = await deletion();
    await app.user.click(await part.findByRole('button', { name: 'Send me a code' }));
    await part.findByText('The bot has sent you a 6-digit code on Telegram.');
    await app.user.click(part.getByRole('button', { name: 'Use my password' }));
    expect(part.getByLabelText('Password')).toBeVisible();
    await app.user.click(part.getByRole('button', { name: 'Send me a code' }));
    await part.findByText('The bot has sent you a 6-digit code on Telegram.');
    await typeCode(app, app.testServer.readCode(person));
    await app.user.click(part.getByRole('button', { name: 'Delete Account' }));
    await agree(app);

    expect(await screen.findByText('Your account is deleted.')).toBeVisible();
    expect(app.server.requestsTo(requestConfirmationCode)).toHaveLength(2);
  });

  test('without a password, the code is the first way', async () => {
    const server = await startServer();
    const token = await server.signUp(person);
    await server.db
      .updateTable('people')
      .set({ password_hash: server.deps.hasher.unmatchableHash })
      .execute();
    await renderApp('/account', { server, as: { telegramId: person, token } });
    const part = await deletion();

    await waitFor(() => expect(part.queryByLabelText('Password')).toBeNull());
    expect(part.getByRole('button', { name: 'Send me a code' })).toBeVisible();
    expect(part.queryByRole('button', { name: 'Delete Account' })).toBeNull();
  });

  test('inside Telegram a launch that is too old asks to reopen, or for a code', async () => {
    const app = await openWithPasskey({ launch: true });
    app.testServer.wait(61 * minute);
    const part = await deletion();
    expect(part.queryByLabelText('Password')).toBeNull();
    await app.user.click(part.getByRole('button', { name: 'Delete Account' }));
    await waitFor(() =>
      expect(app.bridge?.sent.some(({ name }) => name === 'web_app_open_popup')).toBe(true),
    );
    app.bridge?.emit('popup_closed', { button_id: 'confirm' });

    expect(await problem()).toHaveTextContent(/Close Nori and open it again from Telegram/);
    expect(part.getByRole('button', { name: 'Send me a code' })).toBeVisible();
    expect(await isAlive(app, app.token)).toBe(true);
  });
});
