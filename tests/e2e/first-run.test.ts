/** The first run: from the bot's menu button to the first blocked type, by itself and counted in taps. */
import {
  type Container,
  expect,
  type Frame,
  type Nori,
  openApp,
  type Page,
  stayLoggedIn,
  test as base,
  thoroughIf,
  toggle,
  typeCode,
} from '#tests/e2e';
import { startNori } from '#tests/e2e-server';
import { moveBot } from '#tests/moved-bot';

/** The bot receives updates: who adds it to a group is an update. */
const test = base.extend<object, { readonly nori: Nori }>({
  nori: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter.
    async ({}, use) => {
      const nori = await startNori({ BOT_MODE: 'polling' });
      await use(nori);
      await nori.close();
    },
    { scope: 'worker' },
  ],
});

/** Every tap in Nori counts; those in Telegram's own dialogs are Telegram's. */
async function countTaps(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.addEventListener(
      'click',
      ({ isTrusted }) => {
        if (isTrusted) {
          sessionStorage.setItem('taps', String(Number(sessionStorage.getItem('taps')) + 1));
        }
      },
      true,
    );
  });
}

const readTaps = (app: Frame) => app.evaluate(() => Number(sessionStorage.getItem('taps')));

const heading = (app: Frame, name: string) => app.getByRole('heading', { level: 2, name });
const button = (app: Frame, name: string) =>
  app.getByRole('main').getByRole('button', { name, exact: true });
/** The step that the list says is the current one. */
const currentStep = (app: Frame) =>
  app.getByRole('list', { name: 'Steps to set up a group' }).locator('[aria-current="step"]');
const addLink =
  '?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics';

for (const container of ['ios', 'android', 'weba', 'webk'] satisfies Container[]) {
  test(
    `from the menu button to the first blocked type it takes four taps, in: ${container}`,
    thoroughIf(container !== 'ios'),
    async ({ open, nori, unique, page }) => {
      await countTaps(page);
      const telegramId = unique();
      const id = -1_000_000_000_000 - unique();
      await nori.member(telegramId);
      const opened = await open({ container, telegramId });
      const { app } = opened;

      await app.getByRole('navigation').getByRole('button', { name: 'Dashboard' }).click();
      await expect(currentStep(app)).toContainText('Add the bot to your group');
      await app.getByRole('link', { name: 'Add the bot' }).click();
      await expect
        .poll(async () => (await opened.sent('web_app_open_tg_link')).at(-1)?.data)
        .toMatchObject({ path_full: `/nori_test_bot${addLink}` });

      await test.step('in Telegram: the group, and "Add bot as administrator"', async () => {
        nori.botApi.addChat({ id, title: 'Rice lovers', creator: telegramId });
        moveBot(nori.botApi, { id, by: telegramId }, ['left', 'administrator']);
      });

      await expect(currentStep(app)).toContainText('Show that the group is yours');
      await expect(app.getByText('Rice lovers')).toBeVisible();
      await button(app, 'This is my group').click();
      await expect(heading(app, 'What shall be blocked?')).toBeVisible();
      await app.getByRole('button', { name: /^Photos and text/ }).click();

      await expect(toggle(app, 'video')).toBeChecked();
      await expect(toggle(app, 'photo')).not.toBeChecked();
      await expect(app.getByText(/Done\. Photos and text: \d+ settings changed/)).toBeVisible();
      expect(await readTaps(app)).toBe(4);
      expect(nori.botApi.messages.filter(({ text }) => /is the code to manage/.test(text))).toEqual(
        [],
      );

      await test.step('a video is deleted from now on', async () => {
        nori.botApi.updates.push({
          message: {
            message_id: 77,
            date: Math.floor(Date.now() / 1000),
            chat: { id, type: 'supergroup', title: 'Rice lovers' },
            from: { id: 5, is_bot: false, first_name: 'Mo' },
            video: { file_id: 'a', file_unique_id: 'b', width: 1, height: 1, duration: 1 },
          },
        });
        await expect.poll(() => nori.botApi.deletions.gone(id)).toEqual([77]);
      });

      await test.step('and undone by one more tap', async () => {
        await app.getByRole('button', { name: 'Undo' }).click();
        await expect(toggle(app, 'video')).not.toBeChecked();
      });
    },
  );
}

test('a group that the bot joined without its right is led through the right, each step by itself', async ({
  open,
  nori,
  unique,
}) => {
  const telegramId = unique();
  const group = { id: -1_000_000_000_000 - unique(), by: telegramId };
  await nori.member(telegramId);
  const chat = nori.botApi.addChat({
    id: group.id,
    title: 'Rice lovers',
    creator: telegramId,
    bot: 'member',
  });
  const { app, emit } = await open({ container: 'ios', telegramId, path: '/dashboard?step=add' });
  await expect(currentStep(app)).toContainText('Add the bot to your group');

  moveBot(nori.botApi, group, ['left', 'member']);
  await expect(currentStep(app)).toContainText('Let it delete messages');
  await expect(
    app.getByRole('status').getByText('Step 2 of 4: Let it delete messages'),
  ).toBeAttached();
  await expect(app.getByRole('link', { name: 'Give the right' })).toHaveAttribute(
    'href',
    `https://t.me/nori_test_bot${addLink}`,
  );
  chat.bot = 'administrator';
  moveBot(nori.botApi, group, ['member', 'administrator']);
  await emit('visibility_changed', { is_visible: true });
  await expect(currentStep(app)).toContainText('Show that the group is yours');
});

test('the choice of a preset is in the address, and never comes again', async ({
  open,
  nori,
  unique,
}) => {
  const telegramId = unique();
  const group = { id: -1_000_000_000_000 - unique(), by: telegramId };
  await nori.member(telegramId);
  nori.botApi.addChat({ id: group.id, title: 'Rice lovers', creator: telegramId });
  moveBot(nori.botApi, group, ['left', 'administrator']);
  await nori.botApi.updates.confirmed();
  const opened = await open({ container: 'ios', telegramId, path: '/dashboard' });
  const { app } = opened;

  await app.getByRole('link', { name: /Rice lovers/ }).click();
  await button(app, 'This is my group').click();
  await expect(heading(app, 'What shall be blocked?')).toBeVisible();
  await opened.reload();
  await expect(heading(app, 'What shall be blocked?')).toBeVisible();
  await app.getByRole('button', { name: /^Decide myself/ }).click();
  await expect(toggle(app, 'photo')).not.toBeChecked();
  await opened.pressBack();
  await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();

  const presets = `/dashboard?chat=${group.id}&view=presets`;
  const again = await openApp(opened.page, nori, { container: 'ios', telegramId, path: presets });
  await again.app.getByRole('button', { name: /^Quiet night/ }).click();
  await expect(toggle(again.app, 'sticker')).toBeChecked();
  const third = await openApp(opened.page, nori, { container: 'ios', telegramId, path: presets });
  await expect(toggle(third.app, 'sticker')).toBeChecked();
  await expect(heading(third.app, 'What shall be blocked?')).toHaveCount(0);
});

test('an administrator who is not the owner is told so, and goes on with the owner’s code', async ({
  open,
  nori,
  unique,
  expected,
}) => {
  expected.push(/status of 403.*\/claim$/);
  const [telegramId, ownerId] = [unique(), unique()];
  const group = { id: -1_000_000_000_000 - unique(), by: telegramId };
  await nori.member(telegramId);
  nori.botApi.addChat({
    id: group.id,
    title: 'Rice lovers',
    creator: ownerId,
    administrators: [telegramId],
  });
  moveBot(nori.botApi, group, ['left', 'administrator']);
  await nori.botApi.updates.confirmed();
  const opened = await open({
    container: 'ios',
    telegramId,
    path: `/dashboard?verify=${group.id}`,
  });
  const { app } = opened;

  await button(app, 'This is my group').click();
  await expect(app.getByRole('alert')).toContainText('you are not the owner of this chat');
  await button(app, 'Send code').click();
  await expect(app.getByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
  await typeCode(app, nori.botApi.lastCode(ownerId));
  await opened.submit('Continue');
  await expect(heading(app, 'What shall be blocked?')).toBeVisible();
});

test('on the website the same steps lead through the owner’s code', async ({
  open,
  nori,
  unique,
  page,
}) => {
  const member = await nori.member(unique());
  const group = { id: -1_000_000_000_000 - unique(), by: member.telegramId };
  await stayLoggedIn(page, member);
  const { app, submit } = await open({ container: 'phone browser', path: '/dashboard' });
  await expect(app.getByRole('link', { name: 'Add the bot' })).toHaveAttribute(
    'href',
    `https://t.me/nori_test_bot${addLink}`,
  );
  nori.botApi.addChat({ id: group.id, title: 'Rice lovers', creator: member.telegramId });
  moveBot(nori.botApi, group, ['left', 'administrator']);

  await expect(currentStep(app)).toContainText('Show that the group is yours');
  await expect(button(app, 'This is my group')).toHaveCount(0);
  await button(app, 'Send code').click();
  await expect(app.getByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
  await typeCode(app, nori.botApi.lastCode(member.telegramId));
  await submit('Continue');
  await app.getByRole('button', { name: /^Text only/ }).click();
  await expect(toggle(app, 'photo')).toBeChecked();
});

test('a newcomer who presses the button of the bot’s message signs up first, and goes on with that group', async ({
  open,
  nori,
  unique,
  expected,
}) => {
  const telegramId = unique();
  const group = { id: -1_000_000_000_000 - unique(), by: telegramId };
  expected.push(new RegExp(`status of 404.*/chats/${group.id}`));
  nori.botApi.addChat({ id: group.id, title: 'Rice lovers', creator: telegramId });
  moveBot(nori.botApi, group, ['left', 'administrator']);
  // The bot waits a moment before it writes.
  await expect
    .poll(() => nori.botApi.messages.find(({ to }) => to === telegramId)?.text)
    .toContain('Two taps are left');
  const opened = await open({ container: 'ios', telegramId, startParam: `chat_${group.id}` });
  const { app } = opened;

  await expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  await app.getByRole('textbox', { name: 'Email Address' }).fill('owner@example.org');
  await app.getByLabel('Password', { exact: true }).fill('wide rivers carry small boats');
  await app.getByLabel('Confirm Password', { exact: true }).fill('wide rivers carry small boats');
  await opened.submit('Continue');
  await expect(app.getByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  await typeCode(app, nori.botApi.lastCode(telegramId));
  await opened.submit('Verify OTP');

  await button(app, 'This is my group').click();
  await app.getByRole('button', { name: /^No links or forwards/ }).click();
  await expect(toggle(app, 'url')).toBeChecked();
});
