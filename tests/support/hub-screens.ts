/** States of the image hub. */
import { expect, type Frame, pressIn, type Screen } from './e2e.ts';

const models = '/models?provider=pixai&view=models';
export const generator = '/models?provider=pixai&view=generator';
/** Two models of the built-in catalogue. */
const versions = { tidepool: '18931752268984912', emberLight: '18754367764874101' } as const;
const graphql = '**/api/pixai/graphql**';
const covers = '**/media/covers/**';

/** The card of a model of the built-in catalogue. */
const card = (app: Frame, name: string) => app.getByRole('listitem', { name });

/** Waits until the visible covers have loaded. */
async function seeCovers(app: Frame): Promise<void> {
  await expect(
    app.getByRole('list', { name: 'Models' }).getByRole('listitem').first(),
  ).toBeVisible();
  await expect
    .poll(() =>
      app.evaluate(() =>
        [...document.querySelectorAll('main img')]
          .filter((image) => image.getBoundingClientRect().top < window.innerHeight)
          .every((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
      ),
    )
    .toBe(true);
}

/** Waits until the generator has chosen a model, and shows its cover. */
export async function seeModel(app: Frame): Promise<void> {
  const model = app.getByRole('group', { name: 'Model' });
  await expect(model.getByRole('button', { name: 'Change' })).toBeVisible();
  await expect
    .poll(() => model.locator('img').evaluate((cover) => Reflect.get(cover, 'naturalWidth')))
    .toBeGreaterThan(0);
}

/** Types the ID of a model into the generator. */
export async function pasteModelId(app: Frame, id: string): Promise<void> {
  const toggle = app.getByRole('button', { name: 'Paste an ID', expanded: false });
  // A wrong ID shows the field by itself.
  await expect(toggle.or(app.getByRole('textbox', { name: 'Model ID' })).first()).toBeVisible();
  if (await toggle.isVisible()) {
    await toggle.click();
  }
  await app.getByRole('textbox', { name: 'Model ID' }).fill(id);
}

/** Unfolds the options of the generator. */
export async function openOptions(app: Frame): Promise<void> {
  const options = app.getByRole('button', { name: /^Options/ });
  if ((await options.getAttribute('aria-expanded')) === 'false') {
    await options.click();
  }
}

export const hubScreens: Readonly<Record<string, Screen>> = {
  'the generator': {
    isMain: true,
    path: () => generator,
    reach: seeModel,
  },
  'the options of the generator': {
    path: () => generator,
    reach: async (app) => {
      await seeModel(app);
      await openOptions(app);
      await app.getByRole('button', { name: /^Options/ }).scrollIntoViewIfNeeded();
      await expect(app.getByRole('textbox', { name: 'LoRA ID' })).toBeVisible();
    },
  },
  'the models over the generator': {
    path: () => generator,
    reach: async (app) => {
      const sheet = app.getByRole('dialog', { name: 'Choose a model' });
      const opener = app.getByRole('button', { name: 'Change' });
      await expect(opener.or(sheet).first()).toBeAttached();
      // It may still be open from an earlier check.
      if (!(await sheet.isVisible())) {
        await opener.click();
      }
      await expect(sheet.getByRole('listitem', { name: 'Dune Woodblock' })).toBeVisible();
    },
  },
  'the generator with a picture': {
    isMember: true,
    path: () => generator,
    reach: async (app) => {
      await pasteModelId(app, versions.tidepool);
      await openOptions(app);
      const lora = app.getByRole('textbox', { name: 'LoRA ID' });
      await lora.fill(versions.emberLight);
      await pressIn(lora, 'Enter');
      await expect(
        app.getByRole('group', { name: 'Trigger words of Ember Rim Light' }),
      ).toBeVisible();
      const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });
      await prompt.fill('a lantern in the fog');
      // Control+Enter works everywhere; inside Telegram there is no button in the page.
      await pressIn(prompt, 'Control+Enter');
      const result = app.getByRole('region', { name: 'Result' });
      await expect(result.getByRole('img', { name: 'a lantern in the fog' })).toBeVisible();
    },
  },
  'a picture that was not made': {
    isMember: true,
    path: () => generator,
    reach: async (app) => {
      await pasteModelId(app, '');
      await pressIn(app.getByRole('textbox', { name: 'Model ID' }), 'Enter');
      await expect(app.getByText('Please specify a model ID and enter a prompt')).toBeVisible();
    },
  },
  'the models': { isMain: true, path: () => models, reach: seeCovers },
  'models that are still loading': {
    path: () => models,
    prepare: (page) => page.route(graphql, () => undefined),
    reach: (app) => expect(app.getByText('Loading models...')).toBeVisible(),
  },
  'models that cannot be loaded': {
    path: () => models,
    prepare: (page) =>
      page.route(graphql, (route) => route.fulfill({ json: { errors: [{ message: 'No' }] } })),
    reach: (app) => expect(app.getByText('The models could not be loaded')).toBeVisible(),
  },
  'more models that cannot be loaded': {
    path: () => models,
    prepare: (page) =>
      page.route(graphql, (route) =>
        (route.request().postData() ?? '').includes('"after"')
          ? route.fulfill({ status: 400, json: {} })
          : route.continue(),
      ),
    reach: async (app) => {
      await seeCovers(app);
      await app.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const row = app.getByText('More models could not be loaded.');
      await expect(row).toBeVisible();
      await row.scrollIntoViewIfNeeded();
    },
  },
  'a search for models': { path: () => `${models}&q=woodblock`, reach: seeCovers },
  'a search for models without a find': {
    path: () => `${models}&q=no+such+thing`,
    reach: (app) => expect(app.getByText('No models found matching "no such thing"')).toBeVisible(),
  },
  'models whose covers are lost': {
    path: () => models,
    prepare: (page) => page.route(covers, (route) => route.abort()),
    reach: (app) => expect(app.getByText('Failed to load image').first()).toBeVisible(),
  },
  'ticked LoRAs': {
    isMember: true,
    path: () => models,
    reach: async (app) => {
      await seeCovers(app);
      await app.getByRole('checkbox', { name: 'Select Dune Woodblock' }).check();
      await app.getByRole('checkbox', { name: 'Select Ember Rim Light' }).check();
      await expect(app.getByText('2 LoRA(s) selected')).toBeVisible();
    },
  },
  'the details of a model': {
    isMain: true,
    isMember: true,
    path: () => models,
    reach: async (app) => {
      await seeCovers(app);
      const first = card(app, 'Dune Woodblock');
      await first.getByRole('button', { name: 'Details of Dune Woodblock' }).click();
      await expect(first.getByText('Trigger words')).toBeVisible();
    },
  },
  'a cover for adults': {
    path: () => `${models}&q=cedar+rim+light`,
    reach: async (app) => {
      await seeCovers(app);
      await app.getByRole('button', { name: 'Show pictures for adults' }).first().click();
      await expect(app.getByRole('dialog', { name: 'Age Confirmation' })).toBeVisible();
    },
  },
};
