/** From browsing models to a stored picture: as a visitor and as a user, on the web and in Telegram. */
import {
  type Container,
  expect,
  type Frame,
  type Nori,
  openApp,
  type OpenedApp,
  type Page,
  stayLoggedIn,
  test,
  thoroughIf,
} from '#tests/e2e';
import { pasteModelId } from '#tests/hub-screens';

const models = '/models?provider=pixai&view=models';
const generator = '/models?provider=pixai&view=generator';
const prompt = 'A lantern boat on a quiet river';

/** The server answers 404 for launch data without an account, and for LoRAs that it does not know. */
const usual = /status of 404/;

const list = (app: Frame) => app.getByRole('list', { name: 'Models' });
const card = (app: Frame, name: string) =>
  app.getByRole('listitem', { name: new RegExp(`^${name}, `) });
const history = (app: Frame) => app.getByRole('region', { name: 'History' });
const finished = (app: Frame, words = prompt) =>
  history(app).getByRole('listitem', { name: `Image: ${words}`, exact: true });
const pendingCard = (app: Frame) => history(app).getByRole('listitem', { name: /^In progress/ });

/** The natural width of a card's picture in px; 0 while it has not loaded. */
const drawnWidth = (app: Frame, words = prompt) =>
  finished(app, words)
    .locator('img')
    .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));

/** The pictures that the server has saved for a user. */
async function saved(nori: Nori, token: string): Promise<number> {
  const response = await fetch(`${nori.origin}/backend/generations/history`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const body: unknown = await response.json();
  const generations: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'generations') : undefined;
  return Array.isArray(generations) ? generations.length : -1;
}

/** Opens the app as a visitor or as a user with an account. */
async function visit(
  page: Page,
  nori: Nori,
  {
    container,
    telegramId,
    isMember,
  }: { readonly container: Container; readonly telegramId: number; readonly isMember: boolean },
): Promise<{ readonly opened: OpenedApp; readonly token: string | undefined }> {
  const member = isMember ? await nori.member(telegramId) : undefined;
  if (member && container.includes('browser')) {
    await stayLoggedIn(page, member);
  }
  const opened = await openApp(page, nori, { container, path: models, telegramId });
  return { opened, token: member?.token };
}

/** Goes to another screen and back while a picture is made. */
async function visitAnotherScreen({ app, isTelegram }: OpenedApp): Promise<void> {
  const navigation = app.getByRole('navigation').first();
  if (isTelegram) {
    await navigation.getByRole('button', { name: 'Features' }).click();
  } else {
    await navigation.getByRole('link', { name: 'Features' }).click();
  }
  await expect(app.getByRole('heading', { name: 'Nori Features' })).toBeVisible();
  if (isTelegram) {
    await navigation.getByRole('button', { name: 'Models' }).click();
  } else {
    await navigation.getByRole('link', { name: 'Models' }).click();
  }
  await expect(app.getByRole('heading', { level: 1, name: 'AI Models' })).toBeVisible();
}

const visitors = [
  { who: 'a guest', isMember: false, container: 'browser' },
  { who: 'a member', isMember: true, container: 'browser' },
  { who: 'a guest', isMember: false, container: 'weba' },
  { who: 'a member', isMember: true, container: 'ios' },
] as const;

for (const { who, isMember, container } of visitors) {
  test(
    `${who} finds models, makes a picture, and has it until it is deleted: ${container}`,
    thoroughIf(isMember === (container === 'browser')),
    async ({ page, nori, unique, expected }) => {
      expected.push(usual);
      const { opened, token } = await visit(page, nori, {
        container,
        telegramId: unique(),
        isMember,
      });
      const { app, submit, reload } = opened;

      await test.step('browses: scrolling loads more models', async () => {
        await expect(list(app).getByRole('listitem').first()).toBeVisible();
        await expect(async () => {
          await app.evaluate(() => window.scrollBy(0, 3000));
          await expect(app.getByText(/^(?:7[2-9]|[89]\d|\d{3}) models loaded$/)).toBeAttached({
            timeout: 500,
          });
        }).toPass();
        await app.evaluate(() => window.scrollTo(0, 0));
      });

      await test.step('searches, and uses a base model', async () => {
        await app.getByRole('searchbox').fill('Orbitglass Flow');
        await expect(card(app, 'Dune Woodblock')).toHaveCount(0);
        await card(app, 'Orbitglass Flow')
          .getByRole('button', { name: /^Use model/ })
          .click();
        await expect(
          app.getByRole('group', { name: 'Model' }).getByText('Orbitglass Flow'),
        ).toBeVisible();
      });

      await test.step('sorts, and ticks two LoRAs', async () => {
        await app.getByRole('tab', { name: 'Models', exact: true }).click();
        await app.getByRole('combobox', { name: 'Sort by' }).selectOption('Most Liked');
        await expect(app.getByRole('searchbox')).toHaveValue('Orbitglass Flow');
        await app.getByRole('searchbox').fill('');
        await app.waitForURL(/[?&]sort=/);
        const ticks = list(app).getByRole('checkbox');
        await ticks.nth(0).check();
        await ticks.nth(1).check();
        await expect(app.getByText('2 LoRA(s) selected')).toBeVisible();
        await app.getByRole('button', { name: 'Generate with Selected LoRAs' }).click();
        await expect(app.getByText('1:1 · random seed · 2 LoRAs')).toBeVisible();
      });

      await test.step('generates, and leaves', async () => {
        await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
        await submit('Generate');
        await visitAnotherScreen(opened);
      });

      await test.step('returns, and sees it in the history', async () => {
        await expect(finished(app)).toBeVisible();
        await expect.poll(() => drawnWidth(app)).toBeGreaterThan(0);
        await expect(app.getByText(/generations? in progress/)).toHaveCount(0);
        if (token !== undefined) {
          await expect.poll(() => saved(nori, token)).toBe(1);
        }
      });

      await test.step('sees it after a reload', async () => {
        await reload();
        await expect(finished(app)).toHaveCount(1);
        await expect.poll(() => drawnWidth(app)).toBeGreaterThan(0);
      });

      await test.step('deletes it, and undoes that', async () => {
        await finished(app).getByRole('button', { name: 'Delete' }).click();
        await app
          .getByRole('dialog', { name: 'Delete Image' })
          .getByRole('button', { name: 'Delete' })
          .click();
        await expect(finished(app)).toHaveCount(0);
        await app.getByRole('button', { name: 'Undo' }).click();
        await expect(finished(app)).toHaveCount(1);
        await expect.poll(() => drawnWidth(app)).toBeGreaterThan(0);
      });

      await test.step('sees it after another reload', async () => {
        await reload();
        await expect(finished(app)).toHaveCount(1);
        if (token !== undefined) {
          expect(await saved(nori, token)).toBe(1);
        }
      });
    },
  );
}

test('a page that is closed during a generation shows the picture when it is opened again', async ({
  page,
  context,
  nori,
  expected,
}) => {
  expected.push(usual);
  // The request reaches the server; its response never reaches the page.
  await page.route('**/pixai/api/v1/generate', async (route) => {
    await route.fetch().catch(() => undefined);
  });
  const { app } = await openApp(page, nori, { container: 'browser', path: generator });
  await pasteModelId(app, '18189875665177905');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
  const asked = page.waitForRequest('**/pixai/api/v1/generate');
  await app.getByRole('main').getByRole('button', { name: 'Generate', exact: true }).click();
  await asked;
  await expect(pendingCard(app)).toBeVisible();
  await page.close();

  const later = await context.newPage();
  const { app: again } = await openApp(later, nori, { container: 'browser', path: generator });

  await expect(finished(again)).toBeVisible();
  await expect.poll(() => drawnWidth(again)).toBeGreaterThan(0);
  await expect(pendingCard(again)).toHaveCount(0);
  await expect(again.getByText(/generations? in progress/)).toHaveCount(0);
});

test('a request that never reached the server is shown as failed when the page is opened again', async ({
  page,
  context,
  nori,
  expected,
}) => {
  expected.push(usual, /ERR_(?:CONNECTION_(?:REFUSED|RESET)|EMPTY_RESPONSE)|Failed to fetch/);
  const { app } = await openApp(page, nori, { container: 'browser', path: generator });
  await pasteModelId(app, '18189875665177905');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
  await nori.stop();
  await app.getByRole('main').getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(pendingCard(app)).toBeVisible();
  await page.close();
  await nori.start();

  const later = await context.newPage();
  const { app: again } = await openApp(later, nori, { container: 'browser', path: generator });

  const failed = history(again).getByRole('listitem', { name: new RegExp(prompt) });
  await expect(failed.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(pendingCard(again)).toHaveCount(0);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(finished(again)).toBeVisible();
});

test('another tab takes over the generation of a closed one', async ({
  page,
  context,
  nori,
  expected,
}) => {
  expected.push(usual);
  await page.route('**/pixai/api/v1/generate', async (route) => {
    await route.fetch().catch(() => undefined);
  });
  const { app } = await openApp(page, nori, { container: 'browser', path: generator });
  await pasteModelId(app, '18189875665177905');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
  await app.getByRole('main').getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(pendingCard(app)).toBeVisible();

  const other = await context.newPage();
  const { app: there } = await openApp(other, nori, { container: 'browser', path: generator });
  await expect(pendingCard(there)).toBeVisible();
  await page.close();

  await expect(finished(there)).toBeVisible();
  await expect.poll(() => drawnWidth(there)).toBeGreaterThan(0);
  await expect(there.getByText(/generations? in progress/)).toHaveCount(0);
});
