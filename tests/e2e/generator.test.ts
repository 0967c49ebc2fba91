/** The generator in a real browser: from the prompt to the file, and the form at every width. */
import {
  type Container,
  expect,
  type Frame,
  type Locator,
  settle,
  test,
  thoroughIf,
} from '#tests/e2e';
import { openOptions, pasteModelId } from '#tests/hub-screens';

const address = '/models?provider=pixai&view=generator';

test.beforeEach(({ expected }) => {
  // Users may type any ID; the server answers 404 for an unknown model.
  expected.push(/status of 404.*\/model-info\//);
});

const result = (app: Frame) => app.getByRole('region', { name: 'Result' });

async function fillIn(app: Frame, prompt: string): Promise<void> {
  await pasteModelId(app, '1648918127446573124');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
}

for (const container of ['phone browser', 'ios', 'weba'] satisfies Container[]) {
  test(
    `a picture is made and shown, also after a reload: ${container}`,
    thoroughIf(container !== 'ios'),
    async ({ open, unique }) => {
      const opened = await open({ container, path: address, telegramId: unique() });
      const { app } = opened;
      await fillIn(app, 'a lantern in the fog');
      await openOptions(app);
      await app.getByRole('radio', { name: '2:3' }).check();

      await opened.submit('Generate');

      const image = result(app).getByRole('img', { name: 'a lantern in the fog' });
      await expect(image).toBeInViewport({ ratio: 0.8 });
      await expect
        .poll(() =>
          image.evaluate((node) => (node instanceof HTMLImageElement ? node.naturalHeight : 0)),
        )
        .toBe(1248);
      await opened.reload();

      await expect(image).toBeAttached();
      await expect(app.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue(
        'a lantern in the fog',
      );
      await expect(app.getByText('2:3 · random seed')).toBeVisible();
      await openOptions(app);
      await expect(app.getByRole('radio', { name: '2:3' })).toBeChecked();
      await app.getByRole('radio', { name: '2:3' }).scrollIntoViewIfNeeded();
      await expect(app.getByRole('radio', { name: '2:3' })).toBeInViewport({ ratio: 0 });
    },
  );
}

test('a picture is saved as a file with the ID of its model and the time', async ({
  open,
  page,
}) => {
  const { app, submit } = await open({ container: 'browser', path: address });
  await fillIn(app, 'a lantern in the fog');
  await submit('Generate');
  const saving = page.waitForEvent('download');

  await result(app).getByRole('link', { name: 'Download' }).click();

  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^1648918127446573124-[\dT-]+\.(?:png|webp)$/);
  expect(await file.failure()).toBeNull();
});

test('the whole form can be used with a keyboard', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: address });

  await app.getByRole('textbox', { name: 'Prompt', exact: true }).focus();
  await page.keyboard.type('a lantern');
  await page.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Paste an ID' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(app.getByRole('textbox', { name: 'Model ID' })).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('1001');
  await page.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: /^Options/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(app.getByRole('radio', { name: '1:1' })).toBeFocused();
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(app.getByRole('radio', { name: '5:8' })).toBeChecked();
  await expect(app.getByRole('radio', { name: '5:8' })).toBeInViewport();
  await page.keyboard.press('Tab');
  await page.keyboard.type('2001');
  await page.keyboard.press('Enter');
  await app.getByRole('textbox', { name: 'Seed' }).focus();
  await page.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Random seed' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(app.getByRole('checkbox', { name: 'NSFW' })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Read a picture’s recipe' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(app.getByRole('checkbox', { name: /^Keep the recipe/ })).toBeFocused();
  // Past the line that says who draws the pictures.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Generate', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(result(app).getByRole('img', { name: 'a lantern' })).toBeVisible();
  await expect(result(app).getByText('5:8')).toBeVisible();
});

test('form and result lie side by side above 1024 pixels, and never wider than 1800', async ({
  open,
  page,
}) => {
  const { app } = await open({ container: 'browser', path: address });
  const form = app.getByRole('form', { name: 'Generator' });
  const place = async () => {
    const [left, right] = await Promise.all([form.boundingBox(), result(app).boundingBox()]);
    return { left: left!, right: right! };
  };

  for (const width of [320, 390, 768, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const { left, right } = await place();
    expect(right.y).toBeGreaterThan(left.y + left.height - 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  for (const width of [1025, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    const { left, right } = await place();
    expect(right.x).toBeGreaterThan(left.x + left.width);
    expect(right.x + right.width - left.x).toBeLessThanOrEqual(1800);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('Generate is visible at every scroll position of the form', async ({ open }) => {
  const { app } = await open({ container: 'phone browser', path: address });
  const generate = app.getByRole('button', { name: 'Generate', exact: true });

  await openOptions(app);
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).scrollIntoViewIfNeeded();
  await expect(generate).toBeInViewport({ ratio: 1 });
  await app.getByRole('checkbox', { name: 'NSFW' }).scrollIntoViewIfNeeded();

  await expect(generate).toBeInViewport({ ratio: 1 });
});

const top = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;
const prompt = (app: Frame) => app.getByRole('textbox', { name: 'Prompt', exact: true });
const model = (app: Frame) => app.getByRole('group', { name: 'Model' });

for (const [container, highest] of [
  ['phone browser', 260],
  ['ios', 200],
  ['android', 200],
  ['weba', 200],
] as const) {
  test(
    `prompt, model and Generate are visible without scrolling: ${container}`,
    thoroughIf(container === 'android' || container === 'weba'),
    async ({ open, page }) => {
      const { app, isTelegram, sent } = await open({ container, path: address });
      await page.setViewportSize({ width: 390, height: 844 });
      const change = model(app).getByRole('button', { name: 'Change' });
      await expect(change).toBeVisible();

      expect(await top(prompt(app))).toBeLessThanOrEqual(highest);
      expect(await top(prompt(app))).toBeLessThan(await top(model(app)));
      await expect(prompt(app)).toBeInViewport({ ratio: 1 });
      await expect(model(app)).toBeInViewport({ ratio: 1 });
      if (isTelegram) {
        expect((await sent('web_app_setup_main_button')).at(-1)?.data).toMatchObject({
          text: 'Generate',
          is_visible: true,
        });
      } else {
        const generate = app.getByRole('button', { name: 'Generate', exact: true });
        await expect(generate).toBeInViewport({ ratio: 1 });
        // Nothing of the card is behind the bar.
        const { y = 0, height = 0 } = (await model(app).boundingBox()) ?? {};
        expect(y + height).toBeLessThan(await top(generate));
      }
    },
  );
}

test('the card of the model is as high while it is loading', async ({ open, page }) => {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/api/pixai/graphql**', async (route) => {
    await released;
    await route.continue();
  });
  const { app } = await open({ container: 'phone browser', path: address });
  await expect(model(app).getByText('Loading models...')).toBeAttached();
  const before = await top(app.getByRole('button', { name: /^Options/ }));

  release();

  await expect(model(app).getByRole('button', { name: 'Change' })).toBeVisible();
  expect(await top(app.getByRole('button', { name: /^Options/ }))).toBe(before);
});

for (const container of ['phone browser', 'browser', 'ios'] satisfies Container[]) {
  test(
    `another model and LoRAs are taken from a sheet over the form: ${container}`,
    thoroughIf(container === 'browser'),
    async ({ open, page }) => {
      const opened = await open({ container, path: address });
      const { app } = opened;
      const change = model(app).getByRole('button', { name: 'Change' });
      const sheet = app.getByRole('dialog', { name: 'Choose a model' });
      await prompt(app).fill('a lantern in the fog');

      await change.click();
      await sheet.getByRole('checkbox', { name: 'Select Dune Woodblock' }).check();
      await sheet.getByRole('button', { name: 'Generate with Selected LoRAs' }).click();
      await expect(sheet).toBeHidden();
      await expect(change).toBeFocused();
      await expect(app.getByText('1:1 · random seed · 1 LoRA')).toBeVisible();

      await change.click();
      await sheet.getByRole('searchbox').fill('Orbitglass Flow');
      await sheet.getByRole('searchbox').press('Enter');
      await sheet.getByRole('button', { name: 'Use model Orbitglass Flow' }).click();
      await expect(sheet).toBeHidden();
      await expect(change).toBeFocused();
      await expect(model(app).getByText('Orbitglass Flow')).toBeVisible();
      await expect(model(app).locator('img')).toHaveJSProperty('complete', true);

      await change.click();
      await expect(sheet.getByRole('list', { name: 'Models' })).toBeVisible();
      await (opened.isTelegram ? opened.pressBack() : page.keyboard.press('Escape'));
      await expect(sheet).toBeHidden();
      await expect(change).toBeFocused();
      await change.click();
      await expect(sheet.getByRole('list', { name: 'Models' })).toBeVisible();
      await settle(app);
      await page.mouse.click(4, 4);
      await expect(sheet).toBeHidden();
      await change.click();
      await sheet.getByRole('button', { name: 'Close', exact: true }).click();
      await expect(sheet).toBeHidden();
      await expect(change).toBeFocused();

      await expect(prompt(app)).toHaveValue('a lantern in the fog');
      await expect(result(app).getByText('Generated images will appear here')).toBeAttached();
      expect(new URL(app.url()).search).toBe('?provider=pixai&view=generator');
    },
  );
}

test('in one column the result comes above the form and into view, and a field that is typed in stays', async ({
  open,
  page,
}) => {
  const { app, submit } = await open({ container: 'phone browser', path: address });
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/pixai/api/v1/generate', async (route) => {
    await released;
    await route.continue();
  });
  await expect(model(app).getByRole('button', { name: 'Change' })).toBeVisible();
  await openOptions(app);
  await prompt(app).fill('a lantern in the fog');
  await app.getByRole('checkbox', { name: 'NSFW' }).scrollIntoViewIfNeeded();

  await submit('Generate');

  const heading = result(app).getByRole('heading', { name: 'Result' });
  await expect(heading).toBeInViewport({ ratio: 1 });
  await expect(result(app).getByText('Starting generation...')).toBeInViewport();
  expect(await top(result(app))).toBeLessThan(await top(prompt(app)));

  const seed = app.getByRole('textbox', { name: 'Seed' });
  await seed.focus();
  await seed.scrollIntoViewIfNeeded();
  await settle(app);
  const before = await top(seed);
  release();
  await expect(result(app).getByRole('img', { name: 'a lantern in the fog' })).toBeAttached();
  await expect(result(app).getByRole('link', { name: 'Download' })).toBeAttached();
  await settle(app);
  expect(Math.abs((await top(seed)) - before)).toBeLessThan(1);
});
