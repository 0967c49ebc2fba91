/** Logging in and signing up inside Telegram: the ID is known, and Telegram's main button replaces ours. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { register, verifyOtp } from '#contract/endpoints/account';
import { login, loginWithTelegram } from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import {
  boxes,
  button,
  fillInSignup,
  idField,
  newcomer,
  type OpenApp,
  openVerification,
  passwordField,
  person,
  problem,
  typeCode,
} from '#tests/account';
import { renderApp, startServer } from '#tests/render-app';
import { goodPassword } from '#tests/test-server';

const launch = { telegramId: newcomer, firstName: 'Mika' };

/** The last event of this type that the page has sent to Telegram. */
function lastSent({ bridge }: OpenApp, name: string): unknown {
  return bridge?.sent.findLast((event) => event.name === name)?.data;
}

const mainButton = (app: OpenApp) => lastSent(app, 'web_app_setup_main_button');

async function pressMainButton(app: OpenApp): Promise<void> {
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: true, is_active: true }));
  app.bridge?.emit('main_button_pressed');
}

function haptics({ bridge }: OpenApp): unknown[] {
  return (bridge?.sent ?? [])
    .filter(({ name }) => name === 'web_app_trigger_haptic_feedback')
    .map(({ data }) => data);
}

const notification = (kind: string) => ({ type: 'notification', notification_type: kind });

test('launch data says that it is the user who registers, so that the codes of strangers do not count', async () => {
  const server = await startServer();
  const details = { email: 'x@example.org', password: goodPassword };
  await server.call(register, { telegram_id: String(newcomer), ...details });
  const strangers = server.inbox.length;
  const app = await renderApp('/signup', { launch, server });
  await screen.findByRole('heading', { name: 'Create Account' });
  await fillInSignup(app);
  await waitFor(() => expect(app.server.requestsTo(readCapabilities)).toHaveLength(1));

  await pressMainButton(app);

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  expect(server.inbox).toHaveLength(strangers + 1);
  expect(app.server.requestsTo(register)[0]?.body).toHaveProperty('init_data');
  await typeCode(app);
  await pressMainButton(app);
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test('a new user is greeted, with the ID filled in, and signs up with the main button', async () => {
  const app = await renderApp('/dashboard', { launch });

  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
  expect(screen.getByText(/^Hi Mika, nice to meet you!/)).toBeVisible();
  expect(idField()).toHaveValue(String(newcomer));
  expect(idField()).toHaveAttribute('readonly');
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();

  await fillInSignup(app);
  await waitFor(() => expect(mainButton(app)).toMatchObject({ text: 'Continue' }));
  await pressMainButton(app);

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Verify OTP' })).toBeNull();
  await waitFor(() => expect(mainButton(app)).toMatchObject({ text: 'Verify OTP' }));
  expect(lastSent(app, 'web_app_setup_closing_behavior')).toEqual({ need_confirmation: true });

  await typeCode(app);
  await pressMainButton(app);

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(haptics(app)).toEqual([notification('success')]);
  await waitFor(() => {
    expect(lastSent(app, 'web_app_setup_closing_behavior')).toEqual({ need_confirmation: false });
  });
  expect(localStorage.getItem('telegram_id')).toBe(String(newcomer));
});

test('another user than the one who opened the app can log in', async () => {
  const app = await renderApp('/signup', { launch });
  await screen.findByRole('heading', { name: 'Create Account' });
  await waitFor(() => expect(idField()).toHaveAttribute('readonly'));

  await app.user.click(button('Not you?'));

  expect(idField()).not.toHaveAttribute('readonly');
  expect(idField()).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Not you?' })).toBeNull();
  await app.user.keyboard('42');
  expect(idField()).toHaveValue('42');
});

test('logging in by password: the ID is filled in, and the main button shows the progress', async () => {
  const testServer = await startServer();
  await testServer.signUp(person);
  const app = await renderApp('/', { server: testServer, launch: { telegramId: newcomer } });
  await waitFor(() => expect(app.server.requestsTo(loginWithTelegram)).toHaveLength(1));
  app.goTo('/login');
  await screen.findByRole('heading', { name: 'Log in' });
  expect(idField()).toHaveValue(String(newcomer));
  expect(screen.queryByRole('button', { name: 'Log In' })).toBeNull();
  const answer = app.server.hang(login);

  await app.user.click(button('Not you?'));
  await app.user.clear(idField());
  await app.user.type(idField(), String(person));
  await app.user.type(passwordField(), goodPassword);
  await waitFor(() => expect(mainButton(app)).toMatchObject({ text: 'Log In' }));
  await pressMainButton(app);

  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({ is_progress_visible: true, is_active: false }),
  );
  app.bridge?.emit('main_button_pressed');
  answer();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(app.server.requestsTo(login)).toHaveLength(1);
  expect(localStorage.getItem('telegram_id')).toBe(String(person));
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: false }));
});

test('Enter in a field submits, though the form has no button of its own', async () => {
  const app = await renderApp('/signup', { launch });
  await screen.findByRole('heading', { name: 'Create Account' });
  await waitFor(() => expect(idField()).toHaveAttribute('readonly'));

  await fillInSignup(app);
  await app.user.keyboard('{Enter}');

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  expect(app.server.requestsTo(register)).toHaveLength(1);
});

test('a failed submit gives haptic feedback, whether the page or the server refused', async () => {
  const app = await renderApp('/signup', { launch });
  await screen.findByRole('heading', { name: 'Create Account' });
  await waitFor(() => expect(idField()).toHaveAttribute('readonly'));

  await pressMainButton(app);
  await problem();
  expect(haptics(app)).toEqual([notification('error')]);

  app.server.refuse(register, { status: 500 });
  await fillInSignup(app);
  await pressMainButton(app);
  await screen.findByText('Registration failed. Please try again.');
  expect(haptics(app)).toEqual([notification('error'), notification('error')]);
});

test('a wrong code gives haptic feedback, too', async () => {
  const app = await renderApp('/signup', { launch });
  await screen.findByRole('heading', { name: 'Create Account' });
  await waitFor(() => expect(idField()).toHaveAttribute('readonly'));
  await fillInSignup(app);
  await pressMainButton(app);
  await screen.findByRole('heading', { name: 'Verify OTP' });
  app.server.refuse(verifyOtp, { status: 400, body: { detail: 'No.' } });

  await app.user.click(boxes()[0]!);
  await app.user.keyboard('111111');
  await waitFor(() => expect(mainButton(app)).toMatchObject({ text: 'Verify OTP' }));
  await pressMainButton(app);

  expect(await problem()).toHaveTextContent(/^No\.$/);
  expect(haptics(app)).toEqual([notification('error')]);
});

test('the link to the bot opens in Telegram', async () => {
  const app = await renderApp('/signup', {
    launch,
    onConnect: (network) =>
      network.refuse(readCapabilities, {
        status: 200,
        body: { capabilities: ['bot'], bot_username: 'bot_of_the_server' },
      }),
  });
  await screen.findByRole('heading', { name: 'Create Account' });
  await waitFor(() => expect(idField()).toHaveAttribute('readonly'));
  await fillInSignup(app);
  await pressMainButton(app);

  await app.user.click(await screen.findByRole('link', { name: 'Open the bot' }));

  expect(lastSent(app, 'web_app_open_tg_link')).toMatchObject({ path_full: '/bot_of_the_server' });
});

test('a user with an account is signed in without a form', async () => {
  const testServer = await startServer();
  await testServer.signUp(person);
  const app = await renderApp('/login', { server: testServer, launch: { telegramId: person } });

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(app.server.requestsTo(login)).toHaveLength(0);
  expect(haptics(app)).toEqual([]);
});

test('in a browser nothing is filled in or locked, there is no haptic feedback, and the buttons are ours', async () => {
  const app = await openVerification();

  expect(app.bridge).toBeUndefined();
  expect(button('Verify OTP')).toBeVisible();
  window.history.back();
  await screen.findByRole('heading', { name: 'Create Account' });
  expect(screen.queryByRole('button', { name: 'Not you?' })).toBeNull();
  expect(screen.queryByText(/^Hi/)).toBeNull();
});
