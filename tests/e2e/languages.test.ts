/** Pages in the user's language: by the browser, by Telegram, and by choice. */
import { languagePath, languages, languageTags } from '#contract/languages';
import {
  expect,
  type Frame,
  requireLanguages,
  stayLoggedIn,
  test,
  thoroughIf,
  waitForHydration,
} from '#tests/e2e';

requireLanguages('ru', 'ar');

const language = (app: Frame) => app.locator('html').getAttribute('lang');
/** The menu in the website's footer, whose label is in the language of the page. */
const footerMenu = (app: Frame) => app.getByRole('contentinfo').getByRole('combobox');

/** The addresses of the documents that the app has loaded, without their hashes. */
function recordLoads(app: Frame): string[] {
  const loads: string[] = [];
  app.page().on('request', (request) => {
    if (request.resourceType() === 'document' && request.frame() === app) {
      const { pathname, search } = new URL(request.url());
      loads.push(pathname + search);
    }
  });
  return loads;
}

test.describe('in a Russian browser', () => {
  test.use({ locale: 'ru-RU' });

  test('a plain address is Russian from the first byte', async ({ page, nori }) => {
    const answer = await page.goto(`${nori.origin}/login?a=1#top`);
    await waitForHydration(page.mainFrame());

    expect(await answer?.text()).toContain('<html lang="ru"');
    expect(page.url()).toBe(`${nori.origin}/ru/login?a=1#top`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  });

  test('who chose English stays with it, and Back leads back', async ({ page, nori }) => {
    await page.goto(nori.origin);
    await page.goto(`${nori.origin}/privacy-policy`);
    await waitForHydration(page.mainFrame());
    await footerMenu(page.mainFrame()).selectOption('en');
    await page.waitForURL(`${nori.origin}/privacy-policy`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');

    await page.goto(`${nori.origin}/login`);
    expect(await language(page.mainFrame())).toBe('en');
    await page.goBack();
    await expect(page).toHaveURL(`${nori.origin}/privacy-policy`);
    await waitForHydration(page.mainFrame());
    await page.goBack();

    await expect(page).toHaveURL(/\/(?:ru)?$/);
  });

  test('an unknown address says so in Russian', async ({ page, nori, expected }) => {
    expected.push(/status of 404/);
    const answer = await page.goto(`${nori.origin}/nowhere`);

    expect(answer?.status()).toBe(404);
    expect(page.url()).toBe(`${nori.origin}/ru/nowhere`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
    await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
  });
});

test('an English browser loads the plain address, once', async ({ page, nori }) => {
  const loads = recordLoads(page.mainFrame());

  await page.goto(`${nori.origin}/login`);
  await waitForHydration(page.mainFrame());

  expect(loads).toEqual(['/login']);
  expect(await language(page.mainFrame())).toBe('en');
});

test('a choice keeps the place, what was typed and the scroll position', async ({ page, nori }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto(`${nori.origin}/signup?a=1`);
  const app = page.mainFrame();
  await waitForHydration(app);
  const fields = page.getByRole('main').getByRole('textbox');
  await fields.nth(0).fill('4711');
  await fields.nth(1).fill('mika@example.org');
  await page.locator('input[type=password]').first().fill('seven herons wade');

  await footerMenu(app).scrollIntoViewIfNeeded();
  await footerMenu(app).selectOption('ar');

  await page.waitForURL(`${nori.origin}/ar/signup?a=1`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(fields.nth(0)).toHaveValue('4711');
  await expect(fields.nth(1)).toHaveValue('mika@example.org');
  await expect(page.locator('input[type=password]').first()).toHaveValue('');
  await expect(footerMenu(app)).toBeInViewport();
  await expect(footerMenu(app)).toHaveValue('ar');
  // The app knows it, too: a further key draws the form again.
  await fields.nth(1).press('End');
  await page.keyboard.type('x');
  await expect(fields.nth(0)).toHaveValue('4711');
  await expect(fields.nth(1)).toHaveValue('mika@example.orgx');
});

test('a choice keeps the session, and the next plain address follows it', async ({
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  await stayLoggedIn(page, member);
  await page.goto(`${nori.origin}/account`);
  const app = page.mainFrame();
  await waitForHydration(app);

  await footerMenu(app).selectOption('ru');

  await page.waitForURL(`${nori.origin}/ru/account`);
  await expect(page.getByText(String(member.telegramId)).first()).toBeVisible();
  await page.goto(`${nori.origin}/features`);
  expect(page.url()).toBe(`${nori.origin}/ru/features`);
});

test('a second tab stays as it is', async ({ page, nori, context }) => {
  const second = await context.newPage();
  await second.goto(`${nori.origin}/features`);
  await waitForHydration(second.mainFrame());
  await page.goto(`${nori.origin}/features`);
  await waitForHydration(page.mainFrame());

  await footerMenu(page.mainFrame()).selectOption('ru');
  await page.waitForURL(`${nori.origin}/ru/features`);

  expect(await language(second.mainFrame())).toBe('en');
  await second.getByRole('contentinfo').getByRole('link').first().click();
  await expect(second).toHaveURL(`${nori.origin}/privacy-policy`);
});

for (const container of ['ios', 'weba'] as const) {
  test(`Telegram in Russian opens Russian in one step on ${container}, with its launch data`, async ({
    open,
    page,
    nori,
    unique,
  }) => {
    const { telegramId } = await nori.member(unique());
    const addresses: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'document' && request.url().startsWith(nori.origin)) {
        addresses.push(new URL(request.url()).pathname);
      }
    });

    const { app } = await open({ container, telegramId, language: 'ru', path: '/account' });

    await expect(app.locator('html')).toHaveAttribute('lang', 'ru');
    expect(addresses).toEqual(['/account', '/ru/account']);
    await expect(app.locator('html')).toHaveAttribute('data-container', 'telegram');
    // The launch data has logged the user in.
    await expect(app.getByText(String(telegramId)).first()).toBeVisible();
  });
}

test.describe('in a Russian web view', () => {
  test.use({ locale: 'ru-RU' });

  test('the bot’s link says what the user chose, and English wins over the web view', async ({
    open,
    nori,
    unique,
  }) => {
    const { telegramId } = await nori.member(unique());

    const { app, reload } = await open({
      container: 'ios',
      telegramId,
      language: 'ar',
      path: '/account?lang=en',
    });

    await expect(app.locator('html')).toHaveAttribute('lang', 'en');
    await expect(app.getByRole('heading', { name: 'Your account' })).toBeVisible();
    expect(new URL(app.url()).pathname + new URL(app.url()).search).toBe('/account');
    await reload();
    await expect(app.locator('html')).toHaveAttribute('lang', 'en');
  });
});

test('a choice inside Telegram keeps the launch', async ({ open, nori, unique }) => {
  const { telegramId } = await nori.member(unique());
  const { app, pressBack } = await open({ container: 'android', telegramId, path: '/account' });
  await expect(app.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await app.getByRole('main').getByRole('combobox', { name: 'Language' }).selectOption('ru');

  await expect(app.locator('html')).toHaveAttribute('lang', 'ru');
  await waitForHydration(app);
  await expect(app.locator('html')).toHaveAttribute('data-container', 'telegram');
  await expect(app.getByText(String(telegramId)).first()).toBeVisible();
  expect(new URL(app.url()).pathname).toBe('/ru/account');
  // Back goes up, and stays in the language.
  await pressBack();
  await expect.poll(() => new URL(app.url()).pathname).toBe('/ru');
});

/** Those that `npm test` looks at, one for each direction; the thorough tier looks at all. */
const mainLanguages = new Set<string>(['fa', 'pt-BR']);

for (const tag of languageTags) {
  test(
    `pages in ${tag} are hydrated as they were sent`,
    thoroughIf(!mainLanguages.has(tag)),
    async ({ page, nori, unique }) => {
      const { direction } = languages[tag];
      requireLanguages(tag);
      for (const path of ['/', '/dashboard']) {
        if (path === '/dashboard') {
          await stayLoggedIn(page, await nori.member(unique()));
        }
        // What the browser reports of a page, such as a difference from the HTML, fails the test.
        const answer = await page.goto(nori.origin + languagePath(tag, path));
        await waitForHydration(page.mainFrame());

        expect(await answer?.text()).toContain(`<html lang="${tag}" dir="${direction}"`);
        await expect(page.locator('html')).toHaveAttribute('lang', tag);
        await expect(page.locator('html')).toHaveAttribute('dir', direction);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
      }
    },
  );
}
