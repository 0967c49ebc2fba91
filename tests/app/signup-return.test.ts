/** Leaving the signup and returning: reload, Back, and invalid stored data. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { register, verifyOtp } from '#contract/endpoints/account';
import {
  button,
  fillInSignup,
  main,
  newcomer,
  openSignup,
  openVerification,
  typeCode,
} from '#tests/account';
import { renderApp } from '#tests/render-app';
import { goodPassword } from '#tests/test-server';

const readValues = (storage: Storage) =>
  Array.from({ length: storage.length }, (_none, index) =>
    storage.getItem(storage.key(index) ?? ''),
  ).join('\n');

test('a reload keeps the step and the wait, and holds no password', async () => {
  const app = await openVerification();
  expect(readValues(sessionStorage)).not.toContain(goodPassword);
  expect(readValues(localStorage)).not.toContain(goodPassword);

  await app.reload();

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  expect(button('Resend OTP')).toBeDisabled();
  expect(screen.getByText(/You can resend in \d+ seconds\./)).toBeVisible();
  await typeCode(app);
  await app.user.click(button('Verify OTP'));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test('Back leads to the details, which are still there; the code can be entered after all', async () => {
  const app = await openVerification();

  window.history.back();

  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
  expect(screen.getByLabelText('Telegram User ID')).toHaveValue(String(newcomer));
  expect(screen.getByLabelText('Email Address')).toHaveValue('mika@example.org');
  expect(screen.getByLabelText('Password')).toHaveValue('');

  await app.user.click(screen.getByRole('link', { name: 'Enter the code' }));

  expect(await screen.findByRole('heading', { name: 'Verify OTP' })).toBeVisible();
});

test('closing asks first while something is typed, and only then', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const app = await openSignup();
  expect(isAsked()).toBe(false);

  await app.user.type(screen.getByLabelText('Email Address'), 'mika@example.org');
  await waitFor(() => expect(isAsked()).toBe(true));

  await app.user.clear(screen.getByLabelText('Email Address'));
  await waitFor(() => expect(isAsked()).toBe(false));

  await app.user.type(screen.getByLabelText('Password'), 'a secret');
  await waitFor(() => expect(isAsked()).toBe(true));
  await app.user.click(main().getByRole('link', { name: 'Log in' }));
  await screen.findByRole('heading', { name: 'Log in' });
  await waitFor(() => expect(isAsked()).toBe(false));
});

test('inside Telegram a stray swipe is asked about, too', async () => {
  const app = await openSignup({ launch: { telegramId: newcomer } });
  const asks = () =>
    app.bridge?.sent.findLast(({ name }) => name === 'web_app_setup_closing_behavior')?.data;

  await app.user.type(await screen.findByLabelText('Email Address'), 'm');

  await waitFor(() => expect(asks()).toMatchObject({ need_confirmation: true }));
});

test('a reload keeps the e-mail and no password, until the next login', async () => {
  const app = await openSignup();
  await fillInSignup(app);

  await app.reload();

  await waitFor(() =>
    expect(screen.getByLabelText('Email Address')).toHaveValue('mika@example.org'),
  );
  expect(screen.getByLabelText('Password')).toHaveValue('');
  expect(readValues(sessionStorage)).toContain('mika@example.org');
  expect(readValues(sessionStorage)).not.toContain(goodPassword);
  expect(readValues(localStorage)).not.toContain('mika');

  await fillInSignup(app);
  await app.user.click(button('Continue'));
  await screen.findByRole('heading', { name: 'Verify OTP' });
  await typeCode(app);
  await app.user.click(button('Verify OTP'));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(readValues(sessionStorage)).not.toContain('mika');
});

test('the address of the second step opens the first without a registration', async () => {
  await renderApp('/signup?step=verify');

  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
});

test('invalid stored data is ignored', async () => {
  sessionStorage.setItem('nori_signup', '{"telegramId": 7');
  await renderApp('/signup?step=verify');

  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
});

test('the second step links to logging in', async () => {
  const app = await openVerification();

  await app.user.click(main().getByRole('link', { name: 'Log in' }));

  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('after signing up, Back does not lead into the forms again', async () => {
  const app = await openVerification();
  await typeCode(app);
  await app.user.click(button('Verify OTP'));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));

  const hasGoneBack = new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true });
  });
  window.history.back();
  await hasGoneBack;

  await waitFor(() => {
    expect(window.location.pathname).toBe('/dashboard');
    expect(screen.getByRole('heading', { name: 'Nori Dashboard' })).toBeVisible();
  });
  expect(screen.queryByRole('heading', { name: 'Create Account' })).toBeNull();
});

test('an answer that arrives after the user has left the first step is kept', async () => {
  const app = await openSignup();
  const answer = app.server.hang(register);
  await fillInSignup(app);
  await app.user.click(button('Continue'));
  await app.user.click(main().getByRole('link', { name: 'Log in' }));
  // A rendered heading is not enough: a screen aborts its calls when the next one takes the focus.
  await waitFor(() => expect(main().getByRole('heading', { name: 'Log in' })).toHaveFocus());

  answer();
  await waitFor(() => expect(sessionStorage.getItem('nori_signup')).not.toBeNull());
  expect(window.location.pathname).toBe('/login');
  await app.user.click(main().getByRole('link', { name: 'Sign up' }));
  await app.user.click(await screen.findByRole('link', { name: 'Enter the code' }));

  await screen.findByRole('heading', { name: 'Verify OTP' });
  await typeCode(app);
  await app.user.click(button('Verify OTP'));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test('the answer to a code logs the user in also after Back', async () => {
  const app = await openVerification();
  const answer = app.server.hang(verifyOtp);
  await typeCode(app);
  await app.user.click(button('Verify OTP'));
  window.history.back();
  await screen.findByRole('heading', { name: 'Create Account' });

  answer();

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(sessionStorage.getItem('nori_signup')).toBeNull();
});
