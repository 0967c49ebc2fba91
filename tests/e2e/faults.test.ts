/** Bad networks, a server that is down, sessions that end: what the user sees, and how it recovers. */
import { type Request } from '@playwright/test';
import * as v from 'valibot';

import { readChat } from '#contract/endpoints/chats';
import { createChunkMatcher } from '#tests/chunk';
import { expect, logIn, openApp, stayLoggedIn, test, toggle } from '#tests/e2e';

const offline = "You're offline. What you already loaded still works.";
const unreachable = 'Unable to connect to backend server...';

test('while the server is down a banner says so, and then disappears by itself', async ({
  open,
  page,
  nori,
  expected,
}) => {
  expected.push(/ERR_CONNECTION_REFUSED|Failed to load resource/);
  const asked = page.waitForResponse((response) => response.url().endsWith('/backend/health'));
  const { app } = await open({ container: 'browser', path: '/login' });
  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await (await asked).finished();
  await nori.stop();
  try {
    // The page checks the server's health when it becomes visible again.
    await app.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await expect(app.getByText(unreachable)).toBeVisible();
  } finally {
    await nori.start();
  }
  await expect(app.getByText(unreachable)).toBeHidden();
});

test('without a network a toggle waits and is sent afterwards, and one without an answer is reverted', async ({
  open,
  page,
  context,
  nori,
  unique,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  const member = await nori.member(unique());
  const chatId = -unique();
  await nori.chat(member, chatId, 'Rice lovers');
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'phone browser', path: `/dashboard?chat=${chatId}` });
  await expect(toggle(app, 'photo')).toBeVisible();

  await context.setOffline(true);
  await toggle(app, 'photo').click();
  await expect(app.getByText('1 change waits for the network.')).toBeVisible();
  await expect(toggle(app, 'photo')).toBeChecked();
  await expect(app.getByText(offline)).toBeVisible();

  const stored = page.waitForResponse((response) => response.url().includes('/settings'));
  await context.setOffline(false);
  expect((await stored).ok()).toBe(true);
  await expect(app.getByText(offline)).toBeHidden();
  await expect(app.getByText(/waits? for the network/)).toHaveCount(0);

  await page.route('**/settings', (route) => route.abort());
  await toggle(app, 'photo').click();
  await expect(app.getByText('Failed to update setting. Please try again.')).toBeVisible();
  await expect(toggle(app, 'photo')).toBeChecked();
});

test('on a slow network a toggle changes at once, and ten quick presses end with the last value', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  const chatId = -unique();
  await nori.chat(member, chatId, 'Rice lovers');
  await stayLoggedIn(page, member);
  let running = 0;
  let maxAtOnce = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/settings', async (route) => {
    running += 1;
    maxAtOnce = Math.max(maxAtOnce, running);
    await released;
    await route.continue();
    running -= 1;
  });
  const { app } = await open({ container: 'browser', path: `/dashboard?chat=${chatId}` });

  await toggle(app, 'photo').click();
  // Shown although no response can have arrived.
  await expect(toggle(app, 'photo')).toBeChecked();
  for (let press = 0; press < 10; press += 1) {
    // One press after the other.
    await toggle(app, 'photo').click();
  }
  await expect(toggle(app, 'photo')).toBeChecked();
  expect(running).toBe(1);
  release();

  const stored = async () => {
    const { topics } = v.parse(
      readChat.output,
      await nori.call(`/chats/${chatId}`, undefined, { ...member, method: 'GET' }),
    );
    return running === 0 && topics['0']?.['photo_blocked'];
  };
  await expect.poll(stored).toBe(true);
  expect(maxAtOnce).toBe(1);
  await page.unroute('**/settings');
  await page.reload();
  await expect(toggle(app, 'photo')).toBeChecked();
});

test('a session that the server has ended shows a notice, which disappears by itself', async ({
  open,
  page,
  unique,
  expected,
}) => {
  expected.push(/status of 401/);
  await stayLoggedIn(page, { telegramId: unique(), token: 'long-dead-and-gone-token' });

  const { app } = await open({ container: 'browser', path: '/dashboard' });

  const notice = app.getByText("You've been logged out. Please login again.");
  await expect(notice).toBeVisible();
  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await expect(notice).toBeHidden();
});

test('the notice can be closed at once', async ({ open, page, unique, expected }) => {
  expected.push(/status of 401/);
  await stayLoggedIn(page, { telegramId: unique(), token: 'long-dead-and-gone-token' });
  const { app } = await open({ container: 'phone browser', path: '/dashboard' });
  const notice = app.getByText("You've been logged out. Please login again.");
  await expect(notice).toBeVisible();

  await app.getByRole('button', { name: 'Close', exact: true }).click();

  await expect(notice).toBeHidden();
});

test('inside Telegram an ended session is renewed from the launch data without a notice', async ({
  open,
  page,
  nori,
  unique,
  expected,
}) => {
  expected.push(/status of 401/);
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  await stayLoggedIn(page, { telegramId: member.telegramId, token: 'long-dead-and-gone-token' });
  const exchanges: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/telegram')) {
      exchanges.push(request.url());
    }
  });

  const { app } = await open({
    container: 'ios',
    path: '/dashboard',
    telegramId: member.telegramId,
  });

  await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();
  await expect(app.getByText("You've been logged out.")).toHaveCount(0);
  expect(exchanges).toHaveLength(1);
});

test('logging out in one tab logs out the other, and Back shows nothing private', async ({
  open,
  page,
  context,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Secret society');
  const first = await open({ container: 'browser', path: '/login' });
  await logIn(first, member);
  await expect(first.app.getByRole('link', { name: /Secret society/ })).toBeVisible();
  const second = await openApp(await context.newPage(), nori, {
    container: 'browser',
    path: '/dashboard',
  });
  await expect(second.app.getByRole('link', { name: /Secret society/ })).toBeVisible();
  await first.app.getByRole('link', { name: /Secret society/ }).click();
  await expect(toggle(first.app, 'photo')).toBeVisible();

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('dialog', { name: 'Confirm Logout' })).toContainText(
    'Are you sure you want to logout?',
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();

  await expect(first.app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(second.app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText('Secret society')).toHaveCount(0);
  await expect(second.page.getByText('Secret society')).toHaveCount(0);
});

test('logging out without a network still removes the session from this device', async ({
  open,
  page,
  context,
  nori,
  unique,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/);
  const member = await nori.member(unique());
  await stayLoggedIn(page, member);
  const isLogin = await createChunkMatcher('src/features/account/login-screen.tsx');
  const hasWayOut = page.waitForResponse((response) => isLogin(response.url()));
  const loading = new Set<Request>();
  page.on('request', (request) => loading.add(request));
  page.on('requestfinished', (request) => loading.delete(request));
  const { app } = await open({ container: 'browser', path: '/dashboard' });
  await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  await hasWayOut;
  // A chunk whose loading fails is missing until the page is opened again.
  await expect
    .poll(() => [...loading].filter((request) => /\.(?:js|css)$/.test(request.url())))
    .toEqual([]);
  await page.evaluate(() => {
    localStorage.setItem('nori_draft', 'mine');
    localStorage.setItem('pixai_token', 'mine');
    localStorage.setItem('theme', 'dark');
  });

  await context.setOffline(true);
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();

  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual(['theme']);
});
