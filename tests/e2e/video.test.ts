/** The video page in a real browser: play, seek, volume and full screen. */
import { type Container, expect, type Frame, test, thoroughIf } from '#tests/e2e';

/** The state of the video element. */
const film = (app: Frame) =>
  app.locator('video').evaluate((element) => {
    if (!(element instanceof HTMLVideoElement)) {
      throw new TypeError('This is no video');
    }
    const { currentTime, paused, muted, volume, videoWidth } = element;
    return { currentTime, paused, muted, volume, videoWidth };
  });
const readTime = async (app: Frame) => (await film(app)).currentTime;

for (const container of ['browser', 'phone browser', 'weba', 'ios'] satisfies Container[]) {
  test(
    `the film plays, pauses and seeks: ${container}`,
    thoroughIf(container !== 'browser'),
    async ({ open, unique }) => {
      const { app } = await open({ container, path: '/jav-auth', telegramId: unique() });
      await expect(app.getByText('00:00 / 00:24')).toBeVisible();
      expect((await film(app)).videoWidth).toBeGreaterThan(0);

      await app.getByRole('button', { name: 'Play' }).click();
      await expect.poll(() => readTime(app)).toBeGreaterThan(0.5);
      await expect(app.getByText(/^00:(?!00)\d\d \/ 00:24$/)).toBeVisible();

      const seekedAt = performance.now();
      await app.getByRole('slider', { name: 'Seek' }).fill('15');
      await expect.poll(() => readTime(app)).toBeGreaterThan(15.3);
      const positionThen = await readTime(app);
      expect(positionThen).toBeLessThan(16 + (performance.now() - seekedAt) / 1000);

      await app.getByRole('button', { name: 'Pause' }).click();
      expect((await film(app)).paused).toBe(true);
      const still = await readTime(app);
      await expect(app.getByRole('button', { name: 'Play' })).toBeVisible();
      expect(await readTime(app)).toBe(still);
    },
  );
}

test('keys control everything', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: '/jav-auth' });
  await expect(app.getByText('00:00 / 00:24')).toBeVisible();

  await page.keyboard.press('k');
  await expect.poll(() => readTime(app)).toBeGreaterThan(0.2);
  await page.keyboard.press(' ');
  await expect.poll(async () => (await film(app)).paused).toBe(true);
  const before = await readTime(app);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => readTime(app)).toBeGreaterThan(before + 4.9);
  await page.keyboard.press('m');
  expect((await film(app)).muted).toBe(true);
  await page.keyboard.press('m');
  await app.getByRole('slider', { name: 'Volume' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await film(app)).volume).toBe(0.8);

  await page.keyboard.press('f');
  await expect(app.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
  await expect.poll(() => app.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await page.keyboard.press('f');
  await expect(app.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
});

test('without full screen the page is filled, and Telegram’s back button leaves it', async ({
  open,
  page,
  unique,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Element.prototype, 'requestFullscreen');
  });
  const { app, pressBack } = await open({
    container: 'ios',
    path: '/jav-auth',
    telegramId: unique(),
  });
  await expect(app.getByText('00:00 / 00:24')).toBeVisible();

  await app.getByRole('button', { name: 'Full screen' }).click();
  const player = app.getByRole('region', { name: 'Video player' });
  await expect
    .poll(() => player.boundingBox())
    .toMatchObject({ x: 0, y: 0, width: 390, height: 844 });

  await pressBack();
  await expect(app.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
  await expect(app.getByRole('heading', { name: 'JAV Video Player' })).toBeVisible();
});

test('an expired token is replaced, and the film continues at the same position', async ({
  open,
  page,
  expected,
}) => {
  expected.push(/status of 403/);
  const tokens: string[] = [];
  // The first token opens the beginning of the film, and nothing after that.
  await page.route('**/jav/90223/stream**', async (route) => {
    const token = new URL(route.request().url()).searchParams.get('token') ?? '';
    if (!tokens.includes(token)) {
      tokens.push(token);
    }
    const { range = 'bytes=0-' } = await route.request().allHeaders();
    if (token !== tokens[0]) {
      await route.continue();
    } else if (range === 'bytes=0-') {
      await route.continue({ headers: { ...route.request().headers(), range: 'bytes=0-99999' } });
    } else {
      await route.fulfill({ status: 403, json: { detail: 'Expired' } });
    }
  });
  const { app } = await open({ container: 'browser', path: '/jav-auth' });
  await expect(app.getByText('00:00 / 00:24')).toBeVisible();

  await app.getByRole('button', { name: 'Play' }).click();
  await app.getByRole('slider', { name: 'Seek' }).fill('18');

  await expect.poll(() => readTime(app)).toBeGreaterThan(18.3);
  expect(tokens).toHaveLength(2);
  await expect(app.getByText('Failed to load video stream')).toHaveCount(0);
});

test('a stream that is refused shows an error', async ({ open, page, expected }) => {
  expected.push(/status of 403/);
  await page.route('**/jav/90223/stream**', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Expired' } }),
  );

  const { app } = await open({ container: 'browser', path: '/jav-auth' });

  await expect(app.getByText('Failed to load video stream')).toBeVisible();
});
