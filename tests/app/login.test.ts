/** Logging in: the form, and where it leads. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { login, requestLoginCode } from '#contract/endpoints/session';
import {
  boxes,
  button,
  fillInLogin,
  idField,
  logInButton,
  main,
  newcomer,
  type OpenApp,
  openLogin,
  passwordField,
  person,
  pressTwice,
  problem,
  shownCode,
  tryWrongPasswords,
  typeCode,
} from '#tests/account';
import { renderApp, startServer } from '#tests/render-app';
import { goodPassword } from '#tests/test-server';

test('logs in and goes to the dashboard', async () => {
  const app = await openLogin();

  await fillInLogin(app);
  await app.user.click(logInButton());

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(localStorage.getItem('accessToken')).toMatch(/\S{20,}/);
  expect(localStorage.getItem('telegram_id')).toBe(String(person));
  expect(app.server.requestsTo(login)).toHaveLength(1);
});

test('Enter logs in, too, and spaces around the ID are ignored', async () => {
  const app = await openLogin();

  await fillInLogin(app, { id: ` ${person} ` });
  await app.user.keyboard('{Enter}');

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(localStorage.getItem('telegram_id')).toBe(String(person));
});

test('goes on to the address that was opened first', async () => {
  const testServer = await startServer();
  await testServer.signUp(person);
  const app = await renderApp('/dashboard?step=add', { server: testServer });
  await screen.findByRole('heading', { name: 'Log in' });

  await fillInLogin(app);
  await app.user.click(logInButton());

  await waitFor(() => expect(window.location.search).toBe('?step=add'));
  expect(window.location.pathname).toBe('/dashboard');
});

test.each([
  { typed: {}, focused: 'Telegram User ID', wrong: ['Telegram User ID', 'Password'] },
  { typed: { id: String(person) }, focused: 'Password', wrong: ['Password'] },
  { typed: { password: 'secret' }, focused: 'Telegram User ID', wrong: ['Telegram User ID'] },
])('missing $wrong: says so once and focuses the first', async ({ typed, focused, wrong }) => {
  const app = await openLogin();

  if ('id' in typed) {
    await app.user.type(idField(), typed.id);
  }
  if ('password' in typed) {
    await app.user.type(passwordField(), typed.password);
  }
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent(/^All fields are required$/);
  expect(screen.getAllByText('All fields are required')).toHaveLength(1);
  await waitFor(() => expect(screen.getByLabelText(focused)).toHaveFocus());
  for (const label of wrong) {
    expect(screen.getByLabelText(label)).toBeInvalid();
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/^All fields are required/);
  }
  expect(app.server.requestsTo(login)).toHaveLength(0);
});

test('an ID that is not a number is refused before a request is sent', async () => {
  const app = await openLogin();

  await fillInLogin(app, { id: '@nori' });
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent('A Telegram user ID is a number');
  expect(idField()).toBeInvalid();
  expect(passwordField()).toBeValid();
  expect(app.server.requestsTo(login)).toHaveLength(0);
});

test('shows and hides the password, and keeps the caret', async () => {
  const app = await openLogin();
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  const toggle = screen.getByRole('button', { name: 'Show password' });

  await app.user.type(field, 'caret here');
  field.setSelectionRange(3, 5);
  expect(field).toHaveAttribute('type', 'password');
  expect(toggle).toHaveAttribute('aria-pressed', 'false');

  await app.user.click(toggle);

  expect(field).toHaveAttribute('type', 'text');
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  expect([field.selectionStart, field.selectionEnd]).toEqual([3, 5]);

  await app.user.click(toggle);

  expect(field).toHaveAttribute('type', 'password');
  expect(field).toHaveValue('caret here');
});

test('password managers and phones recognise the fields', async () => {
  await openLogin();

  expect(idField()).toHaveAttribute('autocomplete', 'username');
  expect(idField()).toHaveAttribute('inputmode', 'numeric');
  expect(passwordField()).toHaveAttribute('autocomplete', 'current-password');
  expect(idField()).toHaveAttribute('id', 'telegram-id');
  expect(passwordField()).toHaveAttribute('id', 'password');
});

test('a password can be pasted', async () => {
  const app = await openLogin();

  await app.user.type(idField(), String(person));
  await app.user.click(passwordField());
  await app.user.paste(goodPassword);
  await app.user.click(logInButton());

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test('during the request nothing can be pressed again', async () => {
  const app = await openLogin();
  const answer = app.server.hang(login);

  await fillInLogin(app);
  pressTwice(logInButton());

  await waitFor(() => expect(logInButton()).toHaveAttribute('aria-busy', 'true'));
  expect(logInButton()).toHaveTextContent('Logging in...');
  expect(logInButton()).toBeDisabled();
  expect(idField()).toBeDisabled();
  await waitFor(() => expect(app.server.requestsTo(login)).toHaveLength(1));

  answer();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(app.server.requestsTo(login)).toHaveLength(1);
});

test('leads to signing up', async () => {
  const app = await openLogin();

  await app.user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Sign up' }));

  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
  expect(window.location.pathname).toBe('/signup');
});

test('a user who is logged in goes to the dashboard', async () => {
  await renderApp('/login', { as: person });

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

const loginCodes = ({ testServer }: OpenApp) =>
  testServer.inbox.filter(({ text }) => text.includes('log in to Nori'));

describe('after many wrong passwords that strangers have tried', () => {
  async function openCodeStep(): Promise<OpenApp> {
    const app = await openLogin();
    await tryWrongPasswords(app.testServer);
    await fillInLogin(app);
    await app.user.click(logInButton());
    expect(await problem()).toHaveTextContent(
      /^Many wrong passwords were tried for this ID today\./,
    );
    // The part with the code is loaded now.
    await screen.findByRole('button', { name: 'Send OTP' });
    return app;
  }

  test('a code of the bot opens the account, and what was typed stays', async () => {
    const app = await openCodeStep();
    expect(idField()).toHaveValue(String(person));
    expect(passwordField()).toHaveValue(goodPassword);

    await app.user.click(button('Send OTP'));
    expect(
      await screen.findByText('If the password is right, a 6-digit OTP is on its way.'),
    ).toBeVisible();
    await waitFor(() => expect(boxes()[0]).toHaveFocus());
    await waitFor(() => expect(loginCodes(app)).toHaveLength(1));
    const code = app.testServer.readCode(person);

    await typeCode(app, code === '000000' ? '000001' : '000000');
    await app.user.click(logInButton());
    expect(await problem()).toHaveTextContent(/^Invalid or expired verification code$/);
    expect(shownCode()).toBe('......');
    await waitFor(() => expect(boxes()[0]).toHaveFocus());
    expect(passwordField()).toHaveValue(goodPassword);

    await app.user.keyboard(code);
    await app.user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('an incomplete code is not sent, and another one can be asked for', async () => {
    const app = await openCodeStep();
    await app.user.click(button('Send OTP'));
    await waitFor(() => expect(boxes()[0]).toHaveFocus());
    app.server.requests.length = 0;

    await typeCode(app, '123');
    await app.user.click(logInButton());
    expect(await problem()).toHaveTextContent(/^Please enter the complete 6-digit OTP$/);
    expect(shownCode()).toBe('123...');
    await app.user.click(button('Send another OTP'));

    await waitFor(() => expect(loginCodes(app)).toHaveLength(2));
    await waitFor(() => expect(shownCode()).toBe('......'));
    expect(app.server.requestsTo(requestLoginCode)).toHaveLength(1);
    expect(app.server.requestsTo(login)).toHaveLength(0);
  });

  test('a code that could not be sent is said, and another ID needs none', async () => {
    const app = await openCodeStep();
    app.server.drop(requestLoginCode);

    await app.user.click(button('Send OTP'));
    expect(await problem()).toHaveTextContent('The OTP could not be sent. Please try again.');
    expect(passwordField()).toHaveValue(goodPassword);
    app.server.heal(requestLoginCode);
    await app.user.click(button('Send OTP'));
    await waitFor(() => expect(boxes()[0]).toHaveFocus());
    await app.user.clear(idField());
    await app.user.type(idField(), String(newcomer));

    expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();
    expect(screen.queryByRole('button', { name: /OTP/ })).toBeNull();
  });

  test('a device on which the user has logged in before needs no code, also after a logout', async () => {
    const app = await openLogin();
    await fillInLogin(app);
    await app.user.click(logInButton());
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    await app.user.click(await main().findByRole('button', { name: 'Logout' }));
    const question = within(await screen.findByRole('dialog', { name: 'Confirm Logout' }));
    await app.user.click(question.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
    await tryWrongPasswords(app.testServer);

    app.goTo('/login');
    await screen.findByRole('heading', { name: 'Log in' });
    await fillInLogin(app);
    await app.user.click(logInButton());

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    expect(app.server.requestsTo(login).at(-1)?.body).toMatchObject({ device: expect.any(String) });
  });

  test('what another backend has left on the device is not sent', async () => {
    localStorage.setItem('known_device', 'a-token.of https://elsewhere.example');
    const app = await openLogin();

    await fillInLogin(app);
    await app.user.click(logInButton());

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    expect(app.server.requestsTo(login)[0]?.body).not.toHaveProperty('device');
    expect(localStorage.getItem('known_device')).not.toContain('elsewhere');
  });
});
