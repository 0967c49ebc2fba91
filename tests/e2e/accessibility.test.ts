/** No screen and no state shuts anybody out: axe finds nothing, in both themes and both containers. */
import { AxeBuilder } from '@axe-core/playwright';

import { expect, type Page, palettes, settle, test } from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

type Theme = keyof typeof palettes;

async function violations(page: Page, theme: Theme): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // The page around the app is Telegram's, and so are the colours of its buttons.
    .exclude('body > header')
    .exclude('#main-button')
    .options({
      resultTypes: ['violations'],
      // A theme changes the colours of a page and nothing else of it.
      ...(theme === 'dark' && { runOnly: ['color-contrast'] }),
    });
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => target.join(' ') !== 'html')
      .map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** The two browsers have the same colours, Telegram brings its own. */
const themes = {
  browser: ['light', 'dark'],
  'phone browser': ['light'],
  weba: ['light', 'dark'],
} as const;

for (const container of ['browser', 'phone browser', 'weba'] as const) {
  for (const theme of themes[container]) {
    test(`nobody is shut out of any screen: ${container}, ${theme}`, async ({
      open,
      page,
      nori,
      unique,
      expected,
    }) => {
      test.setTimeout(600_000);
      expected.push(screenComplaints);
      const { member, chatId } = await owner(nori, unique);
      const guestId = unique();
      if (container !== 'weba') {
        await becomeMember(page, nori, undefined);
        await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);
      }
      const found: Record<string, string[]> = {};

      // One page, one screen after the other.
      for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
        await test.step(name, async () => {
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          if (container !== 'weba') {
            await becomeMember(page, nori, isMember ? member : undefined);
          }
          await prepare?.(page);
          const { app } = await open({
            container,
            path: path(chatId),
            telegramId: isMember ? member.telegramId : guestId,
            palette: palettes[theme],
          });
          await reach(app, page);
          await expect(app.locator('html')).toHaveAttribute('data-theme', theme);
          // What still fades in is paler than it will be.
          await settle(app);
          const problems = await violations(page, theme);
          if (problems.length > 0) {
            found[name] = problems;
          }
        });
      }

      expect(found).toEqual({});
    });
  }
}
