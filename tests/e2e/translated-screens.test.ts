/**
 * Every screen in Arabic, from right to left, and in Hindi, whose letters are tall, and some in German, whose words are long:
 * axe finds nothing, and nothing scrolls sideways. `pseudo-language` tries every state of every screen with the longest
 * translation of each text, and in both directions.
 */
import { languagePath, languages } from '#contract/languages';
import { findViolations, measureOverflow } from '#tests/accessibility';
import { expect, requireLanguages, settle, stayLoggedIn, test, thoroughIf } from '#tests/e2e';
import { inLanguage } from '#tests/in-language';
import { owner, screenComplaints, screens } from '#tests/screens';

const widths = [320, 390, 1280];

/** Those that `npm test` looks at. */
const quickScreens: Readonly<Record<'de' | 'ar' | 'hi', readonly string[]>> = {
  de: ['the generator', 'the settings of a chat'],
  ar: ['features', 'the generator', 'the settings of a chat', 'the history of a chat'],
  hi: ['login'],
};

requireLanguages('de', 'ar', 'hi');
test.describe.configure({ mode: 'parallel' });
test.use({ hasTouch: true });

for (const tag of ['de', 'ar', 'hi'] as const) {
  for (const [name, screen] of Object.entries(screens)) {
    const { path, prepare, reach, isMain = false, isMember = false } = screen;
    if (!isMain || (tag === 'de' && !quickScreens.de.includes(name))) {
      continue;
    }
    test(
      `${name}: ${tag}`,
      thoroughIf(!quickScreens[tag].includes(name)),
      async ({ open, page, nori, unique, expected }) => {
        expected.push(screenComplaints);
        await page.emulateMedia({ reducedMotion: 'reduce' });
        const { member, chatId } = await owner(nori, unique);
        if (isMember) {
          await stayLoggedIn(page, member);
        }
        await prepare?.(page);
        const { app } = await open({
          container: 'phone browser',
          path: languagePath(tag, path(chatId)),
        });
        await reach(inLanguage(app, tag), page);
        await expect(app.locator('html')).toHaveAttribute('lang', tag);
        await expect(app.locator('html')).toHaveCSS('direction', languages[tag].direction);
        await settle(app);

        expect.soft(await findViolations(page)).toEqual([]);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          await settle(app);
          expect.soft(await measureOverflow(page), `at ${width} px`).toBeLessThanOrEqual(0);
        }
      },
    );
  }
}
