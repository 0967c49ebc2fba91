/** A failed login shows the reason, once, beside the form. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { login } from '#contract/endpoints/session';
import {
  fillInLogin,
  idField,
  log,
  logInButton,
  openLogin,
  passwordField,
  person,
  problem,
} from '#tests/account';
import { goodPassword } from '#tests/test-server';

test('shows the message of the server, keeps what was typed, and ends no session', async () => {
  const app = await openLogin();

  await fillInLogin(app, { password: 'not the password' });
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent(/^Wrong Telegram user ID or password\.$/);
  expect(idField()).toHaveValue(String(person));
  expect(passwordField()).toHaveValue('not the password');
  await waitFor(() => expect(passwordField()).toHaveFocus());
  expect(passwordField()).toHaveAccessibleDescription(/Wrong Telegram user ID or password/);
  expect(window.location.pathname).toBe('/login');
  expect(screen.queryByText(/logged out/)).toBeNull();
  expect(within(log()).getByText(/Server status: 401/)).toBeVisible();
  expect(log()).toHaveTextContent('"detail": "Wrong Telegram user ID or password."');
});

test('the next attempt can succeed, and the message disappears when it starts', async () => {
  const app = await openLogin();
  await fillInLogin(app, { password: 'not the password' });
  await app.user.click(logInButton());
  await problem();
  const answer = app.server.hang(login);

  await app.user.clear(passwordField());
  await app.user.type(passwordField(), goodPassword);
  await app.user.click(logInButton());

  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  answer();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test.each([
  { name: 'an empty refusal', status: 401, body: {} },
  { name: 'a detail that is no text', status: 400, body: { detail: { reason: 'x' } } },
  { name: 'an empty list of details', status: 422, body: { detail: [] } },
])('without a message of the server it is ours: $name', async ({ status, body }) => {
  const app = await openLogin();
  app.server.refuse(login, { status, body });

  await fillInLogin(app);
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent(/^Login failed\. Please check your credentials\.$/);
  expect(within(log()).getByText(new RegExp(`Server status: ${status}`))).toBeVisible();
  expect(document.body).not.toHaveTextContent('[object Object]');
});

test.each([
  { name: 'an empty answer', status: 500, body: {}, reason: 'The server failed.' },
  {
    name: 'an HTML page of a proxy',
    status: 502,
    body: '<h1>502 Bad Gateway</h1>',
    reason: 'The server failed.',
  },
  {
    name: 'a message',
    status: 503,
    body: { detail: 'The server is being updated.' },
    reason: 'The server is being updated.',
  },
  { name: 'no token', status: 200, body: { hello: 'there' }, reason: 'The server failed.' },
])('a server that fails with $name does not blame the password', async (given) => {
  const { status, body, reason } = given;
  const app = await openLogin();
  app.server.refuse(login, { status, body });

  await fillInLogin(app);
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent(`${reason} Your password may be right.`);
  expect(passwordField()).not.toBeInvalid();
  expect(passwordField()).toHaveValue(goodPassword);
  await waitFor(() => expect(passwordField()).toHaveFocus());
  expect(document.body).not.toHaveTextContent('Bad Gateway');
  expect(document.body).not.toHaveTextContent('check your credentials');
});

test('a list of details is joined', async () => {
  const app = await openLogin();
  const detail = [
    { loc: ['body', 'telegram_id'], msg: 'The ID is too long', type: 'value_error' },
    { loc: ['body', 'password'], msg: 'The password is too short', type: 'value_error' },
  ];
  app.server.refuse(login, { status: 422, body: { detail } });

  await fillInLogin(app);
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent('The ID is too long. The password is too short');
});

test('no answer at all', async () => {
  const app = await openLogin();
  app.server.drop(login);

  await fillInLogin(app);
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent(
    /^The server cannot be reached\. Your password may be right\.$/,
  );
  expect(within(log()).getByText(/No response received from server/)).toBeVisible();
});

test('an answer without a token is a failure, which the log names', async () => {
  const app = await openLogin();
  app.server.refuse(login, { status: 200, body: { hello: 'there' } });

  await fillInLogin(app);
  await app.user.click(logInButton());

  await problem();
  expect(within(log()).getByText(/Error: The answer has an unknown shape/)).toBeVisible();
  expect(localStorage.getItem('accessToken')).toBeNull();
});

test('too many tries: says when to try again', async () => {
  const app = await openLogin();
  await fillInLogin(app, { password: 'wrong password' });

  for (let attempt = 0; attempt <= 10; attempt += 1) {
    await waitFor(() => expect(logInButton()).toBeEnabled());
    await app.user.click(logInButton());
  }

  await waitFor(async () =>
    expect(await problem()).toHaveTextContent(
      'Too many login attempts. Please try again in 15 minutes.',
    ),
  );
  expect(log()).toHaveTextContent('WARNING');
});

test('the Retry-After of a server without a message is put into words', async () => {
  const app = await openLogin();
  app.server.refuse(login, {
    status: 429,
    body: { detail: 'Slow down.' },
    headers: { 'Retry-After': '42' },
  });

  await fillInLogin(app);
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent('Slow down. You can try again in 42 seconds.');
});

test('the owner of an account that was never verified is led to signing up', async () => {
  const app = await openLogin();
  const detail = 'This account is not verified yet. Please sign up again to get a new code.';
  app.server.refuse(login, { status: 403, body: { detail, code: 'not_verified' } });

  await fillInLogin(app);
  await app.user.click(logInButton());

  expect(await problem()).toHaveTextContent(detail);
  await app.user.click(within(await problem()).getByRole('link', { name: 'Sign up again' }));
  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
});
