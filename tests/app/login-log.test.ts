/** The Authentication Log: readable lines, one by one, without secrets. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

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

test('shows a success without the token', async () => {
  const app = await openLogin();
  const shown: string[] = [];
  const observer = new MutationObserver(() => {
    shown.push(screen.queryByRole('log')?.textContent ?? '');
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });

  await fillInLogin(app);
  await app.user.click(logInButton());
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  observer.disconnect();

  expect(shown.join('\n')).not.toContain(localStorage.getItem('accessToken'));
  expect(shown.join('\n')).not.toContain(goodPassword);
});
