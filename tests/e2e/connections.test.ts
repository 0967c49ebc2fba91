/** Linking accounts end to end, against stand-ins of both services: in a browser, and from inside Telegram. */
import { type Browser, type BrowserContext } from '@playwright/test';
import * as v from 'valibot';

import { nightDrive } from '#tests/connection-services';
import {
  type Container,
  expect,
  type OpenedApp,
  type Page,
  stayLoggedIn,
  test,
  thoroughIf,
} from '#tests/e2e';

const services = [
  {
    label: 'Spotify',
    linked: 'Linked since',
    success: 'Spotify account successfully linked! You can now use Spotify Now Playing in the bot.',
  },
  {
    label: 'AniList',
    linked: 'Linked as mika_watches',
    success: 'AniList account successfully linked! You can now use AniList features in the bot.',
  },
] as const;

/** The link that Telegram's client is asked to open. */
const openedLink = v.object({ url: v.pipe(v.string(), v.url()) });

/** The browser in which Telegram opens links: it has no session. */
async function outside(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 390, height: 844 } });
}

/** The address that the app has asked Telegram to open, with its one press. */
async function linkOpenedBy({ sent }: OpenedApp): Promise<string> {
  await expect.poll(async () => (await sent('web_app_open_link')).length).toBe(1);
  const [event] = await sent('web_app_open_link');
  return v.parse(openedLink, event?.data).url;
}

const row = ({ app }: Pick<OpenedApp, 'app'>, label: string) =>
  app
    .getByRole('list', { name: 'Your connected accounts' })
    .getByRole('listitem')
    .filter({ has: app.getByRole('heading', { name: label }) });

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** The page has put the focus where the code begins. */
async function enterCode(page: Page, code: string, label: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Digit 1 of 6' })).toBeFocused();
  await page.keyboard.type(code);
  await page.getByRole('button', { name: `Link ${label}` }).click();
}

for (const { label, linked, success } of services) {
  for (const container of ['ios', 'android', 'weba'] satisfies Container[]) {
    test(
      `${label} is linked from inside Telegram: ${container}`,
      thoroughIf(container !== 'ios'),
      async ({ open, nori, unique, browser }) => {
        const member = await nori.member(unique());
        await nori.chat(member, -unique(), 'Rice lovers');
        const telegram = await open({
          container,
          path: '/dashboard',
          telegramId: member.telegramId,
        });
        await telegram.app.getByRole('button', { name: `Link ${label}` }).click();
        const address = await linkOpenedBy(telegram);

        const elsewhere = await outside(browser);
        const page = await elsewhere.newPage();
        await page.goto(address);
        await page.getByRole('link', { name: 'Agree' }).click();
        await expect(title(page, 'Enter the code')).toBeVisible();
        await expect(
          page.getByText(`Telegram user •••${String(member.telegramId).slice(-3)}`),
        ).toBeVisible();
        // The notice disappears after some seconds.
        const said = expect(telegram.app.getByText(`${label} is linked.`)).toBeVisible();
        await enterCode(page, nori.botApi.lastCode(member.telegramId), label);

        await expect(title(page, 'Authorized successfully')).toBeVisible();
        await expect(page.getByText(success)).toBeVisible();
        await expect(page.getByRole('link', { name: 'Back to Telegram' })).toHaveAttribute(
          'href',
          /^https:\/\/t\.me\/\w+$/,
        );
        expect(new URL(page.url()).search).toBe('');
        await said;
        await page.reload();
        await expect(title(page, 'Authorized successfully')).toBeVisible();
        await elsewhere.close();

        await expect(row(telegram, label).getByText(linked)).toBeVisible();
      },
    );
  }

  test(`${label} is linked and unlinked in a browser`, async ({ open, page, nori, unique }) => {
    const member = await nori.member(unique());
    await nori.chat(member, -unique(), 'Rice lovers');
    await stayLoggedIn(page, member);
    const dashboard = await open({ container: 'browser', path: '/dashboard' });
    const opening = page.context().waitForEvent('page');
    await dashboard.app.getByRole('button', { name: `Link ${label}` }).click();

    const tab = await opening;
    // The notice disappears after some seconds.
    const said = expect(dashboard.app.getByText(`${label} is linked.`)).toBeVisible();
    await tab.getByRole('link', { name: 'Agree' }).click();
    await expect(title(tab, 'Authorized successfully')).toBeVisible();
    await expect(tab.getByRole('link', { name: 'Open the dashboard' })).toBeVisible();
    await tab.close();

    await said;
    await expect(row(dashboard, label).getByText(linked)).toBeVisible();

    await dashboard.app.getByRole('button', { name: `Unlink ${label}` }).click();
    await dashboard.app.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await expect(dashboard.app.getByRole('button', { name: `Link ${label}` })).toBeVisible();
    await page.reload();
    await expect(dashboard.app.getByRole('button', { name: `Link ${label}` })).toBeVisible();
  });
}

test('a link whose address is opened a second time is still linked', async ({
  open,
  nori,
  unique,
  browser,
}) => {
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  const telegram = await open({
    container: 'ios',
    path: '/dashboard',
    telegramId: member.telegramId,
  });
  await telegram.app.getByRole('button', { name: 'Link Spotify' }).click();
  const elsewhere = await outside(browser);
  const first = await elsewhere.newPage();
  const returning = first.waitForRequest((request) => request.url().includes('/spotify-auth?'));
  await first.goto(await linkOpenedBy(telegram));
  await first.getByRole('link', { name: 'Agree' }).click();
  const address = (await returning).url();
  await expect(title(first, 'Enter the code')).toBeVisible();

  const second = await elsewhere.newPage();
  await second.goto(address);
  await expect(title(second, 'Enter the code')).toBeVisible();
  await enterCode(second, nori.botApi.lastCode(member.telegramId), 'Spotify');
  await expect(title(second, 'Authorized successfully')).toBeVisible();
  await first.reload();

  await expect(title(first, 'Authorized successfully')).toBeVisible();
  await elsewhere.close();
});

test('two tabs at the same address exchange the code once', async ({ browser, nori }) => {
  const context = await outside(browser);
  let calls = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // As a backend that knows only its first use: every later one is refused.
  await context.route('**/spotify/spotify/callback?**', async (route) => {
    calls += 1;
    const isFirst = calls === 1;
    await released;
    await route.fulfill(
      isFirst
        ? { json: { message: 'linked' } }
        : { status: 400, json: { detail: 'invalid_grant' } },
    );
  });
  const address = `${nori.origin}/spotify-auth?code=abc&state=def`;
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto(address);
    await expect(title(tab, 'Connecting to Spotify...')).toBeVisible();
  }
  await expect.poll(() => calls).toBe(1);

  release();

  for (const tab of tabs) {
    await expect(title(tab, 'Authorized successfully')).toBeVisible();
  }
  expect(calls).toBe(1);
  await context.close();
});

test('a user who refuses sees a message, and nothing is linked', async ({
  open,
  nori,
  unique,
  browser,
}) => {
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  const telegram = await open({
    container: 'ios',
    path: '/dashboard',
    telegramId: member.telegramId,
  });
  await telegram.app.getByRole('button', { name: 'Link Spotify' }).click();
  const elsewhere = await outside(browser);
  const page = await elsewhere.newPage();
  await page.goto(await linkOpenedBy(telegram));

  await page.getByRole('link', { name: 'Cancel' }).click();

  await expect(title(page, 'Authorization Failed')).toBeVisible();
  await expect(page.getByText('Spotify authorization failed: access_denied')).toBeVisible();
  await elsewhere.close();
  await telegram.app.getByRole('button', { name: 'Cancel' }).click();
  await expect(telegram.app.getByRole('button', { name: 'Link Spotify' })).toBeVisible();
});

test('the track of a linked user is shown, and does not move with reduced motion', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  await nori.linkMusic(member);
  nori.music.play(nightDrive);
  await page.route('https://i.scdn.co/**', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#1b1145"/></svg>',
    }),
  );
  await stayLoggedIn(page, member);

  const { app } = await open({ container: 'phone browser', path: '/spotify/now-playing' });

  await expect(app.getByRole('heading', { name: 'Night Drive' })).toBeVisible();
  await expect(app.getByText('The Lanterns, Mira – Neon Rivers')).toBeVisible();
  await expect(app.getByRole('img', { name: 'Cover of Neon Rivers' })).toBeVisible();
  const before = await app.getByRole('progressbar').getAttribute('value');
  await expect
    .poll(async () => Number(await app.getByRole('progressbar').getAttribute('value')))
    .toBeGreaterThan(Number(before));
  const moving = () =>
    app.evaluate(
      () => document.querySelector('main article')?.getAnimations({ subtree: true }).length,
    );
  expect(await moving()).toBeGreaterThan(0);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(moving).toBe(0);
});

/** Where the card, its art and its last link are, and how large the page around them is. */
async function measureCard(app: OpenedApp['app']) {
  await expect(app.getByRole('heading', { name: 'Night Drive' })).toBeVisible();
  await expect(app.getByRole('img', { name: 'Cover of Neon Rivers' })).toBeVisible();
  return app.evaluate(() => {
    const box = (selector: string) => {
      const { top, bottom, left, right, width, height } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      return { top, bottom, left, right, width, height };
    };
    return {
      header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
      card: box('main article'),
      art: box('main article img[alt]:not([alt=""])'),
      link: box('main article a[href*="spotify"]'),
      view: { width: document.documentElement.clientWidth, height: window.innerHeight },
      scrollWidth: document.documentElement.scrollWidth,
    };
  });
}

for (const { container, size, art } of [
  { container: 'phone browser', size: { width: 390, height: 844 }, art: 345 },
  { container: 'browser', size: { width: 1280, height: 800 }, art: 600 },
  { container: 'ios', size: { width: 390, height: 844 }, art: 345 },
  { container: 'webk', size: { width: 1280, height: 800 }, art: 550 },
  { container: 'phone browser', size: { width: 320, height: 568 }, art: 180 },
] as const satisfies readonly {
  readonly container: Container;
  readonly [name: string]: unknown;
}[]) {
  test(`what plays fills the screen: ${container}, ${size.width}x${size.height}`, async ({
    open,
    page,
    nori,
    unique,
  }) => {
    const member = await nori.member(unique());
    await nori.linkMusic(member);
    nori.music.play(nightDrive);
    await page.route('https://i.scdn.co/**', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#b3122f"/><circle cx="4" cy="4" r="3" fill="#ffb000"/></svg>',
      }),
    );
    await page.setViewportSize(size);
    await stayLoggedIn(page, member);

    const opened = await open({
      container,
      path: '/spotify/now-playing',
      telegramId: member.telegramId,
    });
    const shown = await measureCard(opened.app);

    expect(shown.card).toMatchObject({ left: 0, right: shown.view.width });
    expect(shown.card.top).toBeCloseTo(opened.isTelegram ? 0 : shown.header, 0);
    expect(shown.card.bottom).toBeCloseTo(shown.view.height, 0);
    expect(shown.art.width).toBeCloseTo(shown.art.height, 0);
    expect(shown.art.width).toBeGreaterThanOrEqual(art);
    expect(shown.art.top).toBeGreaterThanOrEqual(shown.card.top);
    expect(shown.link.bottom).toBeLessThanOrEqual(shown.view.height);
    expect(shown.scrollWidth).toBe(shown.view.width);
  });
}
