/**
 * Every screen in every state, loaded once for each container: axe finds nothing, nothing scrolls
 * sideways, and everything that can be pressed is large enough for a thumb.
 */
import { findSmallTargets, findViolations, measureOverflow } from '#tests/accessibility';
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

// `npm test` opens on a phone what the server itself shows. The states that a test brings about by answering in
// the server's place, the other containers, all widths and the dark theme are in the thorough tier; in `npm test`
// the contrast of both themes is that of the token pairs.
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
      thoroughIf(isThorough || prepare !== undefined),
      async ({ open, page, nori, unique, expected }) => {
        expected.push(screenComplaints);
        // A playing track moves for as long as it is shown.
        await page.emulateMedia({ reducedMotion: 'reduce' });
        const { member, chatId } = await owner(nori, unique, isTelegram);
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
          expect.soft(await findViolations(page, { rules: ['color-contrast'] })).toEqual([]);
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
