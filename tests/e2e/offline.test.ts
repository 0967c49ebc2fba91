/** Without a network: what this browser has seen opens, marked as old, and what is changed waits. */
import { expect, type Page, stayLoggedIn, test, toggle } from '#tests/e2e';

test.use({ serviceWorkers: 'allow' });

/** Waits until the worker has stored a page, with the files that it has loaded. */
async function untilStored(page: Page, path: string): Promise<void> {
  const isStored = () =>
    page.evaluate(async (wanted) => {
      const pages = await caches.open('nori-pages');
      const assets = await caches.open('nori-assets');
      const loaded = performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.startsWith('/assets/'));
      const stored = await Promise.all(loaded.map(({ name }) => assets.match(name)));
      return (await pages.match(wanted)) !== undefined && !stored.includes(undefined);
    }, path);
  await expect.poll(isStored).toBe(true);
}

test('pages that were seen open without a network, and a change is sent when there is one', async ({
  page,
  context,
  nori,
  unique,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Network Error/);
  const member = await nori.member(unique());
  const chatId = -1_000_000_000_000 - unique();
  await nori.chat(member, chatId, 'Rice lovers');
  await nori.block(member, chatId, 'photo');
  await stayLoggedIn(page, member);
  const app = page.mainFrame();
  await page.goto(`${nori.origin}/features`);
  await expect(app.getByRole('heading', { name: 'Features', level: 1 })).toBeVisible();
  await untilStored(page, '/features');
  await page.goto(`${nori.origin}/dashboard?chat=${chatId}`);
  await expect(toggle(app, 'photo')).toBeChecked();
  await untilStored(page, '/dashboard');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('nori_last_known_chats')))
    .not.toBeNull();

  await context.setOffline(true);
  await page.reload();

  await expect(toggle(app, 'photo')).toBeChecked();
  await expect(app.getByText('Last known')).toBeVisible();
  await toggle(app, 'sticker').click();
  await expect(app.getByText('1 change waits for the network.')).toBeVisible();
  await page.goto(`${nori.origin}/features`);
  await expect(app.getByRole('heading', { name: 'Features', level: 1 })).toBeVisible();
  await page.goto(`${nori.origin}/dashboard?chat=${chatId}`);
  await expect(app.getByText('1 change waits for the network.')).toBeVisible();
  await expect(toggle(app, 'sticker')).toBeChecked();

  const written = page.waitForResponse((response) => response.request().method() === 'PUT');
  await context.setOffline(false);

  expect((await written).status()).toBe(200);
  await expect(app.getByText(/waits? for the network/)).toHaveCount(0);
  await expect(toggle(app, 'sticker')).toBeChecked();
});
