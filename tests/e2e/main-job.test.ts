/** The main task: sign up, add a chat, prove ownership and block photos; the setting lasts everywhere. */
import {
  choose,
  type Container,
  expect,
  isBackShown,
  logIn,
  openApp,
  test,
  thoroughIf,
  toggle,
  typeCode,
} from '#tests/e2e';

for (const container of ['browser', 'phone browser', 'weba', 'ios'] satisfies Container[]) {
  test(
    `a group's owner blocks photos for good, in: ${container}`,
    thoroughIf(container === 'phone browser' || container === 'weba'),
    async ({ open, nori, unique, browser, expected }) => {
      // The test kills the server, and the page prefetches chunks and refreshes data by itself.
      expected.push(
        /ERR_(?:CONNECTION_(?:REFUSED|RESET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING) .*\/(?:assets|backend)\//,
      );
      const telegramId = unique();
      const chatId = -1_000_000_000_000 - unique();
      const password = 'wide rivers carry small boats';
      nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: telegramId });

      const opened = await open({ container, telegramId });
      const { app, submit, sent } = opened;

      await test.step('signs up with the code that the bot sends', async () => {
        if (opened.isTelegram) {
          // A new user is not asked to log in.
          await app.getByRole('navigation').getByRole('button', { name: 'Login' }).click();
        } else {
          await app.getByRole('main').getByRole('link', { name: 'Login' }).first().click();
          await app.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
        }
        await expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible();
        const id = app.getByRole('textbox', { name: 'Telegram User ID' });
        if (opened.isTelegram) {
          await expect(id).toHaveValue(String(telegramId));
        } else {
          await id.fill(String(telegramId));
        }
        await app.getByRole('textbox', { name: 'Email Address' }).fill('owner@example.org');
        await app.getByLabel('Password', { exact: true }).fill(password);
        await app.getByLabel('Confirm Password', { exact: true }).fill(password);
        await submit('Continue');
        await expect(app.getByRole('heading', { name: 'Verify OTP' })).toBeVisible();
        await typeCode(app, nori.botApi.lastCode(telegramId));
        await submit('Verify OTP');
      });

      await test.step('adds the chat and proves ownership', async () => {
        await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
        await app.getByRole('textbox', { name: 'Telegram Chat ID' }).fill(String(chatId));
        await submit('Continue');
        if (opened.isTelegram) {
          // Telegram says who the owner is, so no code is sent.
          await app.getByRole('button', { name: /^Decide myself/ }).click();
        } else {
          await expect(app.getByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
          await typeCode(app, nori.botApi.lastCode(telegramId));
          await submit('Continue');
        }
        await expect(app.getByText(`ID: ${chatId}`)).toBeVisible();
      });

      await test.step('blocks photos in General', async () => {
        await expect(toggle(app, 'photo')).not.toBeChecked();
        const stored = app
          .page()
          .waitForResponse((response) => response.url().includes('/settings'));
        await toggle(app, 'photo').click();
        await expect(toggle(app, 'photo')).toBeChecked();
        expect((await stored).ok()).toBe(true);
      });

      if (opened.isTelegram) {
        await test.step('Telegram got the messages of a native app', async () => {
          await expect.poll(() => sent('web_app_ready')).toHaveLength(1);
          expect((await sent('web_app_set_header_color')).at(-1)?.data).toEqual({
            color: '#f1f1f1',
          });
          expect((await sent('web_app_trigger_haptic_feedback')).at(-1)?.data).toEqual({
            type: 'impact',
            impact_style: 'light',
          });
          expect((await sent('web_app_setup_main_button')).at(-1)?.data).toMatchObject({
            is_visible: false,
          });
          await expect(app.getByRole('banner')).toHaveCount(0);
          // Telegram's own arrow replaces the one in the page.
          await expect(app.getByRole('button', { name: 'Back to List' })).toBeHidden();
          await choose(app, 'Back to List');
          await expect.poll(() => isBackShown(opened)).toBe(false);
          await app.getByRole('link', { name: /Rice lovers/ }).click();
          await opened.pressBack();
          await expect(app.getByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
          await expect.poll(() => isBackShown(opened)).toBe(false);
          await app.getByRole('link', { name: /Rice lovers/ }).click();
          await expect.poll(() => isBackShown(opened)).toBe(true);
        });
      }

      await test.step('still blocked after a reload', async () => {
        await opened.reload();
        await expect(toggle(app, 'photo')).toBeChecked();
        await expect(toggle(app, 'video')).not.toBeChecked();
      });

      await test.step('still blocked after the server was killed and started again', async () => {
        await nori.restart();
        await opened.reload();
        await expect(toggle(app, 'photo')).toBeChecked();
      });

      await test.step('still blocked on another device', async () => {
        const device = await browser.newContext();
        const other = await openApp(await device.newPage(), nori, {
          container: 'browser',
          path: '/login',
        });
        await logIn(other, { telegramId, password });
        await other.app.getByRole('link', { name: /Rice lovers/ }).click();
        await expect(toggle(other.app, 'photo')).toBeChecked();
        await device.close();
      });
    },
  );
}
