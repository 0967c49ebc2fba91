/**
 * Every screen in every state, loaded once for each container: axe finds nothing, nothing scrolls
 * sideways, and everything that can be pressed is large enough for a thumb.
 */
import { AxeBuilder } from '@axe-core/playwright';

import {
  type Container,
  expect,
  type Frame,
  type Page,
  palettes,
  settle,
  test,
  thoroughIf,
} from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

/** Of the window, in px. The thorough tier tries them all, `npm test` those of a phone and a laptop. */
const widths = [320, 360, 390, 768, 1024, 1280, 1440, 2560, 3840];
const commonWidths = [360, 1280];

/** A line of JSON is as tall as its text, and so is the arrow that folds it. */
const inLine = /^button: (?:Fold|Unfold) line \d/;

/** The rules of axe that the page breaks, each with the elements that break it. */
async function findViolations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page })
    // Telegram draws its header and its main button.
    .exclude('body > header')
    .exclude('#main-button')
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => target.join(' ') !== 'html')
      .map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** Returns by how many px the page is too wide, once the layout has followed the window. */
const measureOverflow = (page: Page) =>
  page.evaluate(async () => {
    const overflow = () =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const deadline = performance.now() + 10_000;
    while (overflow() > 0 && performance.now() < deadline) {
      await new Promise(requestAnimationFrame);
    }
    return overflow();
  });

/** Lists what can be pressed and is smaller than 44 px (less half a pixel of rounding). */
const findSmallTargets = async (app: Frame) => {
  const targets = await app.evaluate(() => {
    /** Some targets are pressed by all of the tile that they stand in, drawn as `::after`. */
    function targetSize(target: Element) {
      const { width, height } = target.getBoundingClientRect();
      const tile = getComputedStyle(target, '::after');
      const isTile = tile.position === 'absolute' && tile.pointerEvents !== 'none';
      const [tileWidth, tileHeight] = isTile
        ? [Number.parseFloat(tile.width) || 0, Number.parseFloat(tile.height) || 0]
        : [0, 0];
      return { width: Math.max(width, tileWidth), height: Math.max(height, tileHeight) };
    }

    return [...document.querySelectorAll('a, button, input, [role="switch"]')].flatMap(
      (element) => {
        const target = element.closest('label') ?? element;
        const { width, height } = target.getBoundingClientRect();
        const isShown =
          width > 1 && height > 1 && getComputedStyle(target).visibility === 'visible';
        // WCAG exempts a link inside a sentence.
        const isInText =
          element.localName === 'a' && getComputedStyle(element).display === 'inline';
        const label = `${element.localName}: ${element.ariaLabel ?? element.textContent}`;
        return isShown && !isInText ? [{ label, ...targetSize(target) }] : [];
      },
    );
  });
  return targets
    .filter(
      ({ label, width, height }) =>
        (width < 43.5 || height < 43.5) && !(inLine.test(label) && width >= 43.5),
    )
    .map(({ label, width, height }) => `${label} is ${width}×${height}`);
};

/** Changes to the dark theme, as Telegram's settings or another tab of the website do. */
async function turnDark(app: Frame, page: Page): Promise<void> {
  // Transitions below the fold do not run until they are scrolled to, but axe looks there, too.
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

test.describe.configure({ mode: 'parallel' });
test.use({ hasTouch: true });

// `npm test` opens each state on a phone. The other containers, all widths and the dark theme are
// in the thorough tier; in `npm test` the contrast of both themes is that of the token pairs.
for (const container of ['phone browser', 'browser', 'weba', 'android'] satisfies Container[]) {
  const isThorough = container !== 'phone browser';
  const isTelegram = !container.includes('browser');

  for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
    // Inside Telegram a visitor becomes a member at once; visitors see the same pages there.
    if (container === 'android' && !isMember && name !== 'home') {
      continue;
    }
    test(
      `${name}: ${container}`,
      thoroughIf(isThorough),
      async ({ open, page, nori, unique, expected }) => {
        expected.push(screenComplaints);
        // A playing track moves for as long as it is shown.
        await page.emulateMedia({ reducedMotion: 'reduce' });
        const { member, chatId } = await owner(nori, unique);
        if (!isTelegram) {
          await becomeMember(page, nori, isMember ? member : undefined);
        }
        await prepare?.(page);
        const { app } = await open({
          container,
          path: path(chatId),
          telegramId: isMember || container === 'android' ? member.telegramId : unique(),
        });

        await reach(app, page);
        await expect(app.locator('html')).toHaveAttribute('data-theme', 'light');
        // Elements that fade in have too little contrast until they have.
        await settle(app);

        expect.soft(await findViolations(page)).toEqual([]);
        if (container === 'phone browser' || container === 'android') {
          expect.soft(await findSmallTargets(app)).toEqual([]);
        }
        if (isThorough) {
          await turnDark(app, page);
          expect.soft(await findViolations(page, ['color-contrast'])).toEqual([]);
        }
        if (!isTelegram) {
          for (const width of isThorough ? widths : commonWidths) {
            await page.setViewportSize({ width, height: 800 });
            expect.soft(await measureOverflow(page), `at ${width} px`).toBeLessThanOrEqual(0);
          }
        }
      },
    );
  }
}

test('at the bottom of an iPhone nothing lies under the home indicator', async ({
  open,
  unique,
}) => {
  const { app } = await open({ container: 'ios', path: '/', telegramId: unique() });
  const home = app.getByRole('navigation').getByRole('button', { name: 'Home' });
  await expect(home).toBeVisible();

  await expect
    .poll(async () => {
      const box = await home.boundingBox();
      return 844 - ((box?.y ?? 0) + (box?.height ?? 0));
    })
    .toBeGreaterThanOrEqual(34);
});
