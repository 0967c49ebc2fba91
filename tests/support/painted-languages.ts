/** What a user sees before a page is in their language. */
import { type Frame, type Page } from '@playwright/test';

/** Notes in which languages the page has painted text, also in pages that it left at once. */
export async function recordLanguages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const note = () => {
      const { documentElement: root, body } = document;
      if (root?.hidden === false && body?.innerText.trim()) {
        const painted = sessionStorage.getItem('e2e_painted') ?? '';
        if (!painted.endsWith(`${root.lang} ${root.dir};`)) {
          sessionStorage.setItem('e2e_painted', `${painted}${root.lang} ${root.dir};`);
        }
      }
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
}

/** Each language with its direction: `fa rtl;`. */
export const paintedLanguages = (app: Frame) =>
  app.evaluate(() => sessionStorage.getItem('e2e_painted') ?? '');
