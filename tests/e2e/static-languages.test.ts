/**
 * On a host that knows files alone, the pages' own scripts open each address in the user's language, and every link
 * leads to a page that is there.
 */
import { expect, test, thoroughIf, waitForHydration } from '#tests/e2e';
import { paintedLanguages, recordLanguages } from '#tests/painted-languages';
import { spoken } from '#tests/spoken';
import { startStaticSite } from '#tests/static-site';

const say = spoken('fa');
let site: Awaited<ReturnType<typeof startStaticSite>>;

test.use({ locale: 'fa-IR' });

test.beforeAll(async () => {
  // It builds the app.
  test.setTimeout(300_000);
  site = await startStaticSite(
    { NORI_LANGUAGES: 'en,fa', VITE_BACKEND_URL: 'http://127.0.0.1:9/backend' },
    { isPlain: true },
  );
});

test.afterAll(() => site.close());

test.beforeEach(({ expected }) => {
  // There is no server behind these pages.
  expected.push(/status of 404|ERR_|Content Security Policy|CORS/);
});

test(
  'a Persian browser gets Persian pages, and its links stay there',
  thoroughIf(true),
  async ({ page }) => {
    await recordLanguages(page);
    await page.goto(`${site.origin}/features?category=inline#top`);
    const app = page.mainFrame();
    await waitForHydration(app);
    expect(page.url()).toMatch(/\/fa\/features\/?\?category=inline#top$/);

    const links = await page.getByRole('link').evaluateAll((all) =>
      all.flatMap((link) => {
        return link instanceof HTMLAnchorElement && link.origin === location.origin
          ? [link.href]
          : [];
      }),
    );
    expect(links.length).toBeGreaterThan(3);
    for (const link of new Set(links)) {
      expect(new URL(link).pathname).toMatch(/^\/fa(?:\/|$)/);
      const answer = await page.request.get(link);
      expect([link, answer.status()]).toEqual([link, 200]);
    }
    await page
      .getByRole('banner')
      .getByRole('link', { name: say('lib-page/labels.credits') })
      .click();
    await expect(page).toHaveURL(`${site.origin}/fa/credits`);
    await page.reload();
    await waitForHydration(app);
    expect(await paintedLanguages(app)).toBe('fa rtl;');
  },
);

test(
  'a choice of English lasts, also at plain addresses, and can be taken back',
  thoroughIf(true),
  async ({ page }) => {
    await page.goto(`${site.origin}/login`);
    const app = page.mainFrame();
    await waitForHydration(app);
    const menu = page.getByRole('contentinfo').getByRole('combobox');
    await menu.selectOption('en');
    await expect(page).toHaveURL(`${site.origin}/login`);
    await waitForHydration(app);
    await page.goto(`${site.origin}/features`);
    await waitForHydration(app);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');

    await menu.selectOption('As in the browser');
    await expect(page.locator('html')).toHaveAttribute('lang', 'fa');
    await expect(page).toHaveURL(/\/fa\/features\/?$/);
  },
);
