/** The page opens and works with any broken launch data and any client of Telegram. */
import { createChunkMatcher } from '#tests/chunk';
import { expect, test } from '#tests/e2e';

const broken = {
  'nothing but a version': '#tgWebAppVersion=9.1',
  'empty data':
    '#tgWebAppData=&tgWebAppVersion=7.0&tgWebAppPlatform=ios&tgWebAppThemeParams=%7B%7D',
  'percent rubbish': '#tgWebAppData=%E0%A4%A&tgWebAppVersion=%%&tgWebAppThemeParams=%',
  'a theme that is no JSON':
    '#tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppThemeParams=%7Bbg_color',
  'a colour that is none':
    '#tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppThemeParams=%7B%22bg_color%22%3A%22red%22%2C%22text_color%22%3A%22%23zzz%22%7D',
  'the start parameter twice':
    '#tgWebAppStartParam=a&tgWebAppStartParam=b&tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppThemeParams=%7B%7D',
  'very much of it': `#tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppData=${'x'.repeat(60_000)}`,
} as const;

for (const [name, hash] of Object.entries(broken)) {
  test(`a launch with ${name}`, async ({ page, nori, expected }) => {
    expected.push(/status of 401.*\/auth\/telegram$/, /status of 4\d\d.*\/auth\/telegram$/);
    await page.addInitScript(() => {
      Object.assign(window, { TelegramWebviewProxy: { postEvent: () => undefined } });
    });

    await page.goto(`${nori.origin}/login?tgWebAppStartParam=x${hash}`);

    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    const home = page.getByRole('navigation').getByRole('button', { name: 'Home' });
    await expect(home).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(0);
    expect(page.url()).toBe(`${nori.origin}/login`);
    await home.click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}

test('when Telegram’s part of the app is blocked, the website runs in its place', async ({
  page,
  nori,
  expected,
}) => {
  expected.push(/ERR_FAILED/);
  await page.addInitScript(() => {
    Object.assign(window, { TelegramWebviewProxy: { postEvent: () => undefined } });
  });
  await page.route(await createChunkMatcher('src/lib/telegram.ts'), (route) => route.abort());

  await page.goto(
    nori.origin + nori.launchHash({ telegramId: 1, client: 'ios', palette: {} }).replace('#', '/#'),
  );

  await expect(page.getByRole('banner')).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('a bridge whose every call throws does not stop the app', async ({ page, nori }) => {
  await page.addInitScript(() => {
    Object.assign(window, {
      TelegramWebviewProxy: {
        postEvent: () => {
          throw new Error('the bridge is broken');
        },
      },
    });
  });

  await page.goto(
    `${nori.origin}/login${nori.launchHash({ telegramId: 7, client: 'android', palette: {} })}`,
  );

  await expect(page.getByRole('navigation').getByRole('button', { name: 'Home' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Telegram User ID' })).toHaveValue('7');
});
