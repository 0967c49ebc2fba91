/** The code of a signup: entering it, and its errors. */
import { notifyManager } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { register, verifyOtp } from '#contract/endpoints/account';
import { readCapabilities } from '#contract/endpoints/site';
import {
  boxes,
  button,
  fillInSignup,
  htmlPage,
  newcomer,
  type OpenApp,
  openSignup,
  openVerification,
  pressStart,
  problem,
  shownCode,
  startHearingServer,
  typeCode,
  pressTwice,
} from '#tests/account';
import { goodPassword } from '#tests/test-server';

test('an incomplete code is not sent', async () => {
  const app = await openVerification();

  await typeCode(app, '12345');
  await app.user.click(button('Verify OTP'));

  expect(await problem()).toHaveTextContent(/^Please enter the complete 6-digit OTP$/);
  expect(boxes()[5]).toHaveFocus();
  expect(shownCode()).toBe('12345.');
  expect(app.server.requestsTo(verifyOtp)).toHaveLength(0);
});

test('a wrong code shows an error, clears the boxes and focuses the first', async () => {
  const app = await openVerification();
  const wrong = app.testServer.readCode(newcomer) === '000000' ? '000001' : '000000';

  await typeCode(app, wrong);
  await app.user.keyboard('{Enter}');

  expect(await problem()).toHaveTextContent(/^Invalid or expired verification code$/);
  await waitFor(() => expect(boxes()[0]).toHaveFocus());
  expect(shownCode()).toBe('......');

  await app.user.keyboard(app.testServer.readCode(newcomer));
  await app.user.keyboard('{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test('a refusal that comes before the screen has shown that it waits focuses the first box, too', async () => {
  const app = await openVerification();
  app.server.refuse(verifyOtp, htmlPage);
  await typeCode(app);
  // React renders once more after the last digit, and then no more for an unchanged state.
  await app.user.keyboard('{ArrowLeft}{ArrowLeft}');
  const release = holdNotifications();

  await app.user.keyboard('{Enter}');
  expect(await problem()).toHaveTextContent(/^OTP verification failed\. Please try again\.$/);
  release();

  expect(shownCode()).toBe('......');
  expect(boxes()[0]).toHaveFocus();
});

/** Holds back what calls tell the screen, as a busy machine does, until the returned function is called. */
function holdNotifications(): () => void {
  const held: (() => void)[] = [];
  notifyManager.setScheduler((notify) => held.push(notify));
  const release = () => {
    notifyManager.setScheduler((notify) => setTimeout(notify, 0));
    held.splice(0).forEach((notify) => notify());
  };
  onTestFinished(release);
  return release;
}

test.each([
  {
    name: 'an HTML page of a proxy',
    fail: (app: OpenApp) => app.server.refuse(verifyOtp, htmlPage),
  },
  { name: 'no answer', fail: (app: OpenApp) => app.server.drop(verifyOtp) },
  {
    name: 'an answer without a token',
    fail: (app: OpenApp) => app.server.refuse(verifyOtp, { status: 200, body: {} }),
  },
])('a failure without a message: $name', async ({ fail }) => {
  const app = await openVerification();
  fail(app);

  await typeCode(app);
  await app.user.click(button('Verify OTP'));

  expect(await problem()).toHaveTextContent(/^OTP verification failed\. Please try again\.$/);
  await waitFor(() => expect(boxes()[0]).toHaveFocus());
  expect(shownCode()).toBe('......');
  expect(localStorage.getItem('accessToken')).toBeNull();
});

test('a double click sends the code once', async () => {
  const app = await openVerification();
  const answer = app.server.hang(verifyOtp);

  await typeCode(app);
  pressTwice(button('Verify OTP'));

  await waitFor(() => expect(boxes()[0]).toBeDisabled());
  answer();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(app.server.requestsTo(verifyOtp)).toHaveLength(1);
});

test('always says what to do when no code arrives', async () => {
  await openVerification();

  const hint = screen.getByText(/No code\?/);
  expect(hint).toHaveTextContent(/^No code\? Open the bot and press Start, then resend\.$/);
  expect(await screen.findByText(/Set VITE_BOT_USERNAME to link the bot/)).toBeVisible();
});

test('the bot that the server runs is linked', async () => {
  const app = await openSignup();
  app.server.refuse(readCapabilities, {
    status: 200,
    body: { capabilities: ['bot'], bot_username: 'bot_of_the_server' },
  });
  await fillInSignup(app);
  await app.user.click(button('Continue'));

  const link = await screen.findByRole('link', { name: 'Open the bot' });
  expect(link).toHaveAttribute('href', 'https://t.me/bot_of_the_server');
  expect(link).toHaveAttribute('rel', 'noopener');
});

test('with a bot set, the hint links to it', async () => {
  vi.stubEnv('VITE_BOT_USERNAME', '@nori_test_bot');
  await openVerification();

  const link = screen.getByRole('link', { name: 'Open the bot' });
  expect(link).toHaveAttribute('href', 'https://t.me/nori_test_bot');
  expect(screen.queryByText(/VITE_BOT_USERNAME/)).toBeNull();
  vi.unstubAllEnvs();
});

describe('with a bot that hears Start', () => {
  const openBot = () => screen.findByRole<HTMLAnchorElement>('link', { name: 'Open the bot' });

  const startHearing = () => {
    vi.stubEnv('VITE_BOT_USERNAME', 'nori_test_bot');
    return startHearingServer();
  };

  afterEach(() => void vi.unstubAllEnvs());

  test('its link has it send the code', async () => {
    const app = await openVerification({ server: await startHearing() });
    const hint = await screen.findByText(/^No code\?/);
    await waitFor(() =>
      expect(hint).toHaveTextContent(/^No code\? Open the bot and press Start\.$/),
    );
    const link = await openBot();

    expect(link.href).toMatch(/^https:\/\/t\.me\/nori_test_bot\?start=verify_[\w-]{43}$/);
    const first = app.testServer.inbox.length;
    await pressStart(app.testServer, newcomer, link.href);
    expect(app.testServer.inbox).toHaveLength(first + 1);
    await typeCode(app);
    await app.user.keyboard('{Enter}');

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('when strangers have used up the codes, the screen says that Start sends one', async () => {
    const server = await startHearing();
    const telegram_id = String(newcomer);
    await server.call(register, { telegram_id, email: 'x@example.org', password: goodPassword });
    const strangers = server.inbox.length;

    const app = await openVerification({ server });

    expect(
      screen.getByText(
        `Open the bot as Telegram user ${newcomer} and press Start. It sends you a 6-digit OTP.`,
      ),
    ).toBeVisible();
    expect(server.inbox).toHaveLength(strangers);
    await waitFor(async () => expect((await openBot()).href).toContain('?start=verify_'));
    await pressStart(server, newcomer, (await openBot()).href);
    await typeCode(app);
    await app.user.click(button('Verify OTP'));
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });
});
