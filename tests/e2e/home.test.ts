/** Home in a real browser: every width, reduced motion, the keyboard, and the page's metadata. */
import { createChunkMatcher } from '#tests/chunk';
import {
  type Container,
  expect,
  type Frame,
  type Locator,
  type Page,
  palettes,
  test,
  thoroughIf,
} from '#tests/e2e';

const widths = [320, 390, 768, 1280, 2560];
const figures = Array.from({ length: 9 }, (_, index) => ({
  _id: `feature number ${index + 1}`,
  count: { $numberLong: String(10 ** (9 - index)) },
  today: index,
}));

/** Usage figures of a popular bot. */
const withFigures = (page: Page) =>
  page.route('**/public-api/telegram_bot/usage', (route) => route.fulfill({ json: figures }));

/** Other tests of the same server use its bot. */
const withoutFigures = (page: Page) =>
  page.route('**/public-api/telegram_bot/usage', (route) => route.fulfill({ json: [] }));

const box = (app: Frame) => app.getByRole('region', { name: 'Total Usage' });

/** Lists texts that overflow their box or the page, and parts that overlap. */
function findMisplaced(app: Frame): Promise<string[]> {
  return app.evaluate(() => {
    const name = (element: Element) => `${element.localName} "${element.textContent.slice(0, 30)}"`;
    const isSeen = (element: Element) => element.getClientRects().length > 0;
    const main = document.querySelector('main')!;
    const words = [...main.querySelectorAll('h1, h2, h3, p, li, a, button, span')].filter(isSeen);
    const tooWide = words.filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return !element.closest('[aria-hidden="true"]') && (left < 0 || right > innerWidth + 0.5);
    });
    const pressable = [...main.querySelectorAll('a, button, h1, h2, h3')].filter(isSeen);
    const over = pressable.flatMap((one, index) =>
      pressable.slice(index + 1).filter((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return (
          !one.contains(other) &&
          a.left < b.right - 1 &&
          b.left < a.right - 1 &&
          a.top < b.bottom - 1 &&
          b.top < a.bottom - 1
        );
      }),
    );
    const page = document.documentElement;
    return [
      ...(page.scrollWidth > page.clientWidth ? ['the page scrolls sideways'] : []),
      ...tooWide.map((element) => `out of the page: ${name(element)}`),
      ...over.map((element) => `over another: ${name(element)}`),
    ];
  });
}

for (const container of ['browser', 'weba'] satisfies Container[]) {
  for (const theme of ['light', 'dark'] as const) {
    test(
      `nothing overflows or overlaps at any width: ${container}, ${theme}`,
      thoroughIf(container !== 'browser' || theme === 'dark'),
      async ({ open, page, unique }) => {
        await withFigures(page);
        if (container === 'browser') {
          await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
        }
        const { app } = await open({ container, telegramId: unique(), palette: palettes[theme] });
        await expect(app.locator('html')).toHaveAttribute('data-theme', theme);
        await expect(box(app).getByText('feature number 1')).toBeAttached();
        const found: Record<number, string[]> = {};

        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          const problems = await findMisplaced(app);
          if (problems.length > 0) {
            found[width] = problems;
          }
        }

        expect(found).toEqual({});
      },
    );
  }
}

/**
 * Sums up the layout shifts of the page once all of its HTML is there, and before its scripts run. On a busy machine,
 * browsers paint what they have read so far, such as the icon of a button before its words.
 */
const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      const [navigation] = performance.getEntriesByType('navigation');
      const parsedAt = Number(navigation && Reflect.get(navigation, 'domInteractive'));
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = { value: 0, hadRecentInput: false, ...entry.toJSON() };
        const isCounted = parsedAt > 0 && entry.startTime >= parsedAt;
        Object.assign(window, {
          shifts:
            Number(Reflect.get(window, 'shifts')) + (isCounted && !hadRecentInput ? value : 0),
        });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
const readShifts = (app: Frame) => app.evaluate(() => Number(Reflect.get(window, 'shifts')));

const viewports = [
  ['a phone', { width: 390, height: 844 }],
  ['a laptop', { width: 1280, height: 800 }],
  ['a tall screen, where all of it is seen', { width: 1280, height: 2400 }],
] as const;

for (const [place, viewport] of viewports) {
  test(`nothing moves while the page hydrates on ${place}`, async ({ page, nori }) => {
    await withFigures(page);
    await page.setViewportSize(viewport);
    await recordShifts(page);
    await page.goto(nori.origin);

    const list = page.getByRole('region', { name: 'Total Usage' });
    await list.scrollIntoViewIfNeeded();
    await expect(list.getByText('1,000,000,000')).toBeVisible();
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(page.getByRole('link', { name: 'Open the Bot' })).toHaveCount(2);

    expect(await readShifts(page.mainFrame())).toBeLessThanOrEqual(0.02);
  });

  test(`a bot that was never used moves nothing either on ${place}`, async ({ page, nori }) => {
    await withoutFigures(page);
    await page.setViewportSize(viewport);
    await recordShifts(page);
    await page.goto(nori.origin);

    await expect(page.getByRole('link', { name: /^Try the API/ })).toBeAttached();
    await expect(page.getByRole('link', { name: 'Open the Bot' })).toHaveCount(2);

    expect(await readShifts(page.mainFrame())).toBe(0);
  });
}

for (const container of ['phone browser', 'browser', 'ios'] satisfies Container[]) {
  test(
    `the bar of a figure covers neither its name nor its count: ${container}`,
    thoroughIf(container === 'ios'),
    async ({ open, page }) => {
      await withFigures(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const { app } = await open({ container });
      const row = box(app).getByRole('listitem').first();
      await expect(row).toContainText('1,000,000,000');

      const [name, count, bar] = await row.evaluate((item) =>
        [...item.children].map((part) => part.getBoundingClientRect()),
      );
      const isApart = (words: DOMRect | undefined) =>
        words !== undefined &&
        bar !== undefined &&
        (words.bottom <= bar.top || words.right <= bar.left || words.left >= bar.right);

      expect(isApart(name)).toBe(true);
      expect(isApart(count)).toBe(true);
    },
  );
}

test('a bot that was never used leaves its room to the first steps', async ({ open, page }) => {
  await withoutFigures(page);
  const { app } = await open({ container: 'phone browser' });
  const height = (part: Locator) => part.evaluate((element) => element.clientHeight);
  await expect(box(app).getByText('None yet.')).toBeAttached();

  expect(await height(box(app))).toBeLessThan(80);
  expect(await height(app.getByRole('region', { name: "Today's Usage" }))).toBeLessThan(80);
  const cells = app.getByRole('region', { name: 'What to do first' }).getByRole('link');
  await expect(cells).toHaveCount(3);
  for (const cell of await cells.all()) {
    expect(await height(cell)).toBeGreaterThanOrEqual(44);
  }
});

for (const container of ['ios', 'android'] satisfies Container[]) {
  test(
    `inside Telegram greeting, tiles and first steps are in the first screen: ${container}`,
    thoroughIf(container === 'android'),
    async ({ open, page, nori, unique }) => {
      await withoutFigures(page);
      await recordShifts(page);
      const { telegramId } = await nori.member(unique());
      const { app } = await open({ container, telegramId });

      await expect(app.getByRole('heading', { level: 1, name: 'Hi, Mika' })).toBeInViewport();
      await expect(app.getByRole('link', { name: 'Dashboard' })).toBeInViewport({ ratio: 1 });
      const steps = app.getByRole('region', { name: 'What to do first' }).getByRole('link');
      await expect(steps.first()).toHaveText(/^Add the bot to a group/);
      await expect(steps.last()).toBeVisible();
      const { bottom, top } = await steps.last().evaluate((step) => ({
        bottom: step.getBoundingClientRect().bottom,
        top: document.querySelector('#content ~ div nav')!.getBoundingClientRect().top,
      }));
      expect(bottom, 'above the tab bar').toBeLessThanOrEqual(top);
      expect(await readShifts(app)).toBeLessThanOrEqual(0.02);
    },
  );
}

const running = (app: Frame) =>
  app.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );

test('with reduced motion nothing moves, and the figures are shown at once', async ({
  open,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await withFigures(page);
  const { app } = await open({ container: 'browser' });

  await expect(box(app).getByText('1,000,000,000')).toBeVisible();

  await expect.poll(() => running(app)).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(() => running(app), 'the same page moves otherwise').toBeGreaterThan(3);
});

test('a keyboard alone reaches everything, in the order of the page', async ({ open, page }) => {
  await withFigures(page);
  const { app } = await open({ container: 'browser' });
  await expect(box(app).getByRole('button', { name: 'Show all 9' })).toBeAttached();
  await expect(app.getByRole('link', { name: 'Open the Bot' })).toHaveCount(2);
  const wanted = await app.evaluate(() =>
    [...document.querySelectorAll('a[href], button:not(:disabled), input')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.ariaLabel ?? element.textContent),
  );

  const reached: string[] = [];
  const unseen: string[] = [];
  while (reached.length < wanted.length) {
    await page.keyboard.press('Tab');
    const { name, hasRing } = await app.evaluate(() => {
      const focused = document.activeElement!;
      const { outlineStyle, outlineWidth } = getComputedStyle(focused);
      return {
        name: focused.ariaLabel ?? focused.textContent,
        hasRing:
          outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
            ? true
            : focused.matches('[href="#content"]'),
      };
    });
    reached.push(name);
    if (!hasRing) {
      unseen.push(name);
    }
  }

  expect(reached).toEqual(wanted);
  expect(unseen).toEqual([]);
});

test('on a desktop there is a QR code for the phone', async ({ open, nori }) => {
  const { app } = await open({ container: 'browser' });

  const code = app.getByRole('img', { name: /^QR code that opens https:\/\/t\.me\// });
  await expect(code).toBeVisible();
  await expect(app.getByText('Open in Telegram')).toBeVisible();
  expect(nori.origin).toContain('127.0.0.1');
});

test.describe('with a thumb', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('there is no QR code, and its chunk is never loaded', async ({ open, page }) => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    const { app } = await open({ container: 'phone browser' });

    await expect(app.getByRole('link', { name: 'Open the Bot' })).toHaveCount(2);
    await expect(app.getByRole('img', { name: /QR code/ })).toHaveCount(0);
    expect(scripts.filter(await createChunkMatcher('node_modules/uqr/dist/index.mjs'))).toEqual([]);
  });
});

test('the page has metadata, a manifest, and a robots.txt with the sitemap', async ({
  request,
  nori,
}) => {
  const html = await (await request.get(nori.origin)).text();
  const manifest = await (await request.get(`${nori.origin}/manifest.webmanifest`)).json();
  const robots = await request.get(`${nori.origin}/robots.txt`);
  const sitemap = await (await request.get(`${nori.origin}/sitemap.xml`)).text();

  expect(html).toContain('<title>Nori · The bot your group chat was missing</title>');
  expect(html).toMatch(/<meta name="description" content="Moderate topics, [^"]{40,}"/);
  expect(html).toContain(
    'property="og:title" content="Nori · The bot your group chat was missing"',
  );
  expect(html).toContain('name="twitter:card" content="summary_large_image"');
  expect(html).toContain('rel="manifest" href="/manifest.webmanifest"');
  expect(manifest).toMatchObject({ name: 'Nori', display: 'standalone', start_url: '/' });
  expect(robots.headers()['content-type']).toMatch(/^text\/plain/);
  expect(sitemap).toContain(`<loc>${nori.origin}/</loc>`);
  expect(sitemap).toContain(`<loc>${nori.origin}/features</loc>`);
  expect(sitemap).toContain(`<loc>${nori.origin}/privacy-policy</loc>`);
  expect(sitemap).not.toContain('dashboard');
});

test('every icon and the preview picture have their declared size', async ({ page, nori }) => {
  await page.goto(nori.origin);
  const promised = await page.evaluate(async () => {
    const { icons }: { icons: { src: string; sizes: string }[] } = await (
      await fetch('/manifest.webmanifest')
    ).json();
    return [
      ...icons.filter(({ sizes }) => sizes !== 'any'),
      { src: '/social.png', sizes: '1200x630' },
      { src: '/apple-touch-icon.png', sizes: '180x180' },
    ];
  });
  expect(promised).toHaveLength(5);

  for (const { src, sizes } of promised) {
    const size = await page.evaluate(async (url) => {
      const picture = new Image();
      picture.src = url;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    expect(size, src).toBe(sizes);
  }
});

test('the browser’s frame has the theme’s colour before any script runs', async ({
  page,
  nori,
  expected,
}) => {
  expected.push(/ERR_FAILED/);
  await page.route('**/assets/*.js', (route) => route.abort());
  const color = () => page.locator('meta[name="theme-color"]').getAttribute('content');

  await page.goto(nori.origin);
  expect(await color()).toBe('#faf9f5');
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.reload();

  expect(await color()).toBe('#0d1412');
});

test('the canonical address follows the page', async ({ open, page, nori }) => {
  // As a server with PUBLIC_URL sends the page.
  await page.route(nori.origin, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const tag = '<link rel="canonical" href="https://nori.example.org/">';
    await route.fulfill({ response, body: html.replace('</head>', `${tag}</head>`) });
  });
  await open({ container: 'browser', path: '/' });
  const canonical = page.locator('link[rel="canonical"]');
  await expect(canonical).toHaveAttribute('href', 'https://nori.example.org/');

  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();

  await expect(canonical).toHaveAttribute('href', 'https://nori.example.org/privacy-policy');
  await expect(page).toHaveTitle(/^Privacy Policy/);
});
