/** Requesting another code: when it is possible, and what happens then. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { sendOtp } from '#contract/endpoints/account';
import { type Endpoint } from '#contract/endpoints/endpoint';
import {
  button,
  newcomer,
  type OpenApp,
  openVerification,
  problem,
  shownCode,
  typeCode,
  pressTwice,
} from '#tests/account';

afterEach(() => {
  vi.useRealTimers();
});

/** Lets time pass on the page and on the server. */
function passTime({ testServer }: OpenApp, ms: number): void {
  vi.advanceTimersByTime(ms);
  testServer.wait(ms);
}

function fakeTime(): void {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'performance', 'Date'],
  });
}

const bodies = (app: OpenApp, endpoint: Endpoint) =>
  app.server.requestsTo(endpoint).map(({ body }) => body);

test('waits 60 s with a countdown, then sends one message and clears the boxes', async () => {
  fakeTime();
  const app = await openVerification();
  expect(button('Resend OTP')).toBeDisabled();
  expect(button('Resend OTP')).toHaveAccessibleDescription(/You can resend in (60|59) seconds\./);

  passTime(app, 30_000);
  await screen.findByText(/You can resend in (30|29) seconds\./);
  expect(button('Resend OTP')).toBeDisabled();

  passTime(app, 31_000);
  await waitFor(() => expect(button('Resend OTP')).toBeEnabled());
  expect(screen.queryByText(/You can resend/)).toBeNull();
  const firstCode = app.testServer.readCode(newcomer);
  await typeCode(app, '123');
  pressTwice(button('Resend OTP'));

  expect(await screen.findByText('A new OTP is on its way.')).toBeVisible();
  expect(shownCode()).toBe('......');
  expect(app.server.requestsTo(sendOtp)).toHaveLength(1);
  expect(bodies(app, sendOtp)).toEqual([
    { telegram_id: String(newcomer), attempt: expect.any(String) },
  ]);
  await waitFor(() => expect(app.testServer.inbox).toHaveLength(2));
  expect(button('Resend OTP')).toBeDisabled();
  expect(screen.getByText(/You can resend in (60|59) seconds\./)).toBeVisible();

  const newCode = app.testServer.readCode(newcomer);
  expect([newCode, firstCode]).toEqual([expect.stringMatching(/^\d{6}$/), firstCode]);
  await typeCode(app, newCode);
  await app.user.click(button('Verify OTP'));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

test.each([
  {
    name: 'the sentence of the server',
    body: { detail: 'The bot is asleep.' },
    shown: /^The bot is asleep\.$/,
  },
  { name: 'ours', body: {}, shown: /^Failed to resend OTP$/ },
])('a failure shows $name, and can be tried again at once', async ({ body, shown }) => {
  fakeTime();
  const app = await openVerification();
  passTime(app, 61_000);
  app.server.refuse(sendOtp, { status: 503, body });

  await waitFor(() => expect(button('Resend OTP')).toBeEnabled());
  await app.user.click(button('Resend OTP'));

  expect(await problem()).toHaveTextContent(shown);
  await waitFor(() => expect(button('Resend OTP')).toBeEnabled());
});

test('too early: the wait is the one of the server', async () => {
  fakeTime();
  const app = await openVerification();
  // The page's clock is ahead of the server's.
  vi.advanceTimersByTime(61_000);
  app.testServer.wait(20_000);

  await waitFor(() => expect(button('Resend OTP')).toBeEnabled());
  await app.user.click(button('Resend OTP'));

  expect(await problem()).toHaveTextContent(
    /Please wait 40 seconds before asking for another code\./,
  );
  expect(await screen.findByText(/You can resend in (40|39) seconds\./)).toBeVisible();
  expect(button('Resend OTP')).toBeDisabled();
});

test('a changed system clock does not affect the wait', async () => {
  fakeTime();
  await openVerification();

  vi.setSystemTime(Date.now() + 86_400_000);
  vi.advanceTimersByTime(1000);

  expect(await screen.findByText(/You can resend in 5[89] seconds\./)).toBeVisible();
});
