/** No screen and no state shuts anybody out: axe finds nothing, in both themes and both containers. */
import { AxeBuilder } from '@axe-core/playwright';

import { expect, type Frame, type Page, palettes, settle, test } from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

// The longest tests there are: they share the workers instead of queueing for one.
test.describe.configure({ mode: 'parallel' });

async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // The page around the app is Telegram's, and so are the colours of its buttons.
    .exclude('body > header')
    .exclude('#main-button')
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) });
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => target.join(' ') !== 'html')
      .map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** The person turns to dark in Telegram's settings, or in another tab of the website. */
async function turnDark(app: Frame, page: Page): Promise<void> {
  // What is below the screen does not begin to fade before it is scrolled to; axe looks at it all the same.
  await app.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      element.style.setProperty('transition', 'none', 'important');
    }
  });
  if (app === page.mainFrame()) {
    await page.evaluate(() => {
      localStorage.setItem('theme', 'dark');
      window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
    });
  } else {
    await page.evaluate((palette) => window.setTelegramTheme?.(palette), palettes.dark);
  }
  await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark');
  await settle(app);
}

for (const container of ['browser', 'phone browser', 'weba'] as const) {
  test(`nobody is shut out of any screen: ${container}`, async ({
    open,
    page,
    nori,
    unique,
    expected,
  }) => {
    test.setTimeout(1_800_000);
    expected.push(screenComplaints);
    // A track that plays moves for as long as one looks at it.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { member, chatId } = await owner(nori, unique);
    const guestId = unique();
    if (container !== 'weba') {
      await becomeMember(page, nori, undefined);
    }
    const found: Record<string, string[]> = {};

    // One page, one screen after the other.
    for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
      await test.step(name, async () => {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        if (container !== 'weba') {
          await becomeMember(page, nori, isMember ? member : undefined);
          await page.evaluate(() => localStorage.setItem('theme', 'light'));
        }
        await prepare?.(page);
        const { app } = await open({
          container,
          path: path(chatId),
          telegramId: isMember ? member.telegramId : guestId,
        });
        await reach(app, page);
        await expect(app.locator('html')).toHaveAttribute('data-theme', 'light');
        // What still fades in is paler than it will be.
        await settle(app);
        const inLight = await violations(page);
        await turnDark(app, page);
        // A theme changes the colours of a page and nothing else of it.
        const inDark = await violations(page, ['color-contrast']);
        if (inLight.length + inDark.length > 0) {
          found[name] = [...inLight, ...inDark.map((problem) => `dark: ${problem}`)];
        }
      });
    }

    expect(found).toEqual({});
  });
}
