/**
 * Every screen in every state inside Telegram, and on the website in those that the server itself shows: axe finds nothing,
 * nothing scrolls sideways, and everything that can be pressed is large enough for a thumb.
 */
import { findSmallTargets, findViolations, measureOverflow } from '#tests/accessibility';
import {
  type Container,
  expect,
  type Screen,
  settle,
  stayLoggedIn,
  test,
  thoroughIf,
  turnDark,
} from '#tests/e2e';
import { owner, screenComplaints, screens } from '#tests/screens';

/** Of the window, in px: those of a phone and a laptop. */
const widths = [360, 1280];

/**
 * Where `npm run test:thorough` tries a screen inside Telegram. On the website it tries all of them with the longest
 * translation of each text (`pseudo-language`).
 */
function telegramContainers({
  isMain = false,
  isMember = false,
  isNeverFramed = false,
}: Screen): readonly Container[] {
  if (isNeverFramed) {
    return ['android'];
  }
  if (!isMember) {
    // The pages of visitors are the same on every platform.
    return ['weba'];
  }
  return isMain ? ['weba', 'android'] : ['android'];
}

test.describe.configure({ mode: 'parallel' });
test.use({ hasTouch: true });

// `npm test` opens them on a phone, in the light theme; there the contrast of both themes is that of the token pairs.
for (const [name, screen] of Object.entries(screens)) {
  const { path, prepare, reach, isMember = false } = screen;
  const containers: readonly Container[] = [
    ...(prepare === undefined ? (['phone browser'] as const) : []),
    ...telegramContainers(screen),
  ];

  for (const container of containers) {
    const isTelegram = container !== 'phone browser';
    test(
      `${name}: ${container}`,
      thoroughIf(isTelegram),
      async ({ open, page, nori, unique, expected }) => {
        expected.push(screenComplaints);
        // A playing track moves for as long as it is shown.
        await page.emulateMedia({ reducedMotion: 'reduce' });
        const { member, chatId } = await owner(nori, unique, isTelegram);
        if (isMember && !isTelegram) {
          await stayLoggedIn(page, member);
        }
        await prepare?.(page);
        const { app } = await open({
          container,
          path: path(chatId),
          telegramId: isMember ? member.telegramId : unique(),
        });

        await reach(app, page);
        await expect(app.locator('html')).toHaveAttribute('data-theme', 'light');
        // Elements that fade in have too little contrast until they have.
        await settle(app);

        expect.soft(await findViolations(page)).toEqual([]);
        expect.soft(await findSmallTargets(app)).toEqual([]);
        if (isTelegram) {
          await turnDark(app, page);
          expect.soft(await findViolations(page, { rules: ['color-contrast'] })).toEqual([]);
        } else {
          for (const width of widths) {
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

for (const container of ['phone browser', 'weba'] as const) {
  test(
    `what breaks a rule, or is too small for a thumb, is found: ${container}`,
    thoroughIf(container === 'weba'),
    async ({ open, page, unique }) => {
      const { app } = await open({ container, path: '/credits', telegramId: unique() });
      await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await findSmallTargets(app)).toEqual([]);

      await app.evaluate(() => {
        const button = document.createElement('button');
        button.style.cssText = 'inline-size: 20px; block-size: 20px; padding: 0';
        document.querySelector('main')?.append(button);
      });

      expect(await findViolations(page)).toContainEqual(expect.stringMatching(/^button-name: /));
      expect(await findSmallTargets(app)).toEqual(['button:  is 20×20']);
    },
  );
}
