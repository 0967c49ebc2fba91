/** Requesting another code for a chat: when it is possible, and what happens then. */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { addChat } from '#contract/endpoints/chats';
import { button, cats, openDashboard, person, problem } from '#tests/open-dashboard';

const firstBox = () => screen.findByLabelText('Digit 1 of 6');

/** The step after a code was sent. */
async function openWithCode() {
  const app = await openDashboard(`/dashboard?verify=${cats}`);
  await app.user.click(await button('Send code'));
  await firstBox();
  return app;
}

afterEach(() => {
  vi.useRealTimers();
});

function fakeTime(): void {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'performance', 'Date'],
  });
}

/** Matches the countdown; `seconds` is a part of a pattern, because the clock goes on during the test. */
const waitText = (seconds: string) =>
  new RegExp(`You can ask for a new code in (${seconds}) seconds\\.`);

/** Lets time pass on the page and on the server. */
function passTime({ testServer }: Awaited<ReturnType<typeof openDashboard>>, ms: number): void {
  vi.advanceTimersByTime(ms);
  testServer.wait(ms);
}

test('a new code can be requested after a minute, with a countdown', async () => {
  fakeTime();
  const app = await openWithCode();
  const wait = waitText('60|5\\d');
  expect(await button('Send a new code')).toBeDisabled();
  expect(await button('Send a new code')).toHaveAccessibleDescription(wait);

  passTime(app, 30_000);
  await screen.findByText(waitText('30|2\\d'));
  passTime(app, 31_000);
  await waitFor(async () => expect(await button('Send a new code')).toBeEnabled());
  await app.user.click(await button('Send a new code'));

  expect(await screen.findByText(/A new code is on its way/)).toBeVisible();
  expect(await button('Send a new code')).toBeDisabled();
  expect(await button('Send a new code')).toHaveAccessibleDescription(wait);
  expect(app.server.requestsTo(addChat)).toHaveLength(2);
  await app.user.click(await firstBox());
  await app.user.paste(app.testServer.readCode(person));
  await app.user.click(await button('Continue'));
  expect(await screen.findByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
});

test('a new code that the server refuses as too early starts the wait that the server names', async () => {
  fakeTime();
  const app = await openWithCode();
  // The page's clock is ahead of the server's.
  vi.advanceTimersByTime(61_000);
  app.testServer.wait(20_000);
  await waitFor(async () => expect(await button('Send a new code')).toBeEnabled());

  await app.user.click(await button('Send a new code'));

  expect(await problem()).toHaveTextContent(/Please wait 40 seconds before asking for another/);
  expect(await screen.findByText(waitText('40|3\\d'))).toBeVisible();
  expect(await button('Send a new code')).toBeDisabled();
});

test('the wait for a new code survives a reload', async () => {
  fakeTime();
  const app = await openWithCode();
  passTime(app, 40_000);

  await app.reload();

  expect(await button('Send a new code')).toBeDisabled();
  expect(screen.getByText(waitText('20|1\\d'))).toBeVisible();
});
