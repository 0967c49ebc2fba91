/** The gallery on a page of its own in a real browser, and how a test asks where its cards are. */
import { expect, type Page, test as base } from '@playwright/test';

import { startGalleryPage } from '#scripts/gallery-page.ts';

import { settle } from './e2e.ts';

type Gallery = {
  readonly open: (query?: string) => Promise<void>;
  /** A card by its number, counted from 1. */
  readonly card: (number: number) => ReturnType<Page['getByRole']>;
  /** Cards on the page: number, and box in px on the screen. */
  readonly cards: () => Promise<readonly Mounted[]>;
  readonly press: (name: string) => Promise<void>;
};
type Mounted = { number: number; left: number; top: number; right: number; bottom: number };

export const test = base.extend<{ gallery: Gallery }, { origin: string }>({
  origin: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter.
    async ({}, use) => {
      const page = await startGalleryPage();
      await use(page.url);
      await page.stop();
    },
    { scope: 'worker' },
  ],
  gallery: async ({ page, origin }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.setViewportSize({ width: 390, height: 844 });
    await use({
      async open(query = '') {
        await page.goto(`${origin}try.html?${query}`);
        await page.getByRole('listitem', { name: 'Model 1,' }).waitFor();
      },
      card: (number) => page.getByRole('listitem', { name: `Model ${number},` }),
      cards: () => page.evaluate(mountedCards),
      press: (name) => page.getByRole('button', { name, exact: true }).click(),
    });
    expect(complaints, 'Nobody expected this from the browser').toEqual([]);
  },
});

function mountedCards(): Mounted[] {
  return [...document.querySelectorAll<HTMLElement>('li[data-index]')].map((item) => {
    const { left, top, right, bottom } = item.getBoundingClientRect();
    return { number: Number(item.getAttribute('aria-posinset')), left, top, right, bottom };
  });
}

/** Scrolls by the wheel, as a person does, and waits until the page has come to rest there. */
export async function scrollTo(page: Page, top: number): Promise<void> {
  await page.mouse.move(195, 400);
  await page.mouse.wheel(0, top - (await page.evaluate(() => window.scrollY)));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
  await settle(page);
}

/** The card whose middle is nearest to a height: that of the middle of the screen, if none is named. */
export async function middleCard(gallery: Gallery, y = 422): Promise<Mounted> {
  const away = ({ top, bottom }: Mounted) => Math.abs((top + bottom) / 2 - y);
  const [nearest] = (await gallery.cards()).toSorted((a, b) => away(a) - away(b));
  return nearest!;
}

export async function readTop(gallery: Gallery, number: number): Promise<number> {
  return (await gallery.card(number).boundingBox())?.y ?? Number.NaN;
}
