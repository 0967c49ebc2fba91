/** The image viewer in a real browser: fingers, mouse, wheel and keys, and where the focus goes. */
import { type CDPSession, type Locator } from '@playwright/test';

import { expect, type Frame, type Page, test } from '#tests/e2e';
import { rememberedMany } from '#tests/remembered';

const historyAddress = '/models?provider=pixai&view=generator';

async function storeHistory(page: Page, count: number): Promise<void> {
  await page.addInitScript(
    (rows) => {
      if (localStorage.getItem('nori_generation_history') === null) {
        localStorage.setItem('nori_generation_history', rows);
      }
    },
    JSON.stringify(rememberedMany(count)),
  );
}

const viewer = (app: Frame) => app.getByRole('dialog', { name: 'Image viewer' });
const card = (app: Frame, number: number) =>
  app.getByRole('listitem', { name: `Image: A heron at dusk, number ${number}`, exact: true });

async function enlarge(app: Frame, number: number): Promise<Locator> {
  await card(app, number)
    .getByRole('button', { name: /^Enlarge/ })
    .click();
  await expect(viewer(app)).toBeVisible();
  await expect(shownPicture(app)).toBeVisible();
  return viewer(app);
}

const shownPicture = (app: Frame) => viewer(app).locator('[data-shown] img').last();
const position = (app: Frame) => viewer(app).getByText(/^\d+ of \d+$/);

/** The scale of the shown picture. */
async function readScale(app: Frame): Promise<number> {
  return viewer(app)
    .locator('[data-shown]')
    .evaluate((element) => element.getBoundingClientRect().width / element.clientWidth);
}

type Touch = { readonly x: number; readonly y: number };

/** Moves fingers from their start to their end points. */
async function touch(cdp: CDPSession, from: readonly Touch[], to: readonly Touch[]): Promise<void> {
  const steps = 8;
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [...from] });
  for (let step = 1; step <= steps; step += 1) {
    const touchPoints = from.map((start, index) => {
      const end = to[index] ?? start;
      return {
        x: start.x + ((end.x - start.x) * step) / steps,
        y: start.y + ((end.y - start.y) * step) / steps,
      };
    });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** In seconds since 1970. */
let lastTapAt = 0;

/** The timestamps of the touches make the speed, so that a busy machine does not change it. */
async function tapTwice(cdp: CDPSession): Promise<void> {
  const touchPoints = [{ x: 195, y: 400 }];
  const began = Math.max(Date.now() / 1000, lastTapAt + 1);
  lastTapAt = began + 0.1;
  for (const after of [0, 0.1]) {
    await cdp.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints,
      timestamp: began + after,
    });
    await cdp.send('Input.dispatchTouchEvent', {
      type: 'touchEnd',
      touchPoints: [],
      timestamp: began + after + 0.05,
    });
  }
}

test.describe('with fingers', () => {
  test.use({ hasTouch: true });

  test('a swipe leads to the neighbours, and no further than the first and the last', async ({
    open,
    page,
    context,
  }) => {
    await storeHistory(page, 3);
    const { app } = await open({ container: 'phone browser', path: historyAddress });
    await enlarge(app, 1);
    const cdp = await context.newCDPSession(page);
    await expect(position(app)).toHaveText('1 of 3');

    await touch(cdp, [{ x: 300, y: 400 }], [{ x: 80, y: 410 }]);
    await expect(position(app)).toHaveText('2 of 3');
    await expect(viewer(app).getByText('Model: Moonrise 2')).toBeVisible();

    await touch(cdp, [{ x: 300, y: 400 }], [{ x: 80, y: 400 }]);
    await expect(position(app)).toHaveText('3 of 3');
    await touch(cdp, [{ x: 300, y: 400 }], [{ x: 80, y: 400 }]);
    await expect(shownPicture(app)).toBeInViewport({ ratio: 0.99 });
    await expect(position(app)).toHaveText('3 of 3');

    await touch(cdp, [{ x: 80, y: 400 }], [{ x: 300, y: 400 }]);
    await expect(position(app)).toHaveText('2 of 3');
  });

  test('two fingers zoom, one drags the zoomed picture, and a double tap resets it', async ({
    open,
    page,
    context,
  }) => {
    await storeHistory(page, 3);
    const { app } = await open({ container: 'phone browser', path: historyAddress });
    await enlarge(app, 1);
    const cdp = await context.newCDPSession(page);

    await touch(
      cdp,
      [
        { x: 160, y: 400 },
        { x: 230, y: 400 },
      ],
      [
        { x: 60, y: 400 },
        { x: 330, y: 400 },
      ],
    );
    await expect.poll(() => readScale(app)).toBeGreaterThan(3);
    await expect(viewer(app).getByRole('button', { name: 'Zoom out' })).toBeVisible();

    const before = await shownPicture(app).boundingBox();
    await touch(cdp, [{ x: 300, y: 400 }], [{ x: 200, y: 400 }]);
    await expect
      .poll(async () => Math.round((await shownPicture(app).boundingBox())?.x ?? 0))
      .toBeLessThan(Math.round(before?.x ?? 0) - 50);
    await expect(position(app)).toHaveText('1 of 3');

    await tapTwice(cdp);
    await expect.poll(() => readScale(app)).toBe(1);
    await tapTwice(cdp);
    await expect.poll(() => readScale(app)).toBe(2.5);
  });

  test('dragging down closes it, a little is not enough', async ({ open, page, context }) => {
    await storeHistory(page, 2);
    const { app } = await open({ container: 'phone browser', path: historyAddress });
    await enlarge(app, 1);
    const cdp = await context.newCDPSession(page);

    await touch(cdp, [{ x: 195, y: 400 }], [{ x: 195, y: 404 }]);
    await expect(viewer(app)).toBeVisible();

    await touch(cdp, [{ x: 195, y: 400 }], [{ x: 200, y: 640 }]);
    await expect(viewer(app)).toBeHidden();
    await expect(card(app, 1)).toBeFocused();
  });
});

test('keys: arrows, Home and End, zoom, and Escape, which returns the focus', async ({
  open,
  page,
}) => {
  await storeHistory(page, 40);
  const { app } = await open({ container: 'browser', path: historyAddress });
  await card(app, 1).focus();
  await page.keyboard.press('Enter');
  await expect(position(app)).toHaveText('1 of 40');

  await page.keyboard.press('ArrowRight');
  await expect(position(app)).toHaveText('2 of 40');
  await page.keyboard.press('ArrowLeft');
  await expect(position(app)).toHaveText('1 of 40');
  await page.keyboard.press('+');
  await expect.poll(() => readScale(app)).toBe(1.5);
  await page.keyboard.press('0');
  await expect.poll(() => readScale(app)).toBe(1);
  await page.keyboard.press('End');
  await expect(position(app)).toHaveText('40 of 40');
  await expect(card(app, 40)).not.toBeInViewport();

  await page.keyboard.press('Escape');
  await expect(viewer(app)).toBeHidden();
  // The card of the picture that was shown last, also when it was not mounted before.
  await expect(card(app, 40)).toBeFocused();
  await expect(card(app, 40)).toBeInViewport();
});

test('the wheel zooms at the pointer, the mouse drags, and the page behind stays as it is', async ({
  open,
  page,
}) => {
  await storeHistory(page, 3);
  const { app } = await open({ container: 'browser', path: historyAddress });
  await enlarge(app, 1);
  const scrolledTo = await app.evaluate(() => window.scrollY);

  await page.mouse.move(640, 300);
  await page.mouse.wheel(0, -500);
  await expect.poll(() => readScale(app)).toBeGreaterThan(2);
  await page.mouse.wheel(0, 5000);
  await expect.poll(() => readScale(app)).toBe(1);
  expect(await app.evaluate(() => window.scrollY)).toBe(scrolledTo);

  await page.mouse.down();
  await page.mouse.move(200, 310, { steps: 6 });
  await page.mouse.up();
  await expect(position(app)).toHaveText('2 of 3');
});

test('a press beside the picture, on Close, or Back closes it', async ({ open, page }) => {
  await storeHistory(page, 3);
  const { app } = await open({ container: 'browser', path: historyAddress });

  await enlarge(app, 1);
  await page.mouse.click(100, 400);
  await expect(viewer(app)).toBeHidden();

  // Also at the top and at the bottom, beside the buttons.
  for (const y of [30, 770]) {
    await enlarge(app, 1);
    await page.mouse.click(300, y);
    await expect(viewer(app)).toBeHidden();
  }

  await enlarge(app, 2);
  await viewer(app).getByRole('button', { name: 'Close' }).click();
  await expect(viewer(app)).toBeHidden();
  await expect(card(app, 2)).toBeFocused();
});

test('inside Telegram Back closes it, and Telegram ignores swipes down while it is open', async ({
  open,
  page,
  unique,
}) => {
  await storeHistory(page, 3);
  const { app, sent, pressBack } = await open({
    container: 'ios',
    path: historyAddress,
    telegramId: unique(),
  });
  const swipes = async () => (await sent('web_app_setup_swipe_behavior')).map(({ data }) => data);
  expect(await swipes()).toEqual([]);

  await enlarge(app, 1);
  await expect.poll(swipes).toEqual([{ allow_vertical_swipe: false }]);
  await pressBack();

  await expect(viewer(app)).toBeHidden();
  await expect
    .poll(swipes)
    .toEqual([{ allow_vertical_swipe: false }, { allow_vertical_swipe: true }]);
});

test('with reduced motion the next picture appears without an animation', async ({
  open,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await storeHistory(page, 3);
  const { app } = await open({ container: 'browser', path: historyAddress });
  await enlarge(app, 1);

  await viewer(app).getByRole('button', { name: 'Next image' }).click();

  await expect(position(app)).toHaveText('2 of 3');
  const movements = await viewer(app).evaluate((dialog) =>
    dialog
      .getAnimations({ subtree: true })
      .filter(({ effect }) =>
        effect instanceof KeyframeEffect
          ? effect.getKeyframes().some((frame) => 'transform' in frame)
          : true,
      ),
  );
  expect(movements).toEqual([]);
});
