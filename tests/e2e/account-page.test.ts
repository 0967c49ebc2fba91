/** The account page in a real browser: how it is reached and used, and its accessibility. */
import { findSmallTargets, findViolations, measureOverflow } from '#tests/accessibility';
import {
  type Container,
  expect,
  palettes,
  settle,
  stayLoggedIn,
  test,
  thoroughIf,
} from '#tests/e2e';

const nextPassword = 'nine patient herons';

for (const container of ['browser', 'phone browser', 'weba', 'ios'] satisfies Container[]) {
  test(
    `a member finds the page, sees their session, and changes the password: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, page, nori, unique }) => {
      const member = await nori.member(unique());
      const { telegramId } = member;
      const isTelegram = !container.includes('browser');
      if (!isTelegram) {
        await stayLoggedIn(page, member);
      }
      const { app } = await open({ container, path: '/dashboard', telegramId });
      const account = app.getByRole('main').getByRole('link', { name: 'Account' });

      if (isTelegram) {
        await app.getByRole('button', { name: 'More' }).click();
        await app.getByRole('dialog').getByRole('link', { name: 'Account' }).click();
      } else {
        await account.click();
      }
      await expect(app.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
      await expect(app.getByText('This device')).toBeVisible();

      await app.getByLabel('Current Password', { exact: true }).fill(member.password);
      await app.getByLabel('New Password', { exact: true }).fill(nextPassword);
      await app.getByLabel('Confirm New Password', { exact: true }).fill(nextPassword);
      await app.getByRole('button', { name: 'Change Password' }).click();

      await expect(app.getByText(/^Your password is changed/)).toBeVisible();
      await expect(app.getByRole('heading', { name: 'Change password' })).toBeFocused();
      await expect(app.getByRole('listitem').filter({ hasText: 'Last seen' })).toHaveCount(1);
    },
  );
}

for (const container of ['browser', 'phone browser', 'weba'] satisfies Container[]) {
  for (const theme of ['light', 'dark'] as const) {
    test(
      `axe finds nothing, and it fits: ${container}, ${theme}`,
      thoroughIf(container !== 'phone browser' || theme === 'dark'),
      async ({ open, page, nori, unique }) => {
        const member = await nori.member(unique());
        if (container !== 'weba') {
          await stayLoggedIn(page, member);
          await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
        }
        const { app } = await open({
          container,
          path: '/account',
          telegramId: member.telegramId,
          palette: palettes[theme],
        });
        await expect(app.getByText('This device')).toBeVisible();
        await app.getByRole('button', { name: 'Change Password' }).click();
        await expect(app.getByText('All fields are required')).toBeVisible();

        await settle(app);
        expect(await findViolations(page)).toEqual([]);

        if (container === 'phone browser') {
          for (const width of [320, 390]) {
            await page.setViewportSize({ width, height: 800 });
            expect(await measureOverflow(app), `at ${width} px`).toBeLessThanOrEqual(0);
          }
          expect(await findSmallTargets(app)).toEqual([]);
        }
      },
    );
  }
}

test('deleting the account leads Home, logged out', async ({ open, page, nori, unique }) => {
  const member = await nori.member(unique());
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'browser', path: '/account' });

  await app.getByLabel('Password', { exact: true }).fill(member.password);
  await app.getByLabel('Password', { exact: true }).press('Enter');
  await app.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();

  await expect(app.getByText('Your account is deleted.')).toBeVisible();
  await expect(page).toHaveURL(`${nori.origin}/`);
  await expect(
    app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }),
  ).toBeVisible();
});
