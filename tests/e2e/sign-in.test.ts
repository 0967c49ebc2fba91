/** Signing in: from Telegram, from a link, and in a browser. */
import {
  type Container,
  expect,
  isBackShown,
  logIn,
  stayLoggedIn,
  test,
  toggle,
  thoroughIf,
} from '#tests/e2e';

const telegram = ['weba', 'webk', 'ios', 'android'] as const satisfies Container[];

for (const container of telegram) {
  test(
    `in Telegram a user with an account sees no form at all: ${container}`,
    thoroughIf(container !== 'ios'),
    async ({ open, nori, unique }) => {
      const member = await nori.member(unique());
      await nori.chat(member, -unique(), 'Rice lovers');

      const { app, sent } = await open({
        container,
        path: '/dashboard',
        telegramId: member.telegramId,
      });

      await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();
      await expect(app.getByRole('textbox', { name: 'Telegram User ID' })).toHaveCount(0);
      await expect(app.getByRole('banner')).toHaveCount(0);
      await expect(app.getByRole('contentinfo')).toHaveCount(0);
      await expect.poll(() => sent('web_app_ready')).toHaveLength(1);
      expect(await sent('web_app_setup_swipe_behavior')).toHaveLength(0);
      expect(app.url()).not.toContain('tgWebApp');
    },
  );
}

test('a new user arrives at the signup, with the ID filled in and locked', async ({
  open,
  unique,
}) => {
  const telegramId = unique();

  const { app } = await open({ container: 'ios', path: '/dashboard', telegramId });

  await expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  await expect(app.getByText('Hi Mika, nice to meet you!')).toBeVisible();
  const id = app.getByRole('textbox', { name: 'Telegram User ID' });
  await expect(id).toHaveValue(String(telegramId));
  await expect(id).not.toBeEditable();
  await app.getByRole('button', { name: 'Not you?' }).click();
  await expect(id).toBeEditable();
});

test('Telegram’s loader is removed before the server answers', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/backend/**', async (route) => {
    await released;
    await route.continue();
  });

  const { app, sent } = await open({
    container: 'ios',
    path: '/dashboard',
    telegramId: member.telegramId,
  });

  await expect.poll(async () => (await sent('web_app_ready')).length).toBe(1);
  await expect(app.getByText('Signing in…')).toBeVisible();
  release();
  await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  expect(await sent('web_app_ready')).toHaveLength(1);
});

for (const container of ['weba', 'android'] satisfies Container[]) {
  test(
    `a link to a chat opens its settings: ${container}`,
    thoroughIf(container !== 'android'),
    async ({ open, nori, unique }) => {
      const member = await nori.member(unique());
      const chatId = -unique();
      await nori.chat(member, chatId, 'Rice lovers');

      const opened = await open({
        container,
        telegramId: member.telegramId,
        startParam: `chat_${chatId}`,
      });

      await expect(toggle(opened.app, 'photo')).toBeVisible();
      await expect(opened.app.getByText(`ID: ${chatId}`)).toBeVisible();
      await opened.pressBack();
      await expect(opened.app.getByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
      await expect.poll(() => isBackShown(opened)).toBe(false);
      await opened.reload();
      await expect(opened.app.getByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
    },
  );
}

test('a link to a chat that is not verified opens its verification', async ({
  open,
  nori,
  unique,
  expected,
}) => {
  // The server refuses the chat, and the browser reports every refusal.
  expected.push(/status of 40[34].*\/chats\/-\d+$/);
  const member = await nori.member(unique());
  const chatId = -unique();
  nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: member.telegramId });

  const { app } = await open({
    container: 'ios',
    telegramId: member.telegramId,
    startParam: `chat_${chatId}`,
  });

  await expect(app.getByRole('heading', { name: 'Verify Chat Ownership' })).toBeVisible();
  await expect(app.getByText(`Chat ${chatId}`)).toBeVisible();
});

test('a new user’s link to a chat is still open after signing up', async ({
  open,
  nori,
  unique,
  expected,
}) => {
  // The server refuses the chat, and the browser reports every refusal.
  expected.push(/status of 40[34].*\/chats\/-\d+$/);
  const telegramId = unique();
  const chatId = -unique();
  nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: telegramId });

  const { app, submit } = await open({
    container: 'ios',
    telegramId,
    startParam: `chat_${chatId}`,
  });
  await app.getByRole('textbox', { name: 'Email Address' }).fill('new@example.org');
  await app.getByLabel('Password', { exact: true }).fill('wide rivers carry small boats');
  await app.getByLabel('Confirm Password', { exact: true }).fill('wide rivers carry small boats');
  await submit('Continue');
  await app.getByRole('textbox', { name: 'Digit 1 of 6' }).click();
  await app.page().keyboard.type(nori.botApi.lastCode(telegramId));
  await submit('Verify OTP');

  await expect(app.getByRole('heading', { name: 'Verify Chat Ownership' })).toBeVisible();
});

test('after a reload inside Telegram the user is still logged in', async ({
  open,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  const opened = await open({ container: 'weba', telegramId: member.telegramId });
  await opened.app.getByRole('button', { name: 'Dashboard' }).click();
  await expect(opened.app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();

  await opened.reload();

  await expect(opened.app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  await expect(opened.app.getByRole('banner')).toHaveCount(0);
});

test('a user who logs out in Telegram stays logged out after a reload', async ({
  open,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  const opened = await open({
    container: 'ios',
    path: '/dashboard',
    telegramId: member.telegramId,
  });
  const { app } = opened;
  await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
  await app.getByRole('dialog', { name: 'More' }).getByRole('button', { name: 'Logout' }).click();
  await app
    .getByRole('dialog', { name: 'Confirm Logout' })
    .getByRole('button', { name: 'Logout' })
    .click();
  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();

  await opened.reload();

  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(app.getByRole('textbox', { name: 'Telegram User ID' })).toHaveValue(
    String(member.telegramId),
  );
});

test('an address with another user’s launch data is the website and logs no visitor in', async ({
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  const hash = nori.launchHash({ telegramId: member.telegramId, client: 'ios', palette: {} });

  await page.goto(`${nori.origin}/login?ref=friend${hash}`);

  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Telegram User ID' })).toHaveValue('');
  expect(page.url()).toBe(`${nori.origin}/login?ref=friend`);
});

test('after logging in by the form, the user returns to the chat of the link', async ({
  open,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  const chatId = -unique();
  await nori.chat(member, chatId, 'Rice lovers');

  const opened = await open({ container: 'browser', path: `/dashboard?chat=${chatId}` });
  await logIn(opened, member);

  await expect(toggle(opened.app, 'photo')).toBeVisible();
  expect(opened.app.url()).toContain(`chat=${chatId}`);
});

test('users are redirected from the forms to the dashboard, visitors from the dashboard to the forms', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { app } = await open({ container: 'browser', path: '/dashboard' });
  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();

  await stayLoggedIn(page, await nori.member(unique()));
  for (const path of ['/login', '/signup']) {
    // One address after the other.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(nori.origin + path);
    await expect(page).toHaveURL(/\/dashboard/);
  }
});

test('a wrong password is reported on the form and in the log, without the password', async ({
  open,
  nori,
  unique,
  expected,
}) => {
  expected.push(/status of 401.*\/login$/);
  const member = await nori.member(unique());
  const opened = await open({ container: 'browser', path: '/login' });

  await logIn(opened, { telegramId: member.telegramId, password: 'not the right one' });

  await expect(opened.app.getByRole('alert')).toContainText('Wrong Telegram user ID or password.');
  const log = opened.app.getByRole('log');
  await expect(log).toContainText('Server status: 401');
  await expect(log).not.toContainText('not the right one');
});
