/** States of pictures: the history, what they are made from, and what is read in their files. */
import { readFileSync } from 'node:fs';

import { expect, type Frame, type Page, pressIn, type Screen } from './e2e.ts';
import { generator, openOptions, seeModel } from './hub-screens.ts';
import { pngChunk, withPngChunks } from './picture-files.ts';

const card = (app: Frame, name: string) => app.getByRole('listitem', { name });

/** One that has all that an engine can have. */
const engine = {
  engine: 'a1111',
  steps: { min: 1, max: 150, default: 25 },
  samplers: ['Euler a', 'DPM++ 2M Karras'],
  modes: ['variation', 'upscale', 'inpaint'],
} as const;

async function announce(page: Page, abilities: typeof engine): Promise<void> {
  await page.route('**/generations/abilities', (route) =>
    route.fulfill({ json: { providers: { pixai: abilities } } }),
  );
}

/** A picture with the recipe of another program. */
const withRecipe = () =>
  withPngChunks(
    readFileSync('public/icon-512.png'),
    pngChunk(
      'tEXt',
      'parameters\0a lighthouse in the fog, by lamplight\nNegative prompt: people, boats\nSteps: 28, Sampler: Euler a, CFG scale: 6, Seed: 4711, Size: 832x1216, Model: tidepool',
    ),
  );

/** Gives a file to a field that a button stands for. */
async function chooseFile(app: Frame, name: string): Promise<void> {
  await app
    .getByLabel(name)
    .and(app.locator('input'))
    .setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer: withRecipe() });
}

/** Starts from a picture of the user's own. */
async function chooseOwn(app: Frame): Promise<void> {
  await seeModel(app);
  const chosen = app.getByRole('img', { name: 'The picture that it starts from' });
  if (!(await chosen.isVisible())) {
    await chooseFile(app, 'Start from a picture');
  }
  await expect(chosen).toBeVisible();
  await chosen.scrollIntoViewIfNeeded();
}

/** A history as a device keeps it, with favourites and a collection. */
async function keepHistory(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const prompts = [
      'A heron at dusk over a still lake',
      'A red fox in the snow, soft morning light',
      'A grey fox in the snow, hard evening light',
      'Lanterns on a quiet river',
      'A lighthouse on a cliff at dawn',
      'A harbour with fishing boats',
    ];
    const rows = prompts.map((prompt, index) => ({
      provider: 'pixai',
      id: `kept-${index}`,
      status: 'completed',
      timestamp: Date.UTC(2026, 0, 9, 12 - index),
      modelId: '18931752268984912',
      modelName: 'Tidepool',
      prompt,
      seed: String(4711 + index),
      imageUrl: '/icon-512.png',
      isFavourite: index === 1,
      collections: index < 3 ? ['north'] : [],
    }));
    localStorage.setItem('nori_generation_history', JSON.stringify(rows));
    localStorage.setItem(
      'nori_collections',
      JSON.stringify([{ id: 'north', name: 'Birds and foxes of the north' }]),
    );
  });
}

/** Ticks the second and the third picture of that history. */
async function selectTwo(app: Frame): Promise<void> {
  const bar = app.getByRole('region', { name: 'Selected images' });
  const start = app.getByRole('button', { name: 'Select', exact: true });
  await expect(start.or(bar).first()).toBeVisible();
  // They may still be selected from an earlier check.
  if (!(await bar.isVisible())) {
    await start.click();
  }
  for (const name of ['Select: A red fox', 'Select: A grey fox']) {
    const picture = app.getByRole('button', { name });
    if ((await picture.getAttribute('aria-pressed')) === 'false') {
      await picture.click();
    }
  }
  await expect(bar.getByText('2 selected')).toBeVisible();
}

/** Opens a dialog from the bar of selected pictures. */
async function openFromBar(app: Frame, action: string, name: string): Promise<void> {
  const dialog = app.getByRole('dialog', { name });
  if (!(await dialog.isVisible())) {
    await selectTwo(app);
    const bar = app.getByRole('region', { name: 'Selected images' });
    await bar.getByRole('button', { name: action }).click();
  }
  await expect(dialog).toBeVisible();
}

export const pictureScreens: Readonly<Record<string, Screen>> = {
  'a search in the history': {
    path: () => `${generator}&q=fox`,
    prepare: keepHistory,
    reach: async (app) => {
      await card(app, 'Image: A red fox').scrollIntoViewIfNeeded();
      await expect(app.getByRole('listitem', { name: /fox in the snow/ })).toHaveCount(2);
    },
  },
  'a search in the history without a find': {
    path: () => `${generator}&q=whale`,
    prepare: keepHistory,
    reach: (app) => expect(app.getByText('No image matches "whale"')).toBeVisible(),
  },
  'selected pictures': { path: () => generator, prepare: keepHistory, reach: selectTwo },
  'the collections of a history': {
    path: () => generator,
    prepare: keepHistory,
    reach: (app) => openFromBar(app, 'Collections', 'Collections'),
  },
  'two pictures compared': {
    path: () => generator,
    prepare: keepHistory,
    reach: async (app) => {
      await openFromBar(app, 'Compare', 'Compare');
      await expect(app.getByRole('table', { name: 'What differs' })).toBeVisible();
    },
  },
  'two pictures under a slider': {
    path: () => generator,
    prepare: keepHistory,
    reach: async (app) => {
      await openFromBar(app, 'Compare', 'Compare');
      await app.getByRole('tab', { name: 'With a slider' }).click();
      await expect(app.getByRole('slider')).toBeAttached();
    },
  },
  'the settings of an engine that has many': {
    path: () => generator,
    prepare: (page) => announce(page, engine),
    reach: async (app) => {
      await seeModel(app);
      await openOptions(app);
      const sampler = app.getByRole('combobox', { name: 'Sampler' });
      await sampler.selectOption('DPM++ 2M Karras');
      await sampler.scrollIntoViewIfNeeded();
    },
  },
  'a picture that others start from': {
    isMember: true,
    path: () => generator,
    prepare: (page) => announce(page, engine),
    reach: chooseOwn,
  },
  'a part of a picture that is painted over': {
    isMember: true,
    path: () => generator,
    prepare: (page) => announce(page, engine),
    reach: async (app) => {
      const dialog = app.getByRole('dialog', { name: 'Repaint a part' });
      if (!(await dialog.isVisible())) {
        await chooseOwn(app);
        // An earlier picture of the same user can be repainted, too.
        const form = app.getByRole('form', { name: 'Generator' });
        await form.getByRole('button', { name: 'Repaint a part' }).click();
      }
      const canvas = dialog.getByRole('application');
      await expect(canvas).toBeVisible();
      await pressIn(canvas, ' ');
      await expect(dialog.getByRole('button', { name: 'Undo' }).first()).toBeEnabled();
    },
  },
  'a picture that waits for others': {
    isMember: true,
    path: () => generator,
    prepare: async (page) => {
      await page.route('**/pixai/api/v1/generate', () => undefined);
      await page.route('**/generations/jobs/*', (route) =>
        route.fulfill({ json: { state: 'queued', queue_position: 12, expected_seconds: 2700 } }),
      );
    },
    reach: async (app) => {
      const place = app.getByRole('region', { name: 'Result' }).getByText(/\b11\b/);
      if (!(await place.isVisible())) {
        await seeModel(app);
        const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });
        await prompt.fill('a lantern in the fog');
        await pressIn(prompt, 'Control+Enter');
      }
      await expect(place).toBeVisible();
    },
  },
  'a recipe that a picture has': {
    path: () => generator,
    reach: async (app) => {
      await seeModel(app);
      await chooseFile(app, 'Read a picture’s recipe');
      await expect(app.getByText('Recipe found')).toBeVisible();
      await app.getByRole('button', { name: 'Remix' }).scrollIntoViewIfNeeded();
    },
  },
  'a picture without a recipe': {
    path: () => generator,
    reach: async (app) => {
      await seeModel(app);
      await app
        .getByLabel('Read a picture’s recipe')
        .and(app.locator('input'))
        .setInputFiles('public/icon-512.png');
      await expect(app.getByText('No recipe in this picture', { exact: false })).toBeVisible();
    },
  },
};
