/** The gallery in a real browser with a keyboard and for screen readers. */
import { expect } from '@playwright/test';

import { findViolations } from '#tests/accessibility';
import { scrollTo, test } from '#tests/gallery';

test('the focused card and the open card stay mounted when they are scrolled away', async ({
  gallery,
  page,
}) => {
  await gallery.open();
  await gallery.card(3).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  const focused = page.locator('li:focus');
  const name = await focused.getAttribute('aria-label');

  await scrollTo(page, 20_000);

  await expect(focused).toHaveAttribute('aria-label', name ?? '');
  await expect(gallery.card(3)).toBeAttached();
  await expect(gallery.card(4)).not.toBeAttached();

  // The next key continues from the focused card, not from the visible ones.
  await page.keyboard.press('ArrowUp');
  await expect(gallery.card(3)).toBeFocused();
  await expect(gallery.card(3)).toBeInViewport({ ratio: 1 });

  await gallery.press('Close');
  await scrollTo(page, 20_000);
  await expect(gallery.card(3)).not.toBeAttached();
});

test('in a window lower than a card, keys move by one card at least, and show its beginning', async ({
  gallery,
  page,
}) => {
  await gallery.open();
  await gallery.card(1).focus();
  await page.setViewportSize({ width: 390, height: 200 });
  expect((await gallery.card(1).boundingBox())?.height).toBeGreaterThan(200);

  await page.keyboard.press('PageDown');
  await expect(gallery.card(1)).not.toBeFocused();
  await page.keyboard.press('PageUp');
  await expect(gallery.card(1)).toBeFocused();
  await expect.poll(async () => (await gallery.card(1).boundingBox())?.y).toBeGreaterThanOrEqual(0);
});

test('keys move through the gallery, to its ends, and into a card and out again', async ({
  gallery,
  page,
}) => {
  await gallery.open();
  await gallery.card(1).focus();

  await page.keyboard.press('End');
  await expect(gallery.card(500)).toBeFocused();
  await expect(gallery.card(500)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('ArrowDown');
  await expect(gallery.card(500)).toBeFocused();

  await page.keyboard.press('Home');
  await expect(gallery.card(1)).toBeFocused();
  await expect(gallery.card(1)).toBeInViewport({ ratio: 1 });

  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const number = Number(await page.locator('li:focus').getAttribute('aria-posinset'));
  expect(number).toBeGreaterThan(8);
  await expect(gallery.card(number)).toBeInViewport({ ratio: 1 });

  await page.keyboard.press('Tab');
  await expect(gallery.card(number).getByRole('checkbox')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(gallery.card(number).getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(gallery.card(number).getByRole('button', { name: 'Copy the id' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.locator('li :focus, li:focus')).toHaveCount(0);
});

test('when the focused card is removed, the card in its place gets the focus', async ({
  gallery,
  page,
}) => {
  await gallery.open('items=20');
  await gallery.card(2).focus();

  await page.keyboard.press('Delete');
  await expect(gallery.card(2)).not.toBeAttached();
  await expect(gallery.card(3)).toBeFocused();

  await page.keyboard.press('End');
  await expect(gallery.card(20)).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(gallery.card(19)).toBeFocused();
});

test('a distant card is scrolled to on request', async ({ gallery }) => {
  await gallery.open();

  await gallery.press('Go to number 300');

  await expect(gallery.card(300)).toBeFocused();
  await expect(gallery.card(300)).toBeInViewport({ ratio: 1 });
});

test('axe finds nothing', async ({ gallery, page }) => {
  await gallery.open();
  await scrollTo(page, 3000);

  expect(await findViolations(page, { within: 'ul' })).toEqual([]);
});
