/** The Authentication Log: readable lines, one by one, without secrets. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { listChats } from '#contract/endpoints/chats';
import { login } from '#contract/endpoints/session';
import { fillInLogin, log, logInButton, openLogin, problem } from '#tests/account';
import { goodPassword } from '#tests/test-server';

/** Sets the system setting for reduced motion. */
function reduceMotion(): void {
  const asBefore = window.matchMedia.bind(window);
  vi.stubGlobal('matchMedia', (query: string) =>
    query.includes('reduced-motion')
      ? Object.assign(new EventTarget(), { matches: true, media: query })
      : asBefore(query),
  );
}

test('is a polite log, empty until a login starts', async () => {
  await openLogin();

  expect(log()).toHaveAttribute('aria-live', 'polite');
  expect(log()).toHaveTextContent('Waiting for you to log in...');
});

test('lines have a time and a type, and format JSON', async () => {
  const app = await openLogin();
  app.server.refuse(login, { status: 401, body: { detail: 'No', code: 'wrong_credentials' } });

  await fillInLogin(app);
  await app.user.click(logInButton());
  await problem();

  const times = log().querySelectorAll('time');
  expect(times).toHaveLength(5);
  for (const time of times) {
    expect(time).toHaveTextContent(/^\[\d\d:\d\d:\d\d\]$/);
    expect(Date.parse(time.dateTime)).not.toBeNaN();
  }
  expect(log()).toHaveTextContent('INFO Logging in as Telegram user 123456789');
  expect(log()).toHaveTextContent('ERROR Server status: 401');
  const blocks = [...log().querySelectorAll('pre')].map((block) => block.textContent);
  expect(blocks).toEqual([
    '{\n  "method": "POST",\n  "path": "/login"\n}',
    '{\n  "code": "wrong_credentials",\n  "detail": "No"\n}',
  ]);
});

test('adds its lines one by one while the call runs, and never delays the login', async () => {
  const app = await openLogin();
  const answer = app.server.hang(login);
  await fillInLogin(app, { password: 'not the password' });

  const pressedMs = performance.now();
  await app.user.click(logInButton());
  await within(log()).findByText(/Logging in as Telegram user/);
  expect(log()).not.toHaveTextContent('Request');
  await within(log()).findByText(/Request/);
  const secondLineMs = performance.now() - pressedMs;

  expect(secondLineMs).toBeGreaterThanOrEqual(450);
  expect(log()).not.toHaveTextContent('Waiting for the server to answer');
  answer();
  await problem();
  expect(log()).toHaveTextContent('Waiting for the server to answer');
});

test('with reduced motion all lines appear at once', async () => {
  reduceMotion();
  const app = await openLogin();
  const answer = app.server.hang(login);

  await fillInLogin(app);
  await app.user.click(logInButton());

  await within(log()).findByText(/Logging in as Telegram user/);
  expect(log()).toHaveTextContent('Request');
  expect(log()).toHaveTextContent('Waiting for the server to answer');
  answer();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test('never shows a password or a token, even if the server sends one', async () => {
  const canary = 'Canary-Pa55"word';
  const app = await openLogin();
  app.server.refuse(login, {
    status: 400,
    body: {
      detail: `You sent {"password": "${canary}", "access_token": "tok-canary-1"} and Bearer tok-canary-2, otp_code=271828`,
      access_token: 'tok-canary-3',
    },
  });

  await fillInLogin(app, { password: canary });
  await app.user.click(logInButton());
  await problem();

  expect(log()).toHaveTextContent('Server status: 400');
  expect(log()).toHaveTextContent('[hidden]');
  expect(log().textContent).not.toMatch(/Canary-Pa55|tok-canary|271828/);
});

test('shows a success without the token, long enough to be read', async () => {
  const app = await openLogin();
  await fillInLogin(app);
  // Watched, because a busy machine looks late.
  const { promise: drawnAtMs, resolve: drawn } = Promise.withResolvers<number>();
  const observer = new MutationObserver(() => {
    if (log().textContent.includes('Logged in')) {
      observer.disconnect();
      drawn(performance.now());
    }
  });
  observer.observe(log(), { childList: true, subtree: true });

  await app.user.click(logInButton());
  await within(log()).findByText(/Logged in\. Session/);
  const shown = log().textContent;

  expect(log()).toHaveTextContent('SUCCESS Logged in. Session');
  expect(shown).toContain('"token_type": "bearer"');
  expect(shown).not.toContain(localStorage.getItem('accessToken'));
  expect(shown).not.toContain(goodPassword);
  expect(logInButton()).toBeDisabled();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(performance.now() - (await drawnAtMs)).toBeGreaterThanOrEqual(400);
});

test('the session and the data of the dashboard do not wait for the log', async () => {
  const app = await openLogin();
  await fillInLogin(app);

  await app.user.click(logInButton());
  await waitFor(() => expect(app.server.requestsTo(listChats)).toHaveLength(1));

  expect(localStorage.getItem('accessToken')).not.toBeNull();
  expect(window.location.pathname).toBe('/login');
  expect(log()).toHaveTextContent('Logged in. Session');
  expect(await screen.findByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  expect(app.server.requestsTo(listChats)).toHaveLength(1);
});

test('a session that the server ends at once leaves a form that can be used', async () => {
  const app = await openLogin();
  app.server.refuse(listChats, { status: 401, body: { detail: 'Not authenticated' } });
  await fillInLogin(app);

  await app.user.click(logInButton());

  expect(await screen.findByText("You've been logged out. Please login again.")).toBeVisible();
  expect(window.location.pathname).toBe('/login');
  await waitFor(() => expect(logInButton()).toBeEnabled());
});
