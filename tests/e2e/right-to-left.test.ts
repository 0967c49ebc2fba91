/**
 * The pages as a language from right to left shows them: the HTML that the server sends gets the direction, and the
 * style sheet that the build adds for such a language. Words stay English here; `translated-screens.test.ts` looks at
 * every screen in Arabic.
 */
import { type Locator } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, type Frame, type Page, settle, test as base } from '#tests/e2e';
import { remembered, rememberedMany } from '#tests/remembered';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

const languageStyles = readFileSync(
  resolve(import.meta.dirname, '../../src/ui/languages.css'),
  'utf8',
);

const test = base.extend({
  // The added style sheet is not one of those that the page allows itself.
  bypassCSP: true,

  page: async ({ page }, use) => {
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() !== 'document') {
        await route.fallback();
        return;
      }
      const answer = await route.fetch();
      const html = await answer.text();
      const body = html
        .replace('<html lang="en"', '<html lang="ar" dir="rtl"')
        .replace('</head>', `<style>${languageStyles}</style></head>`);
      await route.fulfill({ response: answer, body });
    });
    await use(page);
  },
});

const box = async (part: Locator) => {
  const found = await part.boundingBox();
  if (!found) {
    throw new Error('It is not shown.');
  }
  return { ...found, end: found.x + found.width };
};

test('what leads back is on the right and points there', async ({ open, page, nori, unique }) => {
  const { member, chatId } = await owner(nori, unique);
  await becomeMember(page, nori, member);
  const { app } = await open({ container: 'phone browser', path: `/dashboard?chat=${chatId}` });
  const back = app.getByRole('button', { name: 'Back to List' });
  const name = app.getByRole('heading', { level: 2 });

  expect((await box(back)).x).toBeGreaterThan((await box(name)).x);
  await expect(back.locator('svg')).toHaveCSS('scale', '-1 1');
});

test('the thumb of a switch that is on is at the left', async ({ open, page, nori, unique }) => {
  const { member, chatId } = await owner(nori, unique);
  await becomeMember(page, nori, member);
  const { app } = await open({ container: 'phone browser', path: `/dashboard?chat=${chatId}` });
  const row = app.getByRole('switch').and(app.locator(':checked')).first();
  await expect(row).toBeVisible();
  await settle(app);

  const thumb = await row.evaluate((element) => {
    const { insetInlineStart, right, transform } = getComputedStyle(element, '::after');
    return { start: insetInlineStart, right, x: new DOMMatrix(transform).e };
  });
  expect(thumb.start).toBe(thumb.right);
  expect(thumb.x).toBeLessThan(0);
});

test('a gallery begins at the right, and its keys go where they point', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: '/models?provider=pixai&view=models' });
  const cards = app.getByRole('list', { name: 'Models' }).getByRole('listitem');
  await expect(cards.nth(1)).toBeVisible();
  const [first, second] = [await box(cards.nth(0)), await box(cards.nth(1))];
  const list = await box(app.getByRole('list', { name: 'Models' }));
  expect(first.end).toBeCloseTo(list.end, 0);
  expect(second.end).toBeLessThan(first.x);

  await cards.nth(0).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(cards.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(cards.nth(0)).toBeFocused();
});

async function storeHistory(page: Page, rows: readonly unknown[]): Promise<void> {
  await page.addInitScript(
    (stored) => localStorage.setItem('nori_generation_history', stored),
    JSON.stringify(rows),
  );
}

test('a row of cards scrolls to the left, and draws what comes there', async ({ open, page }) => {
  const art = { provider: 'imagine-art', style: 'sdxl-1.0', tags: ['imagine-art'] };
  await storeHistory(
    page,
    Array.from({ length: 40 }, (_row, index) => remembered(index + 1, art)),
  );
  const { app } = await open({ container: 'browser', path: '/models?provider=imagine-art' });
  const card = (number: number) =>
    app.getByRole('listitem', { name: `Image: A heron at dusk, number ${number}`, exact: true });
  await expect(card(12)).toBeAttached();
  await expect(card(40)).toHaveCount(0);
  expect((await box(card(2))).end).toBeLessThan((await box(card(1))).x);

  await card(1).hover();
  await expect(async () => {
    await page.mouse.wheel(-2000, 0);
    await expect(card(40)).toBeInViewport({ timeout: 500 });
  }).toPass();

  await card(40).focus();
  await page.keyboard.press('ArrowRight');
  await expect(card(39)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(card(40)).toBeFocused();
});

test.describe('the image viewer', () => {
  test.use({ hasTouch: true });
  const viewer = (app: Frame) => app.getByRole('dialog', { name: 'Image viewer' });

  test('the next picture is to the left, for keys, fingers and buttons', async ({
    open,
    page,
    context,
  }) => {
    await storeHistory(page, rememberedMany(3));
    const { app } = await open({
      container: 'phone browser',
      path: '/models?provider=pixai&view=generator',
    });
    await app
      .getByRole('listitem', { name: 'Image: A heron at dusk, number 1', exact: true })
      .getByRole('button', { name: /^Enlarge/ })
      .click();
    const position = viewer(app).getByText(/^\d of \d$/);
    await expect(position).toHaveText('1 of 3');

    await page.keyboard.press('ArrowLeft');
    await expect(position).toHaveText('2 of 3');
    await page.keyboard.press('ArrowRight');
    await expect(position).toHaveText('1 of 3');

    const cdp = await context.newCDPSession(page);
    const swipe = async (from: number, to: number) => {
      const point = (x: number) => [{ x, y: 400 }];
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(from) });
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(to) });
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await swipe(80, 300);
    await expect(position).toHaveText('2 of 3');
    await expect(viewer(app).getByText('Model: Moonrise 2')).toBeVisible();
    await swipe(300, 80);
    await expect(position).toHaveText('1 of 3');

    const [previous, next] = ['Previous image', 'Next image'].map((name) =>
      viewer(app).getByRole('button', { name }),
    );
    expect((await box(next!)).end).toBeLessThan((await box(previous!)).x);
    await next!.click();
    await expect(position).toHaveText('2 of 3');
  });
});

test('tabs go on to the left, and what overflows is scrolled there', async ({ open, page }) => {
  const { app } = await open({ container: 'phone browser', path: '/features' });
  const tabs = app.getByRole('tab');
  await tabs.first().focus();
  expect((await box(tabs.nth(1))).end).toBeLessThan((await box(tabs.first())).x);

  await page.keyboard.press('ArrowLeft');
  await expect(tabs.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(tabs.last()).toBeFocused();
  await expect(tabs.last()).toBeInViewport({ ratio: 1 });
});

test('what is typed runs as its letters do, beside the icon of the page', async ({ open }) => {
  const { app } = await open({ container: 'phone browser', path: '/features' });
  const field = app.getByRole('searchbox');
  const paddings = () =>
    field.evaluate((element) => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return [paddingLeft, paddingRight];
    });

  for (const words of ['', '/status', 'محبو الأرز']) {
    await field.fill(words);
    expect((await paddings())[1], words).toBe('40px');
    await expect(field).toHaveCSS('unicode-bidi', 'plaintext');
  }
});

test('code and answers stay from left to right', async ({ open, page, expected }) => {
  expected.push(screenComplaints);
  const { prepare, path, reach } = screens['an answer in the playground']!;
  await prepare?.(page);
  const { app } = await open({ container: 'phone browser', path: path(0) });
  await reach(app, page);

  const codes = await app.locator('code').all();
  expect(codes.length).toBeGreaterThan(5);
  for (const code of codes) {
    await expect(code).toHaveCSS('direction', 'ltr');
  }
});
