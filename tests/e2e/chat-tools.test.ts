/** Copying settings, two owners at once, the history, and groups that arrive, in a real browser. */
import {
  choose,
  type Container,
  expect,
  type Frame,
  type Nori,
  openApp,
  showTopic,
  stayLoggedIn,
  test,
  toggle,
  thoroughIf,
} from '#tests/e2e';
import { type Member, startNori } from '#tests/e2e-server';

const dialog = (app: Frame) => app.getByRole('dialog', { name: 'Copy the settings of General' });

/** A user who manages "Rice lovers", with some topics. */
async function manager(nori: Nori, unique: () => number, topics: readonly number[] = []) {
  const member = await nori.member(unique());
  const chatId = -1_000_000_000_000 - unique();
  await nori.chat(member, chatId, 'Rice lovers');
  for (const topic of topics) {
    await nori.call(`/chats/${chatId}/topics?topic_id=${topic}`, undefined, member);
  }
  return { member, chatId, path: `/dashboard?chat=${chatId}` };
}

/** A second manager of the chat, whom its owner has confirmed by a code. */
async function shareWith(nori: Nori, owner: Member, { unique, chatId }: Shared): Promise<Member> {
  const friend = await nori.member(unique());
  const creator = owner.telegramId;
  nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator, members: [friend.telegramId] });
  await nori.call('/chats', { chat_id: String(chatId) }, friend);
  const otp = nori.botApi.lastCode(owner.telegramId);
  await nori.call(`/chats/verify?chat_id=${chatId}&otp=${otp}`, undefined, friend);
  return friend;
}
type Shared = { readonly unique: () => number; readonly chatId: number };

for (const container of ['browser', 'phone browser', 'weba', 'ios'] satisfies Container[]) {
  test(
    `settings are copied after a preview, and the copy is undone: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, page, nori, unique }) => {
      const { member, chatId, path } = await manager(nori, unique, [4, 9]);
      await nori.block(member, chatId, 'photo');
      await nori.block(member, chatId, 'url');
      await stayLoggedIn(page, member);
      const { app, reload } = await open({ container, path, telegramId: member.telegramId });
      await expect(toggle(app, 'photo')).toBeChecked();

      await choose(app, 'Copy to..., General', 'Menu, General');
      await dialog(app).getByRole('checkbox', { name: 'All topics (2), Rice lovers' }).check();
      await expect(dialog(app).getByText('2 topics chosen')).toBeVisible();
      await dialog(app).getByRole('button', { name: 'Preview' }).click();
      await expect(dialog(app).getByText('4 changes in 2 topics')).toBeVisible();
      await dialog(app).getByText('Topic 9: 2 changes').click();
      // The section of Topic 4 is there, and closed.
      await expect(dialog(app).getByText('photo: Allowed → Blocked').first()).toBeHidden();
      await expect(dialog(app).getByText('photo: Allowed → Blocked').last()).toBeVisible();
      await dialog(app).getByRole('button', { name: 'Change 4 settings' }).click();

      await expect(app.getByText('General copied: 4 settings changed.')).toBeVisible();
      await showTopic(app, 'Topic 9');
      await expect(toggle(app, 'photo', 'Topic 9')).toBeChecked();
      await app.getByRole('button', { name: 'Undo' }).click();
      await expect(app.getByText('Undone: everything is as it was.')).toBeVisible();
      await expect(toggle(app, 'photo', 'Topic 9')).not.toBeChecked();
      await reload();
      await showTopic(app, 'General');
      await expect(toggle(app, 'photo')).toBeChecked();
      await showTopic(app, 'Topic 9');
      await expect(toggle(app, 'photo', 'Topic 9')).not.toBeChecked();
    },
  );
}

test('settings are copied to 500 topics by keyboard alone, and only rows near the screen are rendered', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const topics = Array.from({ length: 499 }, (_topic, index) => index + 1);
  const { member, chatId, path } = await manager(nori, unique, topics);
  await nori.block(member, chatId, 'photo');
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'browser', path });
  await expect(toggle(app, 'photo')).toBeChecked();

  await app.getByRole('button', { name: 'Menu, General' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(app.getByRole('menuitem', { name: 'Copy to..., General' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(app)).toBeVisible();
  expect(await dialog(app).getByRole('checkbox').count()).toBeLessThan(100);
  await dialog(app).getByRole('searchbox').focus();
  await page.keyboard.press('Tab');
  await expect(
    dialog(app).getByRole('checkbox', { name: 'All topics (499), Rice lovers' }),
  ).toBeFocused();
  await page.keyboard.press('Space');
  await expect(dialog(app).getByText('499 topics chosen')).toBeVisible();
  await dialog(app).getByRole('button', { name: 'Preview' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(app).getByText('499 changes in 499 topics')).toBeVisible();
  expect(await dialog(app).locator('details').count()).toBeLessThan(100);
  await dialog(app).getByRole('button', { name: 'Change 499 settings' }).focus();
  await page.keyboard.press('Enter');

  await expect(app.getByText('General copied: 499 settings changed.')).toBeVisible();
  await expect(app.getByRole('button', { name: 'Menu, General' })).toBeFocused();
});

for (const container of ['browser', 'weba'] satisfies Container[]) {
  test(
    `a change by one owner is shown to the other at once, who reverts it: ${container}`,
    thoroughIf(container !== 'browser'),
    async ({ open, page, nori, unique, browser }) => {
      const { member, chatId, path } = await manager(nori, unique);
      const friend = await shareWith(nori, member, { unique, chatId });
      await stayLoggedIn(page, member);
      const mine = await open({ container, path, telegramId: member.telegramId });
      await expect(toggle(mine.app, 'photo')).not.toBeChecked();
      const device = await browser.newContext();
      const theirs = await device.newPage();
      await stayLoggedIn(theirs, friend);
      const { app } = await openApp(theirs, nori, { container: 'browser', path });

      // Each page receives the other's changes only when both are connected.
      await expect(async () => {
        await toggle(app, 'photo').press('Space');
        await expect(mine.app.getByText(/changed \d+ settings?$/)).toBeVisible({ timeout: 3000 });
      }).toPass();
      const isBlocked = await toggle(app, 'photo').isChecked();
      await expect(toggle(mine.app, 'photo')).toBeChecked({ checked: isBlocked });
      await expect(app.getByText(/changed \d+ settings?$/)).toHaveCount(0);

      await choose(mine.app, 'History of changes');
      const newest = mine.app.getByRole('main').getByRole('listitem').first();
      await expect(newest).toContainText(
        `Telegram ID ${friend.telegramId} ${isBlocked ? 'blocked' : 'allowed'} photo in General`,
      );
      await newest.getByRole('button', { name: /^Revert/ }).click();
      await (container === 'browser'
        ? mine.app.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
        : mine.emit('popup_closed', { button_id: 'revert' }));

      await expect(mine.app.getByText('Reverted: 1 setting.')).toBeVisible();
      await expect(newest).toContainText('You reverted 1 setting in General');
      await expect(toggle(app, 'photo')).toBeChecked({ checked: !isBlocked });
      await device.close();
    },
  );
}

test('a group can be verified after the bot was added to it, or after it was picked in Telegram', async ({
  page,
  unique,
}) => {
  const nori = await startNori({ BOT_MODE: 'polling' });
  try {
    const member = await nori.member(unique());
    const { id, username } = nori.botApi.bot;
    const from = { id: member.telegramId, is_bot: false, first_name: 'Mika' };
    const bot = { id, is_bot: true, first_name: 'Nori', username };
    const brought = { id: -1_000_000_000_000 - unique(), type: 'supergroup', title: 'Tea house' };
    const picked = { id: -1_000_000_000_000 - unique(), title: 'Night market' };
    for (const chat of [brought, picked]) {
      nori.botApi.addChat({ ...chat, type: 'supergroup', creator: member.telegramId });
    }
    nori.botApi.updates.push({
      my_chat_member: {
        chat: brought,
        from,
        date: 0,
        old_chat_member: { user: bot, status: 'left' },
        new_chat_member: { user: bot, status: 'administrator', can_delete_messages: true },
      },
    });
    await nori.botApi.updates.confirmed();
    await stayLoggedIn(page, member);
    const { app } = await openApp(page, nori, {
      container: 'ios',
      path: '/dashboard',
      telegramId: member.telegramId,
      version: '9.6',
    });

    const waiting = app.getByRole('region', { name: 'Verify to manage' });
    await expect(waiting.getByRole('link', { name: /Tea house/ })).toBeVisible();
    await app.getByRole('button', { name: 'Add New Chat' }).click();
    await app.getByRole('button', { name: 'Pick a group' }).click();
    await expect(app.getByText('Waiting for the group to arrive...')).toBeVisible();
    nori.botApi.updates.push({
      message: {
        message_id: 7,
        date: 0,
        from,
        chat: { id: member.telegramId, type: 'private', first_name: 'Mika' },
        chat_shared: { request_id: 1, chat_id: picked.id, title: picked.title },
      },
    });

    await expect(app.getByRole('heading', { name: 'Verify Chat Ownership' })).toBeVisible();
    await expect(app.getByText('Night market')).toBeVisible();
  } finally {
    // The page is closed first: a stream that breaks off would be reported on its console.
    await page.close();
    await nori.close();
  }
});
