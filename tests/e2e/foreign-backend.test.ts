/** The whole hub on a static host, with a backend on another origin that knows the specification only. */
import { type Download, type Locator } from '@playwright/test';

import { expect, type Page, stayLoggedIn, test, thoroughIf, waitForHydration } from '#tests/e2e';
import {
  member,
  pictureBytes,
  picturesOrigin,
  type SeedBackend,
  startSeedBackend,
} from '#tests/seed-backend';
import { startStaticSite } from '#tests/static-site';

let backend: SeedBackend;
let site: Awaited<ReturnType<typeof startStaticSite>>;

test.beforeAll(async () => {
  // It builds the app.
  test.setTimeout(300_000);
  backend = await startSeedBackend();
  site = await startStaticSite({
    NORI_LANGUAGES: 'en',
    VITE_BACKEND_URL: backend.url,
    VITE_MODEL_SEARCH_URL: backend.searchUrl,
  });
});

test.afterAll(async () => {
  await Promise.all([site.close(), backend.close()]);
});

test.beforeEach(async ({ context, expected }) => {
  backend.reset();
  expected.push(
    /status of 404.*\/capabilities$/,
    // The browser's own page around a picture in a tab, which has the policy of ours.
    /Applying inline style.* blob:/,
  );
  await context.route(`${picturesOrigin}/**`, (route) =>
    route.fulfill({ contentType: 'image/png', body: pictureBytes }),
  );
});

const words = 'A lantern boat on a quiet river';

async function openHub(page: Page): Promise<void> {
  await page.goto(`${site.origin}/models?provider=pixai&view=models`);
  await waitForHydration(page.mainFrame());
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitForHydration(page.mainFrame());
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cards = (page: Page, heading: string) =>
  region(page, heading).getByRole('listitem', { name: /^Image: / });
const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true });

async function openTab(page: Page, name: string): Promise<void> {
  await tab(page, name).click();
  await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');
}

/** The providers are a menu on a phone, and tabs elsewhere. */
async function openProvider(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('combobox', { name: 'Image providers' });
  if (await menu.isVisible()) {
    await menu.selectOption(name);
  } else {
    await openTab(page, name);
  }
  // Until the provider's chunk has loaded, the other one is shown, with a prompt field of its own.
  await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible();
}

/** Waits until the pictures in a place have been loaded, not only named. */
async function seePictures(place: Locator, count: number): Promise<void> {
  await expect(place.locator('img')).toHaveCount(count);
  await expect
    .poll(() =>
      place
        .locator('img')
        .evaluateAll((images) =>
          images.every((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
        ),
    )
    .toBe(true);
}

/** Waits until the history shows one picture, which a phone mounts when it is scrolled to. */
async function seeHistory(page: Page, heading: string): Promise<void> {
  await region(page, heading).scrollIntoViewIfNeeded();
  await seePictures(cards(page, heading), 1);
}

/** On the narrowest screen, too: right of what closes, and left of all other buttons. */
const betweenButtons = { x: 75, y: 20 } as const;

/** Enlarges a picture, and closes it by a press at the top of the backdrop, between the buttons. */
async function enlarge(page: Page, picture: Locator): Promise<void> {
  await picture.getByRole('button', { name: /^Enlarge/ }).click();
  const viewer = page.getByRole('dialog', { name: 'Image viewer' });
  await seePictures(viewer.locator('[data-shown]'), 1);
  await page.mouse.click(betweenButtons.x, betweenButtons.y);
  await expect(viewer).toBeHidden();
}

/** What a press opens in a new tab. */
async function openedBy(page: Page, button: Locator): Promise<string> {
  const opened = page.waitForEvent('popup');
  await button.click();
  const popup = await opened;
  await popup.waitForURL(/^(?:blob|https):/);
  const url = popup.url();
  await popup.close();
  return url;
}

async function savedBy(page: Page, button: Locator): Promise<Download> {
  const saved = page.waitForEvent('download');
  await button.click();
  return saved;
}

async function confirmDeletion(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toBeHidden();
}

/** Browses, searches, sorts, and puts a model and a LoRA into the generator. */
async function chooseModels(page: Page): Promise<void> {
  const models = page
    .getByRole('list', { name: 'Models' })
    .getByRole('listitem', { name: /, sdxl_(?:model|lora)$/ });
  // The second page is loaded as soon as the end of the first one is near.
  await expect(models).toHaveCount(3);
  await seePictures(page.getByRole('list', { name: 'Models' }), 3);
  await page.getByRole('searchbox').fill('lantern');
  await expect(models).toHaveCount(1);
  await models.getByRole('button', { name: 'Use model Paper Lantern' }).click();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Latest');
  await expect(page.getByRole('searchbox')).toHaveValue('lantern');
  await expect(models).toHaveCount(1);
  await page.getByRole('searchbox').fill('');
  await expect(models).toHaveCount(3);
  await models.getByRole('button', { name: 'Use model Moonlit Harbor' }).click();
  await expect(
    page.getByRole('group', { name: 'Model' }).getByText('Moonlit Harbor'),
  ).toBeVisible();
  await page.getByRole('button', { name: /^Options/ }).click();
  await expect(region(page, 'LoRAs').getByText('Paper Lantern')).toBeVisible();
}

/** Makes a picture by Pix-AI with an enhanced prompt. */
async function makeByPixai(page: Page): Promise<void> {
  await prompt(page).fill(words);
  await page.getByRole('button', { name: 'Enhance' }).click();
  await expect(prompt(page)).toHaveValue(`${words}, in soft light`);
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await seePictures(region(page, 'Result'), 1);
  await expect(cards(page, 'History')).toHaveCount(1);
}

/** Looks at what only the device has of Pix-AI: enlarged, in a tab, and as a file. */
async function usePixaiPicture(page: Page): Promise<void> {
  await enlarge(page, cards(page, 'History'));
  const download = cards(page, 'History').getByRole('button', { name: 'Download' });
  expect(await openedBy(page, download)).toMatch(/^blob:/);
  const link = region(page, 'Result').getByRole('link', { name: 'Download' });
  expect((await savedBy(page, link)).suggestedFilename()).toMatch(/^501-.*\.png$/);
}

/** Makes two pictures by MidJourney, and looks at them. */
async function useMidjourney(page: Page): Promise<void> {
  await prompt(page).fill(words);
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await seePictures(region(page, 'Generated Images'), 2);
  await expect(prompt(page)).toHaveValue('');
  await expect(cards(page, 'History')).toHaveCount(1);
  await enlarge(page, cards(page, 'History'));
  await cards(page, 'History').getByRole('button', { name: 'All 2 images' }).click();
  const all = page.getByRole('dialog', { name: 'All Images' });
  await seePictures(all, 2);
  const second = all.getByRole('link', { name: 'Download' }).nth(1);
  expect((await savedBy(page, second)).suggestedFilename()).toBe('A_lantern_boat_on_a__2.png');
  await all.getByRole('button', { name: 'Close' }).click();
}

async function lookAtKusa(page: Page): Promise<void> {
  await openProvider(page, 'Kusa');
  const styles = page.getByRole('list', { name: 'Kusa styles' });
  await seePictures(styles, 2);
}

test.describe('on a laptop', () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  test('a guest uses all providers', async ({ page, expected }) => {
    expected.push(/status of 401.*\/imagine-art\/save$/);
    await openHub(page);

    await test.step('Pix-AI', async () => {
      await chooseModels(page);
      await makeByPixai(page);
      await usePixaiPicture(page);
      await reload(page);
      await seeHistory(page, 'History');
      await cards(page, 'History').getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Delete Image');
      await expect(cards(page, 'History')).toHaveCount(0);
    });

    await test.step('Kusa', () => lookAtKusa(page));

    await test.step('Imagine Art, which needs an account', async () => {
      await openProvider(page, 'Imagine Art');
      await prompt(page).fill(words);
      await page.getByRole('button', { name: 'Generate Imagine Art' }).click();
      await expect(region(page, 'Result').getByRole('alert')).toHaveText(
        'Generation failed with status: 401\nNot authenticated',
      );
      await expect(prompt(page)).toHaveValue(words);
      await expect(
        page.getByText('No imagine art history found. Generate some images to see them here!'),
      ).toBeVisible();
    });

    await test.step('MidJourney', async () => {
      await openProvider(page, 'MidJourney');
      await useMidjourney(page);
      await reload(page);
      await seeHistory(page, 'History');
      await cards(page, 'History').getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Delete Generation');
      await expect(cards(page, 'History')).toHaveCount(0);
    });

    expect(backend.surprises).toEqual([]);
    expect(backend.counts()).toEqual({
      // Once for each load of the page.
      'GET /health': 3,
      'GET /capabilities': 3,
      // Two pages in each of two orders.
      'POST /api/pixai/graphql': 4,
      'POST /graphql': 1,
      'POST /prompt/enhance': 1,
      'POST /pixai/api/v1/generate-lora': 1,
      'GET /kusa/styles': 1,
      'POST /pixai/api/v1/api/imagine-art/save': 1,
      'POST /pixai/api/v1/midjourney/generate': 1,
      // Each picture, as the page may not read the host that has it; and the downloaded one.
      'GET /pixai/api/v1/midjourney/download': 3,
    });
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a member uses all providers', thoroughIf(true), async ({ page }) => {
    await stayLoggedIn(page, member);
    await openHub(page);

    await test.step('Pix-AI', async () => {
      await chooseModels(page);
      await makeByPixai(page);
      await expect.poll(() => backend.counts()['POST /generations/save']).toBe(1);
      await usePixaiPicture(page);
      await reload(page);
      await seeHistory(page, 'History');
      await region(page, 'History').getByRole('button', { name: 'Refresh' }).click();
      await expect.poll(() => backend.counts()['GET /generations/history']).toBe(3);
      await expect(cards(page, 'History')).toHaveCount(1);
      await cards(page, 'History').getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Delete Image');
      await expect(cards(page, 'History')).toHaveCount(0);
    });

    await test.step('Kusa', () => lookAtKusa(page));

    await test.step('Imagine Art', async () => {
      await openProvider(page, 'Imagine Art');
      const heading = 'Imagine Art History';
      await prompt(page).fill(words);
      await page.getByRole('button', { name: 'Generate Imagine Art' }).click();
      await seePictures(region(page, 'Result').getByRole('button', { name: /^Enlarge/ }), 1);
      await seeHistory(page, heading);
      await enlarge(page, cards(page, heading));
      const download = cards(page, heading).getByRole('button', { name: 'Download' });
      expect(await openedBy(page, download)).toMatch(picturesOrigin);
      // The picture by Pix-AI, when it can no longer be restored.
      await expect.poll(() => backend.deletions, { timeout: 30_000 }).toHaveLength(1);
      await reload(page);
      await seeHistory(page, heading);
      await cards(page, heading).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect(cards(page, heading)).toHaveCount(0);
    });

    await test.step('MidJourney', async () => {
      await openProvider(page, 'MidJourney');
      await useMidjourney(page);
      await reload(page);
      await seeHistory(page, 'History');
      await cards(page, 'History').getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Delete Generation');
      await expect(cards(page, 'History')).toHaveCount(0);
    });

    await test.step('what was deleted stays away', async () => {
      // The backend has no deletion for the picture by Imagine Art, and says so.
      await expect.poll(() => backend.deletions, { timeout: 30_000 }).toEqual([true, false]);
      await reload(page);
      await region(page, 'History').getByRole('button', { name: 'Refresh' }).click();
      await expect(cards(page, 'History')).toHaveCount(0);
      await openProvider(page, 'Imagine Art');
      // Before its history is read, there are no cards either.
      const read = () => backend.counts()['GET /pixai/api/v1/api/history/imagine/urls'];
      await expect.poll(read).toBe(3);
      await expect(cards(page, 'Imagine Art History')).toHaveCount(0);
      await openProvider(page, 'Pix-AI');
      await openTab(page, 'Generator');
      await expect(region(page, 'History').getByText('No generations yet.')).toBeVisible();
      await expect(cards(page, 'History')).toHaveCount(0);
    });

    expect(backend.surprises).toEqual([]);
    expect(backend.counts()).toEqual({
      // Once for each load of the page.
      'GET /health': 5,
      'GET /capabilities': 5,
      'GET /auth/me': 5,
      // Two pages in each of two orders.
      'POST /api/pixai/graphql': 4,
      'POST /graphql': 1,
      'POST /prompt/enhance': 1,
      'POST /pixai/api/v1/generate-lora': 1,
      'POST /generations/save': 1,
      // The backend lists no names of models: it is told once.
      'POST /generations/update-model-cache': 1,
      'POST /generations/up-gen': 1,
      // On each opening of the tab, and on Refresh.
      'GET /generations/history': 4,
      'DELETE /generations/g1': 1,
      'GET /kusa/styles': 1,
      'POST /pixai/api/v1/api/imagine-art/save': 1,
      'GET /pixai/api/v1/api/history/imagine/urls': 3,
      'DELETE /generations/g2': 1,
      'POST /pixai/api/v1/midjourney/generate': 1,
      'GET /pixai/api/v1/midjourney/download': 3,
      // Also after the generation.
      'GET /pixai/api/v1/midjourney/history': 5,
    });
  });
});
