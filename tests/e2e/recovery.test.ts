/** Getting back in without the password, and ending a session that is used elsewhere. */
import { type Container, expect, logIn, openApp, stayLoggedIn, test, typeCode } from '#tests/e2e';

const nextPassword = 'nine patient herons';

test('who has forgotten the password gets back in by a code of the bot, and all other sessions end', async ({
  open,
  browser,
  nori,
  unique,
  expected,
}) => {
  // The session elsewhere is refused once the password is another one.
  expected.push(/status of 401/);
  const member = await nori.member(unique());
  const { telegramId } = member;
  const signupCode = nori.botApi.lastCode(telegramId);
  const elsewhere = await (await browser.newContext()).newPage();
  await stayLoggedIn(elsewhere, member);
  const other = await openApp(elsewhere, nori, { container: 'browser', path: '/account' });
  await expect(other.app.getByText('This device')).toBeVisible();

  const opened = await open({ container: 'phone browser', path: '/login' });
  const { app, page, submit } = opened;
  await app.getByRole('link', { name: 'Forgot your password?' }).click();
  // The form before has a field of the same name.
  await expect(app.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await app.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
  await submit('Send OTP');
  await expect(app.getByText(`If Telegram user ${telegramId} has an account`)).toBeVisible();
  await expect.poll(() => nori.botApi.lastCode(telegramId)).not.toBe(signupCode);
  await app.getByLabel('New Password', { exact: true }).fill(nextPassword);
  await app.getByLabel('Confirm New Password', { exact: true }).fill(nextPassword);
  await typeCode(app, nori.botApi.lastCode(telegramId));
  await submit('Set Password');

  await expect(page).toHaveURL(/\/dashboard/);
  await other.reload();
  await expect(other.app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await logIn(other, { telegramId, password: nextPassword });
  await expect(elsewhere).toHaveURL(/\/(?:account|dashboard)/);
  await elsewhere.context().close();
});

for (const container of ['ios', 'weba'] satisfies Container[]) {
  test(`inside Telegram a new password needs neither the old one nor a code: ${container}`, async ({
    open,
    nori,
    unique,
  }) => {
    const { telegramId } = await nori.member(unique());
    const opened = await open({ container, path: '/account', telegramId });
    const { app, submit } = opened;

    await app.getByRole('link', { name: 'Set a new password' }).click();
    await app.getByLabel('New Password', { exact: true }).fill(nextPassword);
    await app.getByLabel('Confirm New Password', { exact: true }).fill(nextPassword);
    await submit('Set Password');

    await expect(app.getByText(/^Your new password is set/)).toBeVisible();
    // Throws where the new password is refused.
    await nori.call('/login', { telegram_id: String(telegramId), password: nextPassword });
  });
}

test('a session is ended on the account page while it is in use elsewhere', async ({
  open,
  page,
  browser,
  nori,
  unique,
  expected,
}) => {
  expected.push(/status of 401/);
  const member = await nori.member(unique());
  const { telegramId, password } = member;
  await nori.chat(member, -unique(), 'Rice lovers');
  const elsewhere = await (await browser.newContext()).newPage();
  const other = await openApp(elsewhere, nori, { container: 'browser', path: '/login' });
  await logIn(other, { telegramId, password });
  await other.app.getByRole('link', { name: /Rice lovers/ }).click();
  await expect(other.app.getByRole('switch', { name: 'photo, General' })).toBeVisible();

  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'browser', path: '/account' });
  const sessions = app.getByRole('list', { name: 'Your sessions' });
  const theirs = sessions.getByRole('listitem').filter({ hasNotText: 'This device' });
  await theirs.getByRole('button', { name: /^Log out/ }).click();
  await app.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);

  // The page there follows its chat and hears of the end by itself.
  await expect(other.app.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(app.getByText('This device')).toBeVisible();
  await elsewhere.context().close();
});
