/** The gallery in a real browser: the mounted cards, their stable positions, and loading more. */
import { expect } from '@playwright/test';

import { settle } from '#tests/e2e';
import { middleCard, scrollTo, test, readTop } from '#tests/gallery';

test('only cards near the screen are mounted, in the order of the data, without overlaps', async ({
  gallery,
  page,
}) => {
  await gallery.open('items=2000');
  await scrollTo(page, 60_000);

  const cards = await gallery.cards();
  const numbers = cards.map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers[0]).toBeGreaterThan(100);
  expect(await page.locator('#root *').count()).toBeLessThanOrEqual(350 + 10);
  for (const lane of [0, 1]) {
    const own = cards.filter(({ left }) => left > 195 === (lane === 1));
    own.slice(1).forEach((card, index) => expect(card.top - own[index]!.bottom).toBe(12));
    // The edge of the screen may be in a gap.
    expect(own[0]!.top).toBeLessThanOrEqual(12);
    expect(own.at(-1)!.bottom).toBeGreaterThanOrEqual(844 - 12);
  }
  await expect(gallery.card(numbers[0]!)).toHaveAttribute('aria-setsize', '2000');
});

test('on a phone the model browser has at most 350 elements, 25 in a card, and nothing shifts', async ({
  page,
  origin,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(origin);
  const scrolled = await page.evaluate(async () => {
    await window.bench?.prepare(2000);
    window.bench?.show();
    return window.bench?.scroll({ speed: 6000, seconds: 2 });
  });

  expect(scrolled?.nodes).toBeLessThanOrEqual(350);
  expect(scrolled?.nodesPerCard).toBeLessThanOrEqual(25);
  expect(scrolled?.nodesPerCard).toBeGreaterThan(10);
  expect(scrolled?.shift).toBe(0);
});

test('inserted pictures do not move the visible ones', async ({ gallery, page }) => {
  await gallery.open();
  await scrollTo(page, 9000);
  const seen = await middleCard(gallery);

  await gallery.press('Three more in front');
  await expect(page.getByText('503 of 500')).toBeVisible();

  expect(await readTop(gallery, seen.number)).toBeCloseTo(seen.top, 0);
});

test('at the top, inserted pictures are shown', async ({ gallery }) => {
  await gallery.open();

  await gallery.press('Three more in front');

  await expect(gallery.card(501)).toBeInViewport();
  await expect(gallery.card(501)).toHaveAttribute('aria-posinset', '1');
});

test('the card in the middle stays there when the phone is turned', async ({ gallery, page }) => {
  await gallery.open();
  await scrollTo(page, 9000);
  const seen = await middleCard(gallery);

  await page.setViewportSize({ width: 844, height: 390 });

  await expect
    .poll(async () => new Set((await gallery.cards()).map(({ left }) => left)).size)
    .toBe(3);
  await expect(gallery.card(seen.number)).toBeInViewport({ ratio: 0.3 });

  await page.setViewportSize({ width: 390, height: 844 });

  await expect
    .poll(async () => new Set((await gallery.cards()).map(({ left }) => left)).size)
    .toBe(2);
  expect(Math.abs((await readTop(gallery, seen.number)) - seen.top)).toBeLessThan(200);
});

test('the number of columns follows the width of the window', async ({ gallery, page }) => {
  await gallery.open();
  for (const [width, columns] of [
    [320, 2],
    [599, 2],
    [799, 2],
    [800, 3],
    [1399, 3],
    [1400, 4],
    [2560, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(async () => new Set((await gallery.cards()).map(({ left }) => left)).size, {
        message: `columns at ${width}`,
      })
      .toBe(columns);
    // If the number of columns stays, their new width follows a moment later.
    await expect
      .poll(
        () =>
          page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        { message: `overflow at ${width}` },
      )
      .toBe(0);
  }
});

test('after a reload the same card is at the same position', async ({ gallery, page }) => {
  await gallery.open();
  await scrollTo(page, 12_345);
  const seen = await middleCard(gallery);

  await page.reload();
  await gallery.card(seen.number).waitFor();

  await expect
    .poll(async () => Math.round(await readTop(gallery, seen.number)))
    .toBe(Math.round(seen.top));
});

test('more is requested once, before the end, with placeholders meanwhile', async ({
  gallery,
  page,
}) => {
  await gallery.open('items=120&page=40&held');
  await expect(page.getByText('asked 0 times, 40 of 120')).toBeVisible();
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);

  await scrollTo(page, (await height()) - 844 - 700);
  await expect(page.getByText('asked 0 times')).toBeVisible();
  await page.mouse.wheel(0, 450);

  await expect(page.getByText('asked 1 times')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Loading more' })).toBeAttached();
  await expect(page.locator('li[aria-hidden="true"]')).toHaveCount(4);
  await gallery.press('Let it arrive');
  await expect(page.getByText('asked 1 times, 80 of 120')).toBeVisible();
  await expect(page.locator('li[aria-hidden="true"]')).toHaveCount(0);

  await page.mouse.wheel(0, 100_000);
  await expect(page.getByText('asked 2 times')).toBeVisible();
  await gallery.press('Let it arrive');
  await expect(page.getByText('asked 2 times, 120 of 120')).toBeVisible();
  await page.mouse.wheel(0, 100_000);
  await expect(page.getByRole('listitem').filter({ hasText: 'That is all' })).toBeInViewport();
  await expect(page.getByText('asked 2 times')).toBeVisible();
});

test('a gallery in a box scrolls in it, loads more, and keeps its position', async ({
  gallery,
  page,
}) => {
  await gallery.open('items=300&page=100&box=600');
  const list = page.getByRole('list', { name: 'Pictures' });
  const box = list.locator('..');
  expect(await box.evaluate((element) => element.clientHeight)).toBe(600);
  expect((await gallery.cards()).length).toBeLessThan(20);

  await box.evaluate((element) => element.scrollTo(0, 6000));
  await expect(gallery.card(1)).not.toBeAttached();
  await settle(page);
  const { top } = await box.evaluate((element) => element.getBoundingClientRect());
  const seen = await middleCard(gallery, top + 300);
  await gallery.press('Three more in front');
  await expect(page.getByText('103 of 300')).toBeVisible();
  expect(await readTop(gallery, seen.number)).toBeCloseTo(seen.top, 0);

  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(page.getByText('asked 1 times, 203 of 300')).toBeVisible();
});

test('a gallery in a dialog that scrolls, heading and all, loads more and follows the keyboard', async ({
  gallery,
  page,
}) => {
  await gallery.open('items=300&page=100&box=600&around');
  const dialog = page.getByRole('list', { name: 'Pictures' }).locator('..');
  expect((await gallery.cards()).length).toBeLessThan(20);

  await dialog.evaluate((element) => element.scrollTo(0, 6000));
  await expect(gallery.card(1)).not.toBeAttached();
  expect((await gallery.cards()).length).toBeGreaterThan(3);
  await settle(page);
  const seen = await middleCard(gallery, 300);
  await gallery.press('Three more in front');
  await expect(page.getByText('103 of 300')).toBeVisible();
  expect(await readTop(gallery, seen.number)).toBeCloseTo(seen.top, 0);

  await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(page.getByText('asked 1 times, 203 of 300')).toBeVisible();

  await dialog.evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('listitem').first().focus();
  await page.keyboard.press('PageDown');
  const focused = page.locator('li:focus');
  await expect(focused).not.toHaveAttribute('aria-posinset', '1');
  await expect(focused).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('cards fade in one after the other, and not at all with reduced motion', async ({
  gallery,
  page,
}) => {
  await gallery.open();
  const delays = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('li[data-index]')].map(
      ({ style }) => style.animationDelay,
    ),
  );
  expect(delays.slice(0, 3)).toEqual(['0s', '0.08s', '0.16s']);
  const isVisible = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('li[data-index]')]
        .filter((item) => {
          const { top, bottom } = item.getBoundingClientRect();
          return top < window.innerHeight - 100 && bottom > 100;
        })
        .every((item) => getComputedStyle(item).opacity === '1'),
    );
  await expect.poll(isVisible).toBe(true);
  await scrollTo(page, 800);
  await expect.poll(isVisible).toBe(true);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await gallery.card(8).waitFor();
  expect(await isVisible()).toBe(true);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('a scroll bar does not appear and disappear endlessly', async ({ gallery, page }) => {
  // A scroll bar as wide as on a desktop; the test's browser hides its own.
  await gallery.open('items=2');
  await page.addStyleTag({ content: 'main.barred { padding-inline-end: 31px !important }' });
  const widths = await page.evaluate(async () => {
    const main = document.querySelector('main');
    const list = document.querySelector('ul');
    if (main === null || list === null) {
      throw new Error('There is no gallery');
    }
    // A browser shows the bar while the page is taller than the window.
    const room = main.getBoundingClientRect().height - 2;
    const bar = new ResizeObserver(() => {
      main.classList.toggle('barred', main.getBoundingClientRect().height > room);
    });
    bar.observe(main);
    const seen: number[] = [];
    for (let frame = 0; frame < 30; frame += 1) {
      await new Promise(requestAnimationFrame);
      seen.push(list.querySelector('li')?.getBoundingClientRect().width ?? 0);
    }
    bar.disconnect();
    return seen;
  });

  const changes = widths.filter((width, frame) => frame > 0 && width !== widths[frame - 1]);
  expect(changes.length).toBeLessThanOrEqual(2);
});
