/** A prerendered page that is used before its scripts have arrived. */
import { expect, type Nori, type Page, test } from '#tests/e2e';

const scripts = /\/assets\/.*\.js$/;

/** Holds back all scripts with an address. Returns the function that lets them through. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Opens a page whose scripts are held back. Returns the function that lets them through. */
async function openWithoutScripts(page: Page, nori: Nori, path: string): Promise<() => void> {
  const release = await holdScripts(page);
  await page.goto(nori.origin + path, { waitUntil: 'commit' });
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  return release;
}

const publicPaths = [
  '/',
  '/features',
  '/models',
  '/api',
  '/credits',
  '/privacy-policy',
  '/login',
  '/signup',
  '/reset-password',
  '/jav-auth',
] as const;

for (const path of publicPaths) {
  test(`${path} keeps what was typed early, and does the last press`, async ({
    page,
    nori,
    expected,
  }) => {
    // The model ID that is typed is none that the server knows.
    expected.push(/status of 404.*\/model-info\//);
    const release = await openWithoutScripts(page, nori, path);
    // Nothing is typed into a box that is ticked.
    const fields = page.locator('main :is(input:not([type=checkbox]), textarea):visible');
    const values: string[] = [];
    for (const field of await fields.all()) {
      await field.press('End');
      await page.keyboard.type(`12345${values.length}`);
      values.push(await field.inputValue());
    }
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

    release();

    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    // A further key makes the screen draw its fields again.
    for (const [index, value] of values.entries()) {
      const field = fields.nth(index);
      await expect(field).toHaveValue(value);
      await field.press('End');
      await page.keyboard.type('6');
      await expect(field).toHaveValue(`${value}6`);
    }
  });
}

test('a search that is typed while React takes the page over is done', async ({ page, nori }) => {
  await page.addInitScript(() => {
    addEventListener('hydrate', () => {
      // After what was typed early is repeated, and before React has begun.
      queueMicrotask(() => {
        const field = document.querySelector('input');
        if (field) {
          field.value = 'sticker';
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
      });
    });
  });

  await page.goto(`${nori.origin}/features`);

  await expect(page.getByText(/\d+ features? found in all categories/)).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('sticker');
});

test('a search that was typed early is done', async ({ page, nori }) => {
  const release = await openWithoutScripts(page, nori, '/features');
  await page.getByRole('searchbox').fill('sticker');

  release();

  await expect(page.getByText(/\d+ features? found in all categories/)).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('sticker');
});

test('a tab that was pressed early is opened', async ({ page, nori }) => {
  const release = await openWithoutScripts(page, nori, '/features');
  const tab = page.getByRole('tab').nth(2);
  await tab.click();

  release();

  await expect(tab).toHaveAttribute('aria-selected', 'true');
});

test('a provider that was pressed early is opened', async ({ page, nori }) => {
  const release = await openWithoutScripts(page, nori, '/models');
  const tab = page.getByRole('tab', { name: 'Kusa' });
  await tab.click();

  release();

  await expect(tab).toHaveAttribute('aria-selected', 'true');
});

test('a provider that was chosen early in the menu of a phone is opened', async ({
  page,
  nori,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const release = await openWithoutScripts(page, nori, '/models');
  await page.getByRole('combobox', { name: 'Image providers' }).selectOption('Kusa');

  release();

  await expect(page.getByRole('list', { name: 'Kusa styles' })).toBeVisible();
});

test('a password that was typed early is shown by an early press of the eye', async ({
  page,
  nori,
}) => {
  const release = await openWithoutScripts(page, nori, '/login');
  await page.getByRole('textbox', { name: 'Password' }).fill('a secret');
  await page.getByRole('button', { name: 'Show password' }).click();

  release();

  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('type', 'text');
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('a secret');
});

for (const how of ['a press of Log In', 'Enter'] as const) {
  test(`an early login by ${how} happens once, without leaving the page`, async ({
    page,
    nori,
    unique,
  }) => {
    const { telegramId, password } = await nori.member(unique());
    const release = await openWithoutScripts(page, nori, '/login');
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') {
        posts.push(new URL(request.url()).pathname);
      }
    });
    await page.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await (how === 'Enter'
      ? page.keyboard.press('Enter')
      : page.getByRole('button', { name: 'Log In' }).click());

    release();

    await expect(page.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
    expect(posts).toEqual(['/backend/login']);
  });
}

test('an early press of Continue reports what is missing, and keeps the rest', async ({
  page,
  nori,
}) => {
  const release = await openWithoutScripts(page, nori, '/signup');
  await page.getByRole('textbox', { name: 'Email Address' }).fill('mika@example.org');
  await page.getByRole('button', { name: 'Continue' }).click();

  release();

  await expect(page.getByText('All fields are required')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email Address' })).toHaveValue(
    'mika@example.org',
  );
});

test('an early press of Log In in an untouched form reports what is missing', async ({
  page,
  nori,
}) => {
  const release = await openWithoutScripts(page, nori, '/login');
  await page.getByRole('button', { name: 'Log In' }).click();

  release();

  await expect(page.getByText('All fields are required')).toBeVisible();
});

test('typing goes on at the same place', async ({ page, nori }) => {
  const release = await openWithoutScripts(page, nori, '/features');
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('stker');
  for (const _ of 'ker') {
    await page.keyboard.press('ArrowLeft');
  }

  release();

  await expect(page.getByText('No features found matching "stker"')).toBeVisible();
  await page.keyboard.type('ic');
  await expect(page.getByRole('searchbox')).toHaveValue('sticker');
});

test('options that were opened early are open', async ({ page, nori }) => {
  const release = await openWithoutScripts(page, nori, '/models');
  await page.getByRole('button', { name: 'Options' }).click();

  release();

  await expect(page.getByRole('radio', { name: '3:2', exact: true })).toBeVisible();
});

test('a page that waits for the code of a new password is complete after a reload', async ({
  page,
  nori,
  unique,
}) => {
  const release = await openWithoutScripts(page, nori, '/reset-password');
  await page.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(unique()));
  await page.keyboard.press('Enter');
  release();
  const code = page.getByRole('textbox', { name: 'Digit 1 of 6' });
  await expect(code).toBeVisible();

  await page.reload();

  await expect(code).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Telegram User ID' })).toHaveCount(0);
});

test('inside Telegram a form keeps what was typed early while the user is signed in', async ({
  page,
  open,
  unique,
}) => {
  const release = await holdScripts(page);
  const opening = open({ container: 'android', path: '/signup', telegramId: unique() });
  const email = page.getByRole('textbox', { name: 'Email Address' });
  await email.fill('mika@example.org');

  release();

  await opening;
  await expect(page.getByText('Hi Mika')).toBeVisible();
  await expect(email).toHaveValue('mika@example.org');
});

test('inside Telegram an early Enter logs in once, though its button goes to Telegram', async ({
  page,
  nori,
  open,
  unique,
}) => {
  const { telegramId, password } = await nori.member(unique());
  // The user has logged out in this tab, so that launch data does not sign them in.
  await page.addInitScript(() => sessionStorage.setItem('nori_signed_out', '1'));
  const release = await holdScripts(page);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') {
      posts.push(new URL(request.url()).pathname);
    }
  });
  const opening = open({ container: 'android', path: '/login', telegramId });
  await page.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');

  release();

  await opening;
  await expect(page.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  expect(posts).toEqual(['/backend/login']);
});
