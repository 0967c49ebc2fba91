/** Settings of a chat in a real browser: the bot's health, presets, whole groups, undo, and 500 topics. */
import { type Locator } from '@playwright/test';

import {
  choose,
  type Container,
  expect,
  type Frame,
  type Nori,
  openApp,
  type OpenedApp,
  type OpenOptions,
  type Page,
  stayLoggedIn,
  test,
  toggle,
  thoroughIf,
} from '#tests/e2e';
import { type Member, startNori } from '#tests/e2e-server';

const switches = (app: Frame) => app.getByRole('switch', { checked: true });
const details = (app: Frame) => app.getByRole('dialog', { name: 'The bot in this chat' });

/** The update that Telegram sends when the bot loses the right to delete. */
function withoutDeleteRight({ botApi }: Nori, { telegramId }: Member, chatId: number) {
  const { id, username } = botApi.bot;
  const bot = { user: { id, is_bot: true, first_name: 'Nori', username }, status: 'administrator' };
  return {
    chat: { id: chatId, type: 'supergroup', title: 'Rice lovers' },
    from: { id: telegramId, is_bot: false, first_name: 'Mika' },
    date: 0,
    old_chat_member: { ...bot, can_delete_messages: true },
    new_chat_member: { ...bot, can_delete_messages: false },
  };
}

/** A user who manages a chat, logged in on the page. */
async function manager(nori: Nori, unique: () => number) {
  const member = await nori.member(unique());
  const chatId = -1_000_000_000_000 - unique();
  await nori.chat(member, chatId, 'Rice lovers');
  return { member, chatId, path: `/dashboard?chat=${chatId}` };
}

for (const container of ['browser', 'phone browser', 'weba', 'ios'] satisfies Container[]) {
  test(
    `a preset is previewed, applied and undone: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, page, nori, unique }) => {
      const { member, chatId, path } = await manager(nori, unique);
      await nori.block(member, chatId, 'photo');
      await stayLoggedIn(page, member);
      const { app, reload } = await open({ container, path, telegramId: member.telegramId });
      await expect(toggle(app, 'photo')).toBeChecked();

      await choose(app, 'Presets, General', 'Menu, General');
      const dialog = app.getByRole('dialog', { name: 'Presets for General' });
      await dialog.getByRole('radio', { name: 'Photos and text' }).check();
      await expect(dialog.getByText('1 message type will be allowed: photo')).toBeVisible();
      await expect(dialog.getByText(/^23 message types will be blocked: video,/)).toBeVisible();
      await expect(switches(app)).toHaveCount(1);
      await dialog.getByRole('button', { name: 'Apply' }).click();

      await expect(app.getByText('Photos and text in General: 24 settings changed.')).toBeVisible();
      await expect(switches(app)).toHaveCount(20);
      await expect(app.getByRole('button', { name: 'Menu, General' })).toBeFocused();
      await app.getByRole('button', { name: 'Undo' }).click();

      await expect(app.getByText('Undone: everything is as it was.')).toBeVisible();
      await expect(switches(app)).toHaveCount(1);
      await reload();
      await expect(toggle(app, 'photo')).toBeChecked();
      await expect(switches(app)).toHaveCount(1);
    },
  );
}

test('a setting is pressed by its switch, its name, or the line about it', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { member, path } = await manager(nori, unique);
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'phone browser', path });

  /** Presses a point of the screen: the topmost element there. */
  const press = async (words: Locator) => {
    const { x = 0, y = 0 } = (await words.boundingBox()) ?? {};
    await page.mouse.click(x + 20, y + 8);
  };

  // Parts that load later would move the rows.
  await expect(app.getByRole('button', { name: 'Block all: Origin, General' })).toBeVisible();
  await toggle(app, 'voice').click();
  await expect(toggle(app, 'voice')).toBeChecked();
  await expect(toggle(app, 'voice')).not.toHaveAttribute('aria-disabled');
  await press(app.getByText('voice', { exact: true }));
  await expect(toggle(app, 'voice')).not.toBeChecked();
  await expect(toggle(app, 'voice')).not.toHaveAttribute('aria-disabled');
  await press(app.getByText('Recorded voice messages.'));
  await expect(toggle(app, 'voice')).toBeChecked();
});

test('a whole group is blocked and undone by keyboard alone, also from the list of chats', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { member, path } = await manager(nori, unique);
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'browser', path });
  const blockOrigin = app.getByRole('button', { name: 'Block all: Origin, General' });
  // The buttons appear when the server has reported that it supports bulk changes.
  await expect(blockOrigin).toBeVisible();
  await toggle(app, 'forward').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(blockOrigin).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(app.getByText('Origin in General: 2 settings blocked.')).toBeVisible();
  await expect(switches(app)).toHaveCount(2);
  await expect(blockOrigin).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(switches(app)).toHaveCount(0);
  await expect(blockOrigin).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(app.getByRole('button', { name: 'Undo' })).toBeVisible();
  await app.getByRole('button', { name: 'Back to List' }).press('Enter');
  await expect(app.getByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(app.getByText('Undone: everything is as it was.')).toBeVisible();
  await app.getByRole('link', { name: /Rice lovers/ }).click();
  await expect(toggle(app, 'forward')).not.toBeChecked();
  await expect(switches(app)).toHaveCount(0);
});

test.describe('a server whose bot listens', () => {
  for (const container of ['phone browser', 'ios'] satisfies Container[]) {
    test(
      `shows the bot’s rights, and opens the page that repairs them: ${container}`,
      thoroughIf(container !== 'ios'),
      async ({ page, unique, context }) => {
        const nori = await startNori({ BOT_MODE: 'polling' });
        try {
          const { member, chatId, path } = await manager(nori, unique);
          const inChat = nori.botApi.addChat({
            id: chatId,
            title: 'Rice lovers',
            creator: member.telegramId,
            isForum: true,
          });
          await stayLoggedIn(page, member);
          const options = { container, path, telegramId: member.telegramId };
          // An event before the page is connected reaches it only with its next request.
          const isListening = page.waitForResponse((response) =>
            response.url().endsWith('/events'),
          );
          const { app, isTelegram, sent } = await openApp(page, nori, options);
          await isListening;
          await app.getByRole('button', { name: 'All good' }).click();
          await expect(
            details(app).getByText('All good: what you block is deleted.'),
          ).toBeVisible();
          await expect(details(app).getByRole('listitem')).toHaveText([
            'In the chat',
            'May delete',
            'Sees all members',
            'Topics are on',
          ]);

          inChat.botMayDelete = false;
          nori.botApi.updates.push({ my_chat_member: withoutDeleteRight(nori, member, chatId) });
          const invite = details(app).getByRole('link', { name: 'Give the right' });
          await expect(invite).toBeVisible();
          await expect(details(app).getByRole('link')).toHaveCount(1);
          const address = `${nori.botApi.bot.username}?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics`;
          if (isTelegram) {
            await invite.click();
            await expect
              .poll(async () => (await sent('web_app_open_tg_link')).at(-1)?.data)
              .toEqual({ path_full: `/${address}` });
          } else {
            await context.route('https://t.me/**', (route) => route.fulfill({ body: 'Telegram' }));
            const opened = context.waitForEvent('page');
            await invite.click();
            expect((await opened).url()).toBe(`https://t.me/${address}`);
          }
        } finally {
          // The page is closed first: a stream that breaks off would be reported on its console.
          await page.close();
          await nori.close();
        }
      },
    );
  }
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('a finger that rests on a row blocks its message type in all topics', async ({
    open,
    page,
    nori,
    unique,
  }) => {
    const { member, chatId, path } = await manager(nori, unique);
    await nori.call(`/chats/${chatId}/topics?topic_id=4`, undefined, member);
    await stayLoggedIn(page, member);
    const { app, sent } = await open({ container: 'ios', path, telegramId: member.telegramId });
    await expect(app.getByRole('button', { name: 'Block all: Media, General' })).toBeVisible();
    const finger = await page.context().newCDPSession(page);
    const { x = 0, y = 0 } = (await app.getByText('Recorded voice').first().boundingBox()) ?? {};

    await finger.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x: x + 20, y: y + 8 }],
    });
    const menu = app.getByRole('menu', { name: 'All topics: voice, General' });
    await expect(menu).toBeVisible();
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(toggle(app, 'voice')).not.toBeChecked();
    expect((await sent('web_app_trigger_haptic_feedback')).at(-1)?.data).toEqual({
      type: 'impact',
      impact_style: 'medium',
    });
    await menu.getByRole('menuitem', { name: 'Block in all topics' }).tap();

    await expect(app.getByText('voice blocked in 2 topics.')).toBeVisible();
    await expect(toggle(app, 'voice', 'Topic 4')).toBeChecked();
    await toggle(app, 'voice').tap();
    await expect(toggle(app, 'voice')).not.toBeChecked();
    await app.getByRole('button', { name: 'Undo' }).tap();
    await expect(toggle(app, 'voice', 'Topic 4')).not.toBeChecked();
  });
});

type LargeChat = {
  readonly open: (options: OpenOptions) => Promise<OpenedApp>;
  readonly page: Page;
  readonly nori: Nori;
  readonly unique: () => number;
};

/** A chat of 500 topics, open in a window of this size. */
async function openLargeChat({ open, page, nori, unique }: LargeChat, container: Container) {
  const { member, chatId, path } = await manager(nori, unique);
  for (let topic = 1; topic < 500; topic += 1) {
    await nori.call(`/chats/${chatId}/topics?topic_id=${topic}`, undefined, member);
  }
  await stayLoggedIn(page, member);
  const opened = await open({ container, path });
  await expect(toggle(opened.app, 'photo')).toBeVisible();
  return opened;
}

/** Blocks nearly all in topic 437, found by its number, and undoes it, by the keyboard alone. */
async function changeByKeyboard({ app, page }: { readonly app: Frame; readonly page: Page }) {
  await app.getByRole('searchbox').focus();
  await page.keyboard.type('Topic 437');
  const menu = app.getByRole('button', { name: 'Menu, Topic 437' });
  await expect(menu).toBeVisible();
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await app.getByRole('radio', { name: 'Announcements only' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Apply' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(
    app.getByText('Announcements only in Topic 437: 35 settings changed.'),
  ).toBeVisible();
  await expect(switches(app)).toHaveCount(27);
  await page.keyboard.press('Control+z');
  await expect(app.getByText('Undone: everything is as it was.')).toBeVisible();
  await expect(switches(app)).toHaveCount(0);
}

test('a chat of 500 topics is searched, changed and undone by keyboard, and renders only the rows near the screen', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const opened = await openLargeChat({ open, page, nori, unique }, 'phone browser');
  const { app } = opened;

  await expect(app.locator('h3 [id^="topic-"]')).toHaveCount(500);
  expect(await app.getByRole('switch').count()).toBeLessThan(7 * 27);
  expect(await app.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(9000);

  await changeByKeyboard(opened);
  await expect(app.locator('h3 [id^="topic-"]')).toHaveCount(1);
});

test('beside the settings of one topic, a list of 500 renders only the part near the screen', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const opened = await openLargeChat({ open, page, nori, unique }, 'browser');
  const { app } = opened;
  const topics = app.getByRole('navigation', { name: 'Topics' });

  expect(await topics.getByRole('link').count()).toBeLessThan(100);
  await expect(app.getByRole('switch')).toHaveCount(27);
  await topics.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await expect(topics.getByRole('link', { name: 'Topic 499' })).toBeVisible();

  await changeByKeyboard(opened);
  await expect(topics.getByRole('link')).toHaveCount(1);
});
