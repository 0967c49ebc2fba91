/** The shell around every screen: addresses, navigation, themes, and the keyboard. */
import { type Container, expect, palettes, stayLoggedIn, test, thoroughIf } from '#tests/e2e';

test('an unknown address is a page with status 404 and links', async ({ page, nori, expected }) => {
  expected.push(/status of 404.*\/no\/such\/page$/);
  const response = await page.goto(`${nori.origin}/no/such/page`);

  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'This page drifted off.' })).toBeVisible();
  await expect(page.getByText('The link may be old.')).toBeVisible();
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(`${nori.origin}/`);
  await expect(page.locator('meta[name="robots"]')).not.toHaveAttribute('content', /noindex/);
});

const addresses = {
  '/': 'The bot your group chat was missing',
  '/login': 'Log in',
  '/signup': 'Create Account',
  '/dashboard': 'Log in',
} as const;

for (const container of ['browser', 'ios'] satisfies Container[]) {
  for (const [path, heading] of Object.entries(addresses)) {
    test(
      `${path} opens as the first page: ${container}`,
      thoroughIf(container !== 'browser'),
      async ({ open, unique }) => {
        const { app, isTelegram } = await open({ container, path, telegramId: unique() });

        const shown = isTelegram
          ? ({ '/': 'Hi, Mika', '/dashboard': 'Create Account' }[path] ?? heading)
          : heading;
        await expect(app.getByRole('heading', { level: 1, name: shown })).toBeVisible();
        await expect(app.getByRole('banner')).toHaveCount(isTelegram ? 0 : 1);
        await expect(app.getByRole('contentinfo')).toHaveCount(isTelegram ? 0 : 1);
        await expect(app.getByRole('main')).toHaveCount(1);
      },
    );
  }
}

test('the header has the entries of a visitor, and after logging in those of a user', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { app } = await open({ container: 'browser', path: '/' });
  const header = app.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Sign Up' })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
  await expect(header.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');

  await stayLoggedIn(page, await nori.member(unique()));
  await page.reload();

  await header.getByRole('link', { name: 'Dashboard' }).click();
  await expect(app.getByRole('heading', { name: 'Nori Dashboard' })).toBeVisible();
  await expect(header.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Login' })).toHaveCount(0);
});

test('the menu of a phone closes on a link, on Escape and on a press beside it', async ({
  open,
}) => {
  const { app, page } = await open({ container: 'phone browser', path: '/' });
  const header = app.getByRole('banner');
  const link = header.getByRole('link', { name: 'Sign Up' });
  await expect(link).toBeHidden();

  await header.getByRole('button', { name: 'Open menu' }).click();
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(header.getByRole('button', { name: 'Open menu' })).toBeFocused();

  await header.getByRole('button', { name: 'Open menu' }).click();
  await page.mouse.click(195, 700);
  await expect(link).toBeHidden();

  await header.getByRole('button', { name: 'Open menu' }).click();
  await link.click();
  await expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  await expect(link).toBeHidden();
});

test('a dialog opened from the phone’s menu returns the focus to the menu’s button', async ({
  open,
  page,
  nori,
  unique,
}) => {
  await open({ container: 'phone browser', path: '/' });
  await stayLoggedIn(page, await nori.member(unique()));
  const { app } = await open({ container: 'phone browser', path: '/credits' });
  await app.getByRole('button', { name: 'Open menu' }).click();
  await app.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await app.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await expect(app.getByRole('dialog')).toHaveCount(0);
  await expect(app.getByRole('button', { name: 'Open menu' })).toBeFocused();
});

test('the theme is light at first, is stored, and is set before the first paint', async ({
  open,
  page,
  expected,
}) => {
  expected.push(/ERR_FAILED.*\/assets\//);
  const { app } = await open({ container: 'browser', path: '/login' });
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');

  await app.getByRole('banner').getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');

  // Without scripts, the theme is that of the first paint.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.unroute(/\/assets\/.*\.js$/);
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(app.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
});

for (const container of ['weba', 'android'] satisfies Container[]) {
  test(
    `a change of Telegram’s theme repaints page and frame at once: ${container}`,
    thoroughIf(container !== 'weba'),
    async ({ open, unique }) => {
      const { app, page, emit, sent } = await open({ container, path: '/', telegramId: unique() });
      const html = app.locator('html');
      await expect(html).toHaveAttribute('data-theme', 'light');
      await expect
        .poll(async () => (await sent('web_app_set_header_color')).at(-1)?.data)
        .toEqual({ color: '#f1f1f1' });

      if (container === 'weba') {
        // The host, which the app asks for its theme.
        await page.evaluate((palette) => window.setTelegramTheme?.(palette), palettes.dark);
      } else {
        await emit('theme_changed', { theme_params: palettes.dark });
      }

      await expect(html).toHaveAttribute('data-theme', 'dark');
      await expect(html).toHaveCSS('--bg', '#232e3c');
      await expect
        .poll(async () => (await sent('web_app_set_header_color')).at(-1)?.data)
        .toEqual({ color: '#232e3c' });
      expect((await sent('web_app_set_background_color')).at(-1)?.data).toEqual({
        color: '#232e3c',
      });
    },
  );
}

test('Telegram’s dark palette is set before the first paint', async ({ page, nori }) => {
  await page.addInitScript(() => {
    Object.assign(window, { TelegramWebviewProxy: { postEvent: () => undefined } });
  });
  await page.route(/\/assets\/.*\.js$/, () => undefined);

  await page.goto(
    `${nori.origin}/login${nori.launchHash({ telegramId: 1, client: 'ios', palette: palettes.dark })}`,
    { waitUntil: 'commit' },
  );

  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-container', 'telegram');
});

test('everything up to a blocked photo can be done with a keyboard alone', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  const { app } = await open({ container: 'browser', path: '/login' });
  await expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible();

  async function tabTo(name: RegExp): Promise<void> {
    for (let step = 0; step < 40; step += 1) {
      // Each press continues from the last one.
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        return [
          element?.ariaLabel,
          ...labels.map((label) => label.textContent),
          element?.textContent,
        ].join(' ');
      });
      if (name.test(focused)) {
        return;
      }
    }
    throw new Error(`Tab never arrives at ${String(name)}`);
  }

  await page.keyboard.press('Tab');
  await expect(app.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(/Telegram User ID/);
  await page.keyboard.type(String(member.telegramId));
  await tabTo(/^\s*Password/);
  await page.keyboard.type(member.password);
  await page.keyboard.press('Enter');
  await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();
  await tabTo(/Rice lovers/);
  await page.keyboard.press('Enter');
  await expect(app.getByRole('switch', { name: 'photo, General' })).toBeVisible();
  await tabTo(/photo, General/);
  await expect(app.getByRole('switch', { name: 'photo, General' })).toBeFocused();
  await page.keyboard.press('Space');

  await expect(app.getByRole('switch', { name: 'photo, General' })).toBeChecked();
});

test('a new screen gives its heading the focus and sets the title', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: '/login' });

  await app.getByRole('main').getByRole('link', { name: 'Sign up' }).click();

  await expect(app.getByRole('heading', { name: 'Create Account' })).toBeFocused();
  await expect(page).toHaveTitle(/Sign up.*Nori|Nori.*Sign up/);
});

test('a busy button keeps its width, and cannot be pressed twice', async ({
  open,
  page,
  nori,
  unique,
}) => {
  await page.route('**/backend/chats', (route) =>
    // Never answered, so that the button stays busy.
    route.request().method() === 'POST' ? undefined : route.continue(),
  );
  await stayLoggedIn(page, await nori.member(unique()));
  const { app } = await open({ container: 'phone browser', path: '/dashboard?step=add' });
  await app.getByLabel('Telegram Chat ID').fill('-1001234567890');
  const button = app.getByRole('button', { name: 'Continue' });
  // The browser scrolls a pressed button away from the edge of the window: only the size is its own.
  const readSize = async () => {
    const { width, height } = (await button.boundingBox()) ?? {};
    return { width, height };
  };
  const idle = await readSize();

  await button.click();

  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button).toBeDisabled();
  expect(await readSize()).toEqual(idle);
});
