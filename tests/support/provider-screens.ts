/** States of Imagine Art, MidJourney and Kusa. */
import { expect, type Frame, type Page, pressIn, type Screen } from './e2e.ts';

const imagine = '/models?provider=imagine-art';
const midjourney = '/models?provider=midjourney';
const kusa = '/models?provider=kusa';

/** A picture that the product serves. */
const picture = '/icon-512.png';
const words = 'a lantern boat on a quiet river';

const calls = {
  save: '**/imagine-art/save',
  generate: '**/midjourney/generate',
  history: '**/midjourney/history',
  styles: '**/kusa/styles',
  abilities: '**/generations/abilities',
} as const;

const answer = (page: Page, call: keyof typeof calls, json: unknown) =>
  page.route(calls[call], (route) => route.fulfill({ json }));
const refuse = (page: Page, call: keyof typeof calls) =>
  page.route(calls[call], (route) => route.fulfill({ status: 400, json: {} }));
const keepWaiting = (page: Page, call: keyof typeof calls) =>
  page.route(calls[call], () => undefined);

const makeArt = (page: Page) =>
  answer(page, 'save', { id: 'art', image_url: picture, seed: 4711, engine: 'sketch' });
/** The page reads the account's history when the pictures are made. */
async function makeGrid(page: Page): Promise<void> {
  const grid = { id: 'grid', s3_urls: [1, 2, 3, 4].map((n) => `${picture}?${n}`) };
  await answer(page, 'generate', grid);
  await answer(page, 'history', { generations: [{ ...grid, prompt: words }] });
}

/** Control+Enter works everywhere; inside Telegram there is no button in the page. */
async function generate(app: Frame): Promise<void> {
  const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill(words);
  await pressIn(prompt, 'Control+Enter');
}

const card = (app: Frame) => app.getByRole('listitem', { name: `Image: ${words}` }).first();

async function askForArt(app: Frame): Promise<void> {
  await generate(app);
  await expect(
    app.getByRole('region', { name: 'Result' }).getByRole('img', { name: words }),
  ).toBeVisible();
  await card(app).scrollIntoViewIfNeeded();
}

async function askForGrid(app: Frame): Promise<void> {
  await generate(app);
  const result = app.getByRole('region', { name: 'Generated Images' });
  await expect(result.getByRole('img')).toHaveCount(4);
  await app.getByRole('heading', { name: 'History' }).scrollIntoViewIfNeeded();
  await expect(card(app)).toBeVisible();
}

export const providerScreens: Readonly<Record<string, Screen>> = {
  'Imagine Art': {
    isMain: true,
    path: () => imagine,
    reach: (app) => expect(app.getByText('Style Preview Gallery')).toBeVisible(),
  },
  'Imagine Art with shapes that it cannot do': {
    path: () => imagine,
    prepare: (page) =>
      answer(page, 'abilities', {
        providers: {
          'imagine-art': { ratios: ['1:1', '3:2'], ratios_reason: 'Only two shapes are possible.' },
        },
      }),
    reach: (app) => expect(app.getByText('Only two shapes are possible.')).toBeVisible(),
  },
  'a picture by Imagine Art': {
    isMember: true,
    path: () => imagine,
    prepare: makeArt,
    reach: askForArt,
  },
  'a picture that Imagine Art is making': {
    isMember: true,
    path: () => imagine,
    prepare: (page) => keepWaiting(page, 'save'),
    reach: async (app) => {
      await generate(app);
      await expect(
        app.getByRole('region', { name: 'Result' }).getByText('Generating...'),
      ).toBeVisible();
    },
  },
  'a picture that Imagine Art has not made': {
    path: () => imagine,
    prepare: (page) => refuse(page, 'save'),
    reach: async (app) => {
      await generate(app);
      await expect(app.getByText('Generation failed with status: 400')).toBeVisible();
    },
  },
  MidJourney: {
    isMain: true,
    path: () => midjourney,
    reach: (app) => expect(app.getByRole('region', { name: 'Generated Images' })).toBeVisible(),
  },
  'pictures by MidJourney': {
    isMain: true,
    isMember: true,
    path: () => midjourney,
    prepare: makeGrid,
    reach: askForGrid,
  },
  'pictures that MidJourney is making': {
    isMember: true,
    path: () => midjourney,
    prepare: (page) => keepWaiting(page, 'generate'),
    reach: async (app) => {
      await generate(app);
      await expect(
        app.getByRole('region', { name: 'Generated Images' }).getByText('Generating...'),
      ).toBeVisible();
    },
  },
  'all images of a generation': {
    isMember: true,
    path: () => midjourney,
    prepare: makeGrid,
    reach: async (app) => {
      await askForGrid(app);
      await card(app).getByRole('button', { name: 'All 4 images' }).click();
      await expect(app.getByRole('dialog', { name: 'All Images' }).getByRole('img')).toHaveCount(4);
    },
  },
  'the details of a generation': {
    isMain: true,
    isMember: true,
    path: () => midjourney,
    prepare: makeGrid,
    reach: async (app) => {
      await askForGrid(app);
      await card(app).getByRole('button', { name: 'Info' }).click();
      await expect(app.getByRole('dialog', { name: 'Generation Details' })).toBeVisible();
    },
  },
  'the question before a generation is deleted': {
    isMember: true,
    path: () => midjourney,
    prepare: makeGrid,
    reach: async (app) => {
      await askForGrid(app);
      await card(app).getByRole('button', { name: 'Delete' }).click();
      await expect(app.getByRole('dialog', { name: 'Delete Generation' })).toBeVisible();
    },
  },
  'the styles of Kusa': {
    isMain: true,
    isMember: true,
    path: () => kusa,
    reach: (app) => expect(app.getByRole('listitem', { name: /^#1\s?: / })).toBeVisible(),
  },
  'styles that are still loading': {
    path: () => kusa,
    prepare: (page) => keepWaiting(page, 'styles'),
    reach: (app) => expect(app.getByText('Loading styles...')).toBeVisible(),
  },
  'styles that cannot be loaded': {
    path: () => kusa,
    prepare: (page) => refuse(page, 'styles'),
    reach: (app) => expect(app.getByText('No styles available.')).toBeVisible(),
  },
};
