/** Width and number of the image hub's cards at each width of the window. */
import { expect, type Frame, type Page, test } from '#tests/e2e';
import { remembered } from '#tests/remembered';

const rows = Array.from({ length: 12 }, (_row, index) => {
  const isArt = index < 6;
  return remembered(index + 1, {
    provider: isArt ? 'imagine-art' : 'midjourney',
    modelId: isArt ? 'anime' : '',
    modelName: '',
    style: isArt ? 'anime' : undefined,
    seed: '4711',
    tags: [],
  });
});

async function storeHistory(page: Page): Promise<void> {
  await page.addInitScript((history) => {
    localStorage.setItem('nori_generation_history', history);
  }, JSON.stringify(rows));
}

const listItems = (app: Frame, list: string) =>
  app.getByRole('list', { name: list, exact: true }).getByRole('listitem');
const historyRegion = (app: Frame, heading: string) =>
  app.getByRole('region', { name: heading, exact: true });

/** Counts the columns by the left edges of the cards. */
const countColumns = (cards: ReturnType<typeof listItems>) =>
  cards.evaluateAll(
    (items) => new Set(items.map((item) => Math.round(item.getBoundingClientRect().left))).size,
  );

test('cards of Imagine Art are 300, 250 and 200 pixels wide, its styles are in two columns or one', async ({
  open,
  page,
}) => {
  await storeHistory(page);
  const { app } = await open({ container: 'browser', path: '/models?provider=imagine-art' });
  const cards = historyRegion(app, 'Imagine Art History').getByRole('listitem');
  const cardWidths = () =>
    cards.evaluateAll((items) => [
      ...new Set(items.map((item) => Math.round(item.getBoundingClientRect().width))),
    ]);
  // The tags of a card are lists, too.
  const styles = historyRegion(app, 'Style Preview Gallery')
    .getByRole('listitem')
    .filter({ has: app.getByRole('heading') });
  const details = app.getByRole('region', { name: 'Result' }).getByText('4711');
  await expect(cards).not.toHaveCount(0);

  for (const [width, card, columns, hasDetails] of [
    [1280, 300, 2, true],
    [1025, 300, 2, true],
    [1024, 250, 2, true],
    [769, 250, 2, true],
    [768, 200, 2, false],
    [767, 200, 1, false],
    [320, 200, 1, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(cardWidths, `cards at ${width}`).toEqual([card]);
    await expect.poll(() => countColumns(styles), `styles at ${width}`).toBe(columns);
    await expect(details, `details at ${width}`).toBeVisible({ visible: hasDetails });
  }
});

test('the history of MidJourney has three columns or one, and its screen is never wider than 1200 pixels', async ({
  open,
  page,
}) => {
  await storeHistory(page);
  const { app } = await open({ container: 'browser', path: '/models?provider=midjourney' });
  const history = historyRegion(app, 'History');
  const cards = history.getByRole('listitem');
  const columnsInView = async () => {
    // Only visible cards are mounted.
    await history.evaluate((region) => region.scrollIntoView({ behavior: 'instant' }));
    return countColumns(cards);
  };

  for (const [width, columns] of [
    [1600, 3],
    [769, 3],
    [768, 1],
    [320, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(columnsInView, `at ${width}`).toBe(columns);
  }
  await page.setViewportSize({ width: 2560, height: 1200 });

  await expect
    .poll(() => history.evaluate((region) => region.getBoundingClientRect().width))
    .toBe(1200);
});

for (const [what, path, list] of [
  ['models', '/models?provider=pixai&view=models', 'Models'],
  ['styles of Kusa', '/models?provider=kusa', 'Kusa styles'],
] as const) {
  test(`${what} are in four, three or two columns`, async ({ open, page }) => {
    const { app } = await open({ container: 'browser', path });
    const cards = listItems(app, list);
    await expect(cards).not.toHaveCount(0);

    for (const [width, columns] of [
      [1400, 4],
      [1399, 3],
      [800, 3],
      [799, 2],
      [320, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => countColumns(cards), `at ${width}`).toBe(columns);
    }
  });
}

test('from 768 pixels on both rows of tabs stand side by side, and the words about them in one line', async ({
  open,
  page,
}) => {
  const { app } = await open({ container: 'browser', path: '/models' });
  const providers = app.getByRole('tablist', { name: 'Image providers' });
  const views = app.getByRole('tablist', { name: 'Pix-AI' });
  const words = app.getByText('Browse and generate AI images with models');

  for (const width of [768, 1099, 1100, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => (await words.boundingBox())?.height).toBeLessThan(30);
    const [first, second] = await Promise.all([providers.boundingBox(), views.boundingBox()]);
    expect(second?.y, `at ${width} px`).toBeCloseTo(first?.y ?? Number.NaN, 0);
  }
});
