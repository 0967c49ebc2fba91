/**
 * The pseudo-language stands for every other language: a text that is still plain English on its pages is
 * in no text module, so translators would never see it.
 */
import { expect, test, waitForHydration } from '#tests/e2e';
import { plainEnglish } from '#tests/plain-english';
import { startStaticSite } from '#tests/static-site';

let site: Awaited<ReturnType<typeof startStaticSite>>;

test.beforeAll(async () => {
  // It builds the app.
  test.setTimeout(300_000);
  site = await startStaticSite({ NORI_LANGUAGES: 'en-XA' });
});

test.afterAll(() => site.close());

test.beforeEach(({ expected }) => {
  // There is no server behind these pages.
  expected.push(/status of (?:404|405)/);
});

for (const path of ['/features', '/login']) {
  test(`no text of ${path} is plain English`, async ({ page }) => {
    await page.goto(`${site.origin}${path}`);
    await waitForHydration(page.mainFrame());

    await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^⟦.+⟧$/);
    expect(await plainEnglish(page)).toEqual([]);
  });
}

test('a text outside of the text modules is found, also one for screen readers', async ({
  page,
}) => {
  await page.goto(`${site.origin}/login`);
  await waitForHydration(page.mainFrame());

  await page.evaluate(() => {
    document.querySelector('h1')?.append(' left over');
    document.querySelector('main')?.setAttribute('aria-label', 'Forgotten label');
  });

  expect(await plainEnglish(page)).toEqual(['Forgotten label', 'left over']);
  expect(await plainEnglish(page, [/left over/g])).toEqual(['Forgotten label']);
});
