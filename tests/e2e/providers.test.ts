/** Imagine Art, MidJourney and Kusa on a server without any key: as a visitor and as a user, on the web and in Telegram. */
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

const words = 'A lantern boat on a quiet river';

/** The server answers 404 for launch data without an account. */
const usual = /status of 404/;

const visitors = [
  { who: 'a guest', isMember: false, container: 'browser' },
  { who: 'a member', isMember: true, container: 'browser' },
  { who: 'a guest', isMember: false, container: 'weba' },
  { who: 'a member', isMember: true, container: 'ios' },
] as const satisfies readonly { who: string; isMember: boolean; container: Container }[];

type Visit = {
  readonly container: Container;
  readonly isMember: boolean;
  readonly telegramId: number;
  readonly provider: string;
};

/** Opens a provider as a visitor or as a user with an account. */
async function visit(
  page: Page,
  nori: Nori,
  { container, isMember, telegramId, provider }: Visit,
): Promise<OpenedApp> {
  const member = isMember ? await nori.member(telegramId) : undefined;
  if (member && container === 'browser') {
    await stayLoggedIn(page, member);
  }
  const path = `/models?provider=${provider}`;
  return openApp(page, nori, { container, path, telegramId });
}

/** Goes to another screen and back while a picture is made. */
async function visitAnotherScreen({ app, isTelegram }: OpenedApp): Promise<void> {
  const navigation = app.getByRole('navigation').first();
  const role = isTelegram ? 'button' : 'link';
  await navigation.getByRole(role, { name: 'Features' }).click();
  await expect(app.getByRole('heading', { name: 'Nori Features' })).toBeVisible();
  await navigation.getByRole(role, { name: 'Models' }).click();
  await expect(app.getByRole('heading', { level: 1, name: 'AI Models' })).toBeVisible();
}

const history = (app: Frame, heading: string) =>
  app.getByRole('region', { name: heading, exact: true });
const finished = (app: Frame, heading: string) =>
  history(app, heading).getByRole('listitem', { name: `Image: ${words}`, exact: true });

/** Waits until the picture of a card has loaded. */
async function waitForPicture(app: Frame, heading: string): Promise<void> {
  const card = finished(app, heading);
  await expect(card).toBeVisible();
  await expect
    .poll(() =>
      card
        .locator('img')
        .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    )
    .toBeGreaterThan(0);
}

async function writePrompt(app: Frame): Promise<void> {
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(words);
}

for (const { who, isMember, container } of visitors) {
  test.describe(`${who}: ${container}`, thoroughIf(container !== 'ios'), () => {
    test.beforeEach(({ expected }) => {
      expected.push(usual);
    });

    test('makes a picture by Imagine Art, and has it until it is deleted', async ({
      page,
      nori,
      unique,
    }) => {
      const heading = 'Imagine Art History';
      const opened = await visit(page, nori, {
        container,
        isMember,
        telegramId: unique(),
        provider: 'imagine-art',
      });
      const { app, submit, reload, isTelegram, emit, sent } = opened;

      await app.getByRole('combobox', { name: 'Style' }).selectOption('Realistic');
      await app.getByRole('radio', { name: '4:3' }).check();
      await app.getByRole('textbox', { name: 'Seed (optional)' }).fill('4711');
      await writePrompt(app);
      await submit('Generate Imagine Art');
      await visitAnotherScreen(opened);

      await waitForPicture(app, heading);
      const result = app.getByRole('region', { name: 'Result' });
      await expect(result.getByRole('img', { name: words })).toBeVisible();
      await expect(result.getByText('4711')).toHaveCount(1);
      await expect(app.getByText(/generations? in progress/)).toHaveCount(0);

      await reload();
      await waitForPicture(app, heading);

      // The reload that follows ends the call, which is no reason to bring the picture back.
      await page.route('**/backend/generations/*', (route) =>
        route.request().method() === 'DELETE' ? undefined : route.fallback(),
      );
      await finished(app, heading).getByRole('button', { name: 'Delete' }).click();
      if (isTelegram) {
        await expect.poll(() => sent('web_app_open_popup')).toHaveLength(1);
        await emit('popup_closed', { button_id: 'delete' });
      } else {
        const question = app.getByRole('dialog', { name: 'Delete Image' });
        await expect(
          question.getByText('Are you sure you want to delete this image from your history?'),
        ).toBeVisible();
        await question.getByRole('button', { name: 'Delete' }).click();
      }
      await expect(finished(app, heading)).toHaveCount(0);
      await reload();
      await expect(
        app.getByText('No imagine art history found. Generate some images to see them here!'),
      ).toBeVisible();
    });

    test('makes several pictures by MidJourney, and has them until they are deleted', async ({
      page,
      nori,
      unique,
    }) => {
      const heading = 'History';
      const opened = await visit(page, nori, {
        container,
        isMember,
        telegramId: unique(),
        provider: 'midjourney',
      });
      const { app, submit, reload } = opened;

      await writePrompt(app);
      await submit('Generate');
      await visitAnotherScreen(opened);

      const result = app.getByRole('region', { name: 'Generated Images' });
      await expect(result.getByRole('img')).toHaveCount(4, { timeout: 240_000 });
      await history(app, heading).scrollIntoViewIfNeeded();
      await waitForPicture(app, heading);
      await expect(app.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue('');

      await reload();
      await expect(result.getByRole('img')).toHaveCount(4);
      await history(app, heading).scrollIntoViewIfNeeded();
      await waitForPicture(app, heading);
      await finished(app, heading).getByRole('button', { name: 'All 4 images' }).click();
      const all = app.getByRole('dialog', { name: 'All Images' });
      await expect(all.getByRole('img')).toHaveCount(4);
      await all.getByRole('button', { name: 'Close' }).click();

      await finished(app, heading).getByRole('button', { name: 'Delete' }).click();
      await app
        .getByRole('dialog', { name: 'Delete Generation' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await expect(finished(app, heading)).toHaveCount(0);
      await reload();
      await expect(
        app.getByText('No generations yet. Create your first MidJourney image!'),
      ).toBeVisible();
    });

    test('opens the styles of Kusa', async ({ page, nori, unique }) => {
      const { app } = await visit(page, nori, {
        container,
        isMember,
        telegramId: unique(),
        provider: 'kusa',
      });
      const styles = app.getByRole('list', { name: 'Kusa styles' }).getByRole('listitem');

      await expect(styles.first()).toBeVisible();
      const name = (await styles.first().getAttribute('aria-label'))?.replace(/^#[^:]*: /, '');
      const number = styles.first().getByText(/^#/);
      const original = styles.first().getByText(name ?? '', { exact: true });
      await expect(number).toBeVisible();
      await expect(original).toBeHidden();

      await styles.first().hover();
      await expect(original).toBeVisible();
      await expect(number).toBeHidden();

      await page.mouse.move(1, 1);
      await expect(number).toBeVisible();
      await styles.first().focus();
      await page.keyboard.press('Tab');
      await expect(original).toBeVisible();
    });
  });
}

test('a visitor’s pictures stay on the device when the server no longer has them', async ({
  page,
  nori,
  expected,
}) => {
  expected.push(usual, /Failed to load resource/);
  const { app, reload } = await openApp(page, nori, {
    container: 'browser',
    path: '/models?provider=midjourney',
  });
  await writePrompt(app);
  await app.getByRole('main').getByRole('button', { name: 'Generate', exact: true }).click();
  const result = app.getByRole('region', { name: 'Generated Images' });
  await expect(result.getByRole('img')).toHaveCount(4, { timeout: 240_000 });
  await page.route('**/media/**', (route) => route.abort());

  await reload();

  await expect(result.getByRole('img')).toHaveCount(4);
  await expect
    .poll(() =>
      result.evaluate((region) =>
        [...region.querySelectorAll('img')].every(({ naturalWidth }) => naturalWidth > 0),
      ),
    )
    .toBe(true);
});

test('on a phone a tap turns the number of a style into its name, and back', async ({
  browser,
  nori,
}) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true });
  const { app } = await openApp(await context.newPage(), nori, {
    container: 'phone browser',
    path: '/models?provider=kusa',
  });
  const card = app.getByRole('list', { name: 'Kusa styles' }).getByRole('button').first();
  const number = card.getByText(/^#/);

  await card.tap();
  await expect(number).toBeHidden();
  await card.tap();
  await expect(number).toBeVisible();
  await context.close();
});

test('the provider in the address wins over the remembered one', async ({ page, nori }) => {
  await page.addInitScript(() => {
    if (sessionStorage.length === 0) {
      sessionStorage.setItem('seen', '1');
      localStorage.setItem('selectedProvider', 'imagine-art');
    }
  });
  const { app } = await openApp(page, nori, {
    container: 'browser',
    path: '/models?provider=midjourney',
  });

  await expect(app.getByRole('region', { name: 'Generated Images' })).toBeVisible();
  await expect(app.getByRole('tab', { name: 'MidJourney', selected: true })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('selectedProvider')))
    .toBe('midjourney');
});
