/** The generator in a real browser: from the prompt to the file, and the form at every width. */
import { type Container, expect, type Frame, test, thoroughIf } from '#tests/e2e';

const address = '/models?provider=pixai&view=generator';

test.beforeEach(({ expected }) => {
  // Users may type any ID; the server answers 404 for an unknown model.
  expected.push(/status of 404.*\/model-info\//);
});

const result = (app: Frame) => app.getByRole('region', { name: 'Result' });

async function fillIn(app: Frame, prompt: string): Promise<void> {
  await app.getByRole('textbox', { name: 'Model ID' }).fill('1648918127446573124');
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
      await app.getByRole('radio', { name: '2:3' }).check();

      await opened.submit('Generate');

      const image = result(app).getByRole('img', { name: 'a lantern in the fog' });
      await expect(image).toBeInViewport();
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
      await expect(app.getByRole('radio', { name: '2:3' })).toBeChecked();
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

  await app.getByRole('textbox', { name: 'Model ID' }).focus();
  await page.keyboard.type('1001');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2001');
  await page.keyboard.press('Enter');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).focus();
  await page.keyboard.type('a lantern');
  await app.getByRole('radio', { name: '1:1' }).focus();
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(app.getByRole('radio', { name: '5:8' })).toBeChecked();
  await expect(app.getByRole('radio', { name: '5:8' })).toBeInViewport();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(app.getByRole('checkbox', { name: 'NSFW' })).toBeChecked();
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

  await app.getByRole('textbox', { name: 'Prompt', exact: true }).scrollIntoViewIfNeeded();
  await expect(generate).toBeInViewport({ ratio: 1 });
  await app.getByRole('checkbox', { name: 'NSFW' }).scrollIntoViewIfNeeded();

  await expect(generate).toBeInViewport({ ratio: 1 });
});
