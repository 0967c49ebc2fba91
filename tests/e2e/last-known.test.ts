/** The last known settings of a chat are shown at once, marked as such, until the server has answered. */
import { expect, type Nori, type Page, stayLoggedIn, test, toggle } from '#tests/e2e';

const storageKey = 'nori_last_known_chats';

const readStored = (page: Page) => page.evaluate((key) => localStorage.getItem(key), storageKey);

/** A user whose chat blocks photos. */
async function manager(nori: Nori, unique: () => number) {
  const member = await nori.member(unique());
  const chatId = -1_000_000_000_000 - unique();
  await nori.chat(member, chatId, 'Rice lovers');
  await nori.block(member, chatId, 'photo');
  return { member, chatId, path: `/dashboard?chat=${chatId}` };
}

/** Waits until the device knows the chat, with what it contains now. */
async function untilStored(page: Page, chatId: number): Promise<void> {
  await expect.poll(() => readStored(page)).toContain(String(chatId));
}

/** Holds back the server's answers about the chat. Returns the function that lets them through. */
async function holdAnswers(page: Page, chatId: number): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/backend/chats/${chatId}`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('a chat’s link inside Telegram shows what the device knows, and then the truth', async ({
  page,
  open,
  nori,
  unique,
}) => {
  const { member, chatId, path } = await manager(nori, unique);
  await stayLoggedIn(page, member);
  const { telegramId } = member;
  const first = await open({ container: 'android', path, telegramId });
  await expect(toggle(first.app, 'photo')).toBeChecked();
  await untilStored(page, chatId);
  await nori.block(member, chatId, 'video');
  const release = await holdAnswers(page, chatId);

  const { app } = await open({ container: 'android', telegramId, startParam: `chat_${chatId}` });

  await expect(toggle(app, 'photo')).toBeChecked();
  await expect(toggle(app, 'video')).not.toBeChecked();
  await expect(app.getByText('Last known')).toBeVisible();
  await expect(app.getByRole('heading', { name: 'Rice lovers' })).toBeVisible();

  release();

  await expect(toggle(app, 'video')).toBeChecked();
  await expect(toggle(app, 'photo')).toBeChecked();
  await expect(app.getByText('Last known')).toHaveCount(0);
});

test('a toggle on last known settings is sent, and nothing else is taken for confirmed', async ({
  page,
  nori,
  unique,
}) => {
  const { member, chatId, path } = await manager(nori, unique);
  await stayLoggedIn(page, member);
  await page.goto(nori.origin + path);
  const app = page.mainFrame();
  await expect(toggle(app, 'photo')).toBeChecked();
  await untilStored(page, chatId);
  const release = await holdAnswers(page, chatId);
  await page.reload();
  await expect(app.getByText('Last known')).toBeVisible();

  const written = page.waitForResponse((response) => response.request().method() === 'PUT');
  await toggle(app, 'sticker').click();
  expect((await written).status()).toBe(200);

  await expect(toggle(app, 'sticker')).toBeChecked();
  await expect(app.getByText('Last known')).toBeVisible();
  release();
  await expect(app.getByText('Last known')).toHaveCount(0);
  await expect(toggle(app, 'sticker')).toBeChecked();
  await page.reload();
  await expect(toggle(app, 'sticker')).toBeChecked();
});

test('logging out leaves nothing of them on the device', async ({ page, nori, unique }) => {
  const { member, chatId, path } = await manager(nori, unique);
  await stayLoggedIn(page, member);
  await page.goto(nori.origin + path);
  await untilStored(page, chatId);

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();

  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
  expect(await readStored(page)).toBeNull();
});

test('stored settings that cannot be read are dropped', async ({ page, nori, unique }) => {
  const { member, chatId, path } = await manager(nori, unique);
  await stayLoggedIn(page, member);
  await page.goto(nori.origin + path);
  const app = page.mainFrame();
  await untilStored(page, chatId);
  await page.evaluate(
    ([key, user]) =>
      localStorage.setItem(key, JSON.stringify({ user, chats: [{ chat_id: 'none', topics: 7 }] })),
    [storageKey, String(member.telegramId)] as const,
  );
  const release = await holdAnswers(page, chatId);

  await page.reload();

  await expect(app.getByText('Loading settings...')).toBeVisible();
  expect(await readStored(page)).toBeNull();
  release();
  await expect(toggle(app, 'photo')).toBeChecked();
});
