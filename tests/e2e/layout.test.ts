/** Every screen fits every width, and can be pressed with a thumb. */
import { type Container, expect, type Frame, type Page, test } from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

const widths = [320, 360, 390, 768, 1024, 1280, 1440, 2560, 3840];

/** How much too wide the page is, in px, once what follows the window's width has done so: within 15 s. */
const overflowAtRest = (page: Page) =>
  page.evaluate(async () => {
    const tooWide = () =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const deadline = performance.now() + 15_000;
    while (tooWide() > 0 && performance.now() < deadline) {
      await new Promise(requestAnimationFrame);
    }
    return tooWide();
  });

/** A line of JSON is as tall as its text, and so is the arrow that folds it; "Fold all" is a button. */
const inLine = /^button: (?:Fold|Unfold) line \d/;

/** What can be pressed, and how large it is in px. */
const targetsIn = (app: Frame) =>
  app.evaluate(() => {
    /** Some are pressed by all of the tile that they stand in. */
    function sizeOf(target: Element) {
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
        // A link inside a sentence is as tall as the sentence; the guideline lets it be.
        const isInText =
          element.localName === 'a' && getComputedStyle(element).display === 'inline';
        const label = `${element.localName}: ${element.ariaLabel ?? element.textContent}`;
        return isShown && !isInText ? [{ label, ...sizeOf(target) }] : [];
      },
    );
  });

test('no screen scrolls sideways at any width', async ({ open, page, nori, unique, expected }) => {
  test.setTimeout(1_800_000);
  expected.push(screenComplaints);
  const { member, chatId } = await owner(nori, unique);
  const found: string[] = [];

  for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await becomeMember(page, nori, isMember ? member : undefined);
    await prepare?.(page);
    const { app } = await open({ container: 'browser', path: path(chatId) });
    await reach(app, page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await overflowAtRest(page);
      if (overflow > 0) {
        found.push(`${name} at ${width}: ${overflow} px too wide`);
      }
    }
  }

  expect(found).toEqual([]);
});

test.describe('with a thumb', () => {
  test.use({ hasTouch: true });

  for (const container of ['phone browser', 'android'] satisfies Container[]) {
    test(`everything that can be pressed is at least 44 px tall and wide: ${container}`, async ({
      open,
      page,
      nori,
      unique,
      expected,
    }) => {
      test.setTimeout(1_800_000);
      expected.push(screenComplaints);
      const { member, chatId } = await owner(nori, unique);
      const found: string[] = [];

      for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
        // Inside Telegram nobody is a guest for long; what guests see is the same there.
        const isGuest = !isMember && container === 'phone browser';
        if (!isMember && !isGuest && name !== 'home') {
          continue;
        }
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await becomeMember(page, nori, isGuest ? undefined : member);
        await prepare?.(page);
        const { app } = await open({
          container,
          path: path(chatId),
          telegramId: member.telegramId,
        });
        await reach(app, page);
        const small = (await targetsIn(app)).filter(
          ({ label, width, height }) =>
            (width < 43.5 || height < 43.5) && !(inLine.test(label) && width >= 43.5),
        );
        found.push(
          ...small.map(({ label, width, height }) => `${name}: ${label} ${width}×${height}`),
        );
      }

      expect(found).toEqual([]);
    });
  }
});

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
