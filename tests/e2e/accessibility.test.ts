/** No screen and no state shuts anybody out: axe finds nothing, in both themes and both containers. */
import { AxeBuilder } from '@axe-core/playwright';

import { type Container, expect, type Page, palettes, settle, test } from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

async function violations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // The page around the app is Telegram's, and so are the colours of its buttons.
    .exclude('body > header')
    .exclude('#main-button')
    .options({ resultTypes: ['violations'] });
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => target.join(' ') !== 'html')
      .map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

for (const container of ['browser', 'phone browser', 'weba'] satisfies Container[]) {
  for (const theme of ['light', 'dark'] as const) {
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
          const problems = await violations(page);
          if (problems.length > 0) {
            found[name] = problems;
          }
        });
      }

      expect(found).toEqual({});
    });
  }
}
