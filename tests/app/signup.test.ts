/** Creating an account: the form, its rules, and the errors of the server. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { register, verifyOtp } from '#contract/endpoints/account';
import { type Endpoint } from '#contract/endpoints/endpoint';
import {
  button,
  fillInSignup,
  htmlPage,
  main,
  newcomer,
  type OpenApp,
  openSignup,
  openVerification,
  problem,
  typeCode,
  pressTwice,
} from '#tests/account';
import { renderApp } from '#tests/render-app';
import { goodPassword } from '#tests/test-server';

const bodies = (app: OpenApp, endpoint: Endpoint) =>
  app.server.requestsTo(endpoint).map(({ body }) => body);

test('leads to the code, and the code to the dashboard', async () => {
  const app = await openSignup();

  await fillInSignup(app);
  await app.user.click(button('Continue'));

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  expect(
    main().getByText(`Enter the 6-digit OTP sent on Telegram to user ${newcomer}.`),
  ).toBeVisible();

  await typeCode(app);
  await app.user.click(button('Verify OTP'));

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(localStorage.getItem('accessToken')).toMatch(/\S{20,}/);
  expect(localStorage.getItem('telegram_id')).toBe(String(newcomer));
  expect(sessionStorage.getItem('nori_signup')).toBeNull();
  expect(bodies(app, register)).toEqual([
    { telegram_id: String(newcomer), email: 'mika@example.org', password: goodPassword },
  ]);
});

test('the code is sent together with the attempt it belongs to', async () => {
  const app = await openVerification();

  await typeCode(app);
  await app.user.click(button('Verify OTP'));

  await waitFor(() => expect(app.server.requestsTo(verifyOtp)).toHaveLength(1));
  const [sent] = app.server.requestsTo(verifyOtp);
  expect(sent?.url.searchParams.get('telegram_id')).toBe(String(newcomer));
  expect(sent?.url.searchParams.get('otp_code')).toBe(app.testServer.readCode(newcomer));
  expect(sent?.body).toEqual({ attempt: expect.stringMatching(/\S{8,}/) });
});

test('a backend without attempts gets none', async () => {
  const app = await openSignup();
  const token = await app.testServer.signUp(newcomer);
  app.server.refuse(register, { status: 200, body: { anything: 'else' } });

  await fillInSignup(app);
  await app.user.click(button('Continue'));
  await screen.findByRole('heading', { name: 'Verify OTP' });
  app.server.refuse(verifyOtp, { status: 200, body: { access_token: token } });
  await typeCode(app, '123456');
  await app.user.click(button('Verify OTP'));

  await waitFor(() => expect(localStorage.getItem('accessToken')).toBe(token));
  expect(bodies(app, verifyOtp)).toEqual([undefined]);
});

test.each([
  {
    missing: 'everything',
    typed: { id: '', email: '', password: '' },
    focused: 'Telegram User ID',
  },
  { missing: 'the ID', typed: { id: '' }, focused: 'Telegram User ID' },
  { missing: 'the email', typed: { email: ' ' }, focused: 'Email Address' },
  { missing: 'the password', typed: { password: '', confirmed: 'x' }, focused: 'Password' },
  { missing: 'the confirmation', typed: { confirmed: '' }, focused: 'Confirm Password' },
])('without $missing', async ({ typed, focused }) => {
  const app = await openSignup();

  await fillInSignup(app, typed);
  await app.user.click(button('Continue'));

  expect(await problem()).toHaveTextContent(/^All fields are required$/);
  const field = screen.getByLabelText(focused);
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription(/^All fields are required/);
  expect(app.server.requestsTo(register)).toHaveLength(0);
});

test.each([
  {
    typed: { confirmed: 'something else' },
    message: 'Passwords do not match',
    field: 'Confirm Password',
  },
  {
    typed: { password: 'short', confirmed: 'other' },
    message: 'Passwords do not match',
    field: 'Confirm Password',
  },
  {
    typed: { password: 'short77' },
    message: 'Use at least 8 characters for the password',
    field: 'Password',
  },
  {
    typed: { email: 'nobody' },
    message: 'Please enter a valid email address',
    field: 'Email Address',
  },
  { typed: { id: '12ab' }, message: 'A Telegram user ID is a number', field: 'Telegram User ID' },
])('$typed: $message', async ({ typed, message, field }) => {
  const app = await openSignup();

  await fillInSignup(app, typed);
  await app.user.click(button('Continue'));

  expect(await problem()).toHaveTextContent(message);
  await waitFor(() => expect(screen.getByLabelText(field)).toHaveFocus());
  expect(app.server.requestsTo(register)).toHaveLength(0);
});

test('the rule for passwords is shown in advance', async () => {
  await openSignup();

  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/At least 8 characters/);
});

test('password managers recognise the fields, and both passwords can be shown', async () => {
  const app = await openSignup();

  expect(screen.getByLabelText('Telegram User ID')).toHaveAttribute('autocomplete', 'username');
  expect(screen.getByLabelText('Email Address')).toHaveAttribute('autocomplete', 'email');
  expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'new-password');
  expect(screen.getByLabelText('Confirm Password')).toHaveAttribute('autocomplete', 'new-password');

  await app.user.click(button('Show confirmed password'));

  expect(screen.getByLabelText('Confirm Password')).toHaveAttribute('type', 'text');
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
});

test('while it is sent the button says so, and a double click sends once', async () => {
  const app = await openSignup();
  const answer = app.server.hang(register);

  await fillInSignup(app);
  pressTwice(button('Continue'));

  await waitFor(() => expect(button('Sending OTP...')).toHaveAttribute('aria-busy', 'true'));
  expect(button('Sending OTP...')).toBeDisabled();
  expect(screen.getByLabelText('Email Address')).toBeDisabled();
  answer();
  await screen.findByRole('heading', { name: 'Verify OTP' });
  expect(app.server.requestsTo(register)).toHaveLength(1);
});

test('a common password is refused by the server, with the reason', async () => {
  const app = await openSignup();

  await fillInSignup(app, { password: 'password123' });
  await app.user.click(button('Continue'));

  expect(await problem()).toHaveTextContent(/password/i);
  await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
  expect(screen.getByLabelText('Email Address')).toHaveValue('mika@example.org');
  expect(screen.getByLabelText('Password')).toHaveValue('password123');
});

test.each([
  { name: 'an HTML page of a proxy', refusal: htmlPage },
  { name: 'an empty refusal', refusal: { status: 500, body: {} } },
])('a refusal without a message: $name', async ({ refusal }) => {
  const app = await openSignup();
  app.server.refuse(register, refusal);

  await fillInSignup(app);
  await app.user.click(button('Continue'));

  expect(await problem()).toHaveTextContent(/^Registration failed\. Please try again\.$/);
  expect(screen.getByLabelText('Telegram User ID')).toHaveValue(String(newcomer));
  expect(document.body).not.toHaveTextContent('Bad Gateway');
});

test('no answer, and then one', async () => {
  const app = await openSignup();
  app.server.drop(register);
  await fillInSignup(app);
  await app.user.click(button('Continue'));
  expect(await problem()).toHaveTextContent(/^Registration failed\. Please try again\.$/);
  await waitFor(() => expect(button('Continue')).toBeEnabled());

  app.server.heal(register);
  await app.user.click(button('Continue'));

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
});

test('a list of details is joined', async () => {
  const app = await openSignup();
  const detail = [{ msg: 'Bad ID' }, { msg: 'Bad email' }];
  app.server.refuse(register, { status: 422, body: { detail } });

  await fillInSignup(app);
  await app.user.click(button('Continue'));

  expect(await problem()).toHaveTextContent(/^Bad ID\. Bad email$/);
});

test('an account that exists leads to logging in', async () => {
  const app = await openSignup();
  const detail = 'You already have an account. Please log in.';
  app.server.refuse(register, { status: 409, body: { detail, code: 'account_exists' } });

  await fillInSignup(app);
  await app.user.click(button('Continue'));

  expect(await problem()).toHaveTextContent(detail);
  await app.user.click(within(await problem()).getByRole('link', { name: 'Log in' }));
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('links to logging in', async () => {
  const app = await openSignup();

  await app.user.click(main().getByRole('link', { name: 'Log in' }));

  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('a user who is logged in goes to the dashboard', async () => {
  await renderApp('/signup', { as: newcomer });

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});
