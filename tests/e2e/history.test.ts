/** The history in a real browser: pictures that outlive the page, deleting and undoing, and the focus. */
import { findViolations } from '#tests/accessibility';
import {
  type Container,
  expect,
  type Frame,
  type Page,
  palettes,
  settle,
  stayLoggedIn,
  test,
  thoroughIf,
} from '#tests/e2e';
import { pasteModelId } from '#tests/hub-screens';
import { remembered, rememberedMany } from '#tests/remembered';

const historyAddress = '/models?provider=pixai&view=generator';

type Rows = readonly ReturnType<typeof remembered>[];

async function storeHistory(
  page: Page,
  rows: Rows,
  theme: 'light' | 'dark' = 'light',
): Promise<void> {
  await page.addInitScript(
    ([history, chosen]) => {
      if (localStorage.getItem('nori_generation_history') === null) {
        localStorage.setItem('nori_generation_history', history);
        localStorage.setItem('theme', chosen);
      }
    },
    [JSON.stringify(rows), theme] as const,
  );
}

const history = (app: Frame) => app.getByRole('region', { name: 'History' });
const cards = (app: Frame) => history(app).getByRole('listitem');
const card = (app: Frame, prompt: string) =>
  history(app).getByRole('listitem', { name: `Image: ${prompt}`, exact: true });
const heron = (number: number) => `A heron at dusk, number ${number}`;
const dialog = (app: Frame, name: string) => app.getByRole('dialog', { name });

/** Users may type the ID of a model that the server does not know. */
const unknownModel = /status of 404.*\/model-info\//;

/** The natural width of the card's picture, in px. */
const widthOfPicture = (app: Frame, prompt: string) =>
  card(app, prompt)
    .locator('img')
    .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));

test('a visitor’s picture is shown after a reload, also enlarged, until it is deleted', async ({
  open,
  expected,
}) => {
  expected.push(unknownModel);
  const { app, reload, submit } = await open({ container: 'browser', path: historyAddress });
  await pasteModelId(app, '1983308862240288769');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('An onigiri in the rain');
  await submit('Generate');
  await expect(card(app, 'An onigiri in the rain')).toBeVisible();

  await reload();

  await expect.poll(() => widthOfPicture(app, 'An onigiri in the rain')).toBe(512);
  await card(app, 'An onigiri in the rain')
    .getByRole('button', { name: /^Enlarge/ })
    .click();
  const large = dialog(app, 'Image viewer').getByRole('img', { name: 'An onigiri in the rain' });
  await expect
    .poll(() =>
      large.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    )
    .toBe(1024);
  await dialog(app, 'Image viewer').getByRole('button', { name: 'Delete' }).click();
  await dialog(app, 'Delete Image').getByRole('button', { name: 'Delete' }).click();
  await expect(history(app).getByText('No generations yet. Start creating!')).toBeVisible();

  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(card(app, 'An onigiri in the rain')).toBeFocused();
  await expect.poll(() => widthOfPicture(app, 'An onigiri in the rain')).toBe(512);
});

test('a session that has ended leaves the pictures and the typed prompt on the device', async ({
  open,
  page,
  nori,
  unique,
  expected,
}) => {
  expected.push(unknownModel, /status of 401/, /Failed to load resource/);
  const member = await nori.member(unique());
  await stayLoggedIn(page, member);
  const { app, reload, submit } = await open({ container: 'browser', path: historyAddress });
  await pasteModelId(app, '1983308862240288769');
  const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill('A lighthouse of paper');
  await submit('Generate');
  await expect.poll(() => widthOfPicture(app, 'A lighthouse of paper')).toBe(512);
  await prompt.fill('A second prompt, not sent yet');

  await fetch(`${nori.origin}/backend/auth/logout`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${member.token}` },
  });
  // Only the device may show the picture: its signed link would still be valid.
  await page.route('**/backend/media/**', (route) => route.abort());
  await reload();

  await expect(
    app.getByText('This is what this device has kept. Log in to sync it with your account.'),
  ).toBeVisible();
  await expect.poll(() => widthOfPicture(app, 'A lighthouse of paper')).toBe(512);
  await expect(prompt).toHaveValue('A second prompt, not sent yet');
});

test('the question before deleting has the focus on Cancel, and Escape cancels', async ({
  open,
  page,
}) => {
  await storeHistory(page, rememberedMany(3));
  const { app } = await open({ container: 'browser', path: historyAddress });
  const opener = card(app, heron(2)).getByRole('button', { name: 'Delete' });
  await opener.click();
  await expect(dialog(app, 'Delete Image').getByRole('button', { name: 'Cancel' })).toBeFocused();

  await page.keyboard.press('Escape');

  await expect(dialog(app, 'Delete Image')).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(cards(app)).toHaveCount(3);
});

test('by keyboard alone: delete, continue with the next card, and undo', async ({ open, page }) => {
  await storeHistory(page, rememberedMany(3));
  const { app } = await open({ container: 'browser', path: historyAddress });
  await card(app, heron(2)).focus();
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter', 'Tab', 'Enter']) {
    await page.keyboard.press(key);
  }
  await expect(cards(app)).toHaveCount(2);
  await expect(card(app, heron(3))).toBeFocused();

  await page.keyboard.press('Control+z');

  await expect(card(app, heron(2))).toBeFocused();
  await expect(cards(app)).toHaveCount(3);
});

test('a deletion that was not undone holds when the page is closed at once', async ({
  open,
  page,
  nori,
  unique,
  expected,
}) => {
  expected.push(unknownModel);
  const member = await nori.member(unique());
  await page.addInitScript(
    ([id, token]) => {
      localStorage.setItem('accessToken', token);
      localStorage.setItem('telegram_id', id);
    },
    [String(member.telegramId), member.token] as const,
  );
  const { app, reload, submit } = await open({ container: 'browser', path: historyAddress });
  await pasteModelId(app, '1983308862240288769');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A short-lived kite');
  await submit('Generate');
  await expect(card(app, 'A short-lived kite')).toBeVisible();
  const kept = async () =>
    JSON.stringify(
      await nori.call('/generations/history', undefined, { token: member.token, method: 'GET' }),
    );
  expect(await kept()).toContain('A short-lived kite');

  await card(app, 'A short-lived kite').getByRole('button', { name: 'Delete' }).click();
  await dialog(app, 'Delete Image').getByRole('button', { name: 'Delete' }).click();
  await expect(history(app).getByText('No generations yet. Start creating!')).toBeVisible();
  await reload();

  await expect.poll(kept).not.toContain('A short-lived kite');
  await expect(history(app).getByText('No generations yet. Start creating!')).toBeVisible();
});

test('three columns on a wide screen, two on a phone, and at most 600 pixels of it', async ({
  open,
  page,
}) => {
  await storeHistory(page, rememberedMany(40));
  const { app } = await open({ container: 'browser', path: historyAddress });
  const columns = async () => {
    const lefts = await cards(app).evaluateAll((items) =>
      items.map((item) => Math.round(item.getBoundingClientRect().left)),
    );
    return new Set(lefts).size;
  };

  await expect.poll(columns).toBe(3);
  const box = history(app).getByRole('list').locator('..');
  expect(await box.evaluate((element) => element.clientHeight)).toBe(600);
  await page.setViewportSize({ width: 769, height: 800 });
  await expect.poll(columns).toBe(3);
  await page.setViewportSize({ width: 768, height: 800 });
  await expect.poll(columns).toBe(2);

  await page.setViewportSize({ width: 320, height: 640 });
  await expect
    .poll(() => app.evaluate(() => document.documentElement.scrollWidth), 'nothing overflows')
    .toBe(320);
  expect(await columns()).toBe(2);
  const small = await cards(app)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons
        .map((button) => button.getBoundingClientRect())
        // Far down the page, 44 pixels are measured as 43.9999.
        .filter(({ width, height }) => Math.round(width) < 44 || Math.round(height) < 44),
    );
  expect(small).toEqual([]);
});

for (const container of ['browser', 'phone browser', 'weba'] satisfies Container[]) {
  for (const theme of ['light', 'dark'] as const) {
    test(
      `axe finds nothing in the history and its dialogs: ${container}, ${theme}`,
      thoroughIf(container !== 'phone browser' || theme === 'dark'),
      async ({ open, page, unique, expected }) => {
        // Telegram's HTTPS page frames our HTTP page, and the browser warns about its pictures.
        expected.push(/Mixed Content/);
        await storeHistory(
          page,
          [
            remembered(1),
            remembered(2, { status: 'error', error: 'HTTP error! status: 500' }),
            remembered(3, { imageUrl: undefined, negativePrompt: 'blurry', seed: '12345678901' }),
            remembered(4),
          ],
          theme,
        );
        const { app } = await open({
          container,
          path: historyAddress,
          telegramId: unique(),
          palette: palettes[theme],
        });
        await expect(app.locator('html')).toHaveAttribute('data-theme', theme);
        await expect(card(app, heron(1)).locator('img')).toBeVisible();
        const found: string[] = [];
        const look = async (what: string) => {
          await settle(app);
          found.push(...(await findViolations(page)).map((violation) => `${what}: ${violation}`));
        };

        await look('history');
        await card(app, heron(1))
          .getByRole('button', { name: /^Enlarge/ })
          .click();
        await expect(
          dialog(app, 'Image viewer').getByRole('img', { name: heron(1) }),
        ).toBeVisible();
        await look('viewer');
        await dialog(app, 'Image viewer').getByRole('button', { name: 'Info' }).click();
        await expect(dialog(app, 'Image details')).toBeVisible();
        await look('details');
        await dialog(app, 'Image details').getByRole('button', { name: 'Close' }).click();
        await dialog(app, 'Image viewer').getByRole('button', { name: 'Delete' }).click();
        await look('question');
        await dialog(app, 'Delete Image').getByRole('button', { name: 'Delete' }).click();
        await expect(app.getByText('Image deleted.')).toBeVisible();
        await look('notice');

        expect(found).toEqual([]);
      },
    );
  }
}
