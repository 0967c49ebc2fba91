/** Starting the app: finding the container and the start parameter before the first render. */
import { expect, test, vi } from 'vitest';

import { address, frameWith, openInApp, start, telegramId, useTestBoot } from '#tests/test-boot';

const { launchHash, network, server } = useTestBoot();

test.each([
  ['chat_-1001234567890', '/dashboard?chat=-1001234567890'],
  ['chat_-1001234567890_42', '/dashboard?chat=-1001234567890&topic=42'],
  ['picture_Ab-9_z', '/models?provider=pixai&view=generator&picture=Ab-9_z'],
  ['remix_Ab-9_z', '/models?provider=pixai&view=generator&remix=Ab-9_z'],
  ['something_else', '/'],
])('the start parameter %s opens %s', async (startParam, expected) => {
  openInApp(`/${launchHash({ startParam })}`);

  await start();

  expect(address()).toBe(expected);
});

test('a button of the bot with a chat opens the chat', async () => {
  const path = '/dashboard?chat=-1001234567890&topic=42';
  openInApp(`${path}${launchHash()}`);

  await start();

  expect(address()).toBe(path);
});

test('after a reload in Telegram the container is still Telegram, and the address stays', async () => {
  const bridge = openInApp(`/${launchHash({ startParam: 'chat_-100' })}`);
  await (
    await start()
  ).settled;
  window.history.replaceState(null, '', '/privacy');
  vi.resetModules();

  const { settled, getPlatform } = await start();
  await settled;

  expect(getPlatform()).toMatchObject({
    container: 'telegram',
    launch: { telegramId: String(telegramId) },
  });
  expect(address()).toBe('/privacy');
  expect(bridge.sent.length).toBeGreaterThan(0);
});

test('a copied address in a normal browser opens the website, and logs no user in', async () => {
  await server().signUp(telegramId);
  window.history.replaceState(null, '', `/login?a=1${launchHash()}`);

  const { getPlatform, getSession, settled } = await start();

  expect(getPlatform().container).toBe('web');
  expect(getPlatform().launch).toEqual({});
  expect(getSession().status).toBe('guest');
  expect(address()).toBe('/login?a=1');
  await settled;
  expect(network().requests).toHaveLength(0);
});

test('in a frame whose page does not answer, the website runs after 1.5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const posted: unknown[][] = [];
  const strangers = { postMessage: (...message: unknown[]) => posted.push(message) };
  frameWith(strangers);
  window.history.replaceState(null, '', `/${launchHash()}`);
  // The chunk is loaded before the clock starts.
  await import('#lib/telegram');

  const { getPlatform, getSession, settled } = await start();
  const noise = new MessageEvent('message', {
    data: JSON.stringify({ eventType: 'visibility_changed' }),
    origin: 'https://evil.example',
  });
  Object.defineProperty(noise, 'source', { value: strangers });
  await vi.advanceTimersByTimeAsync(10);
  window.dispatchEvent(noise);
  await vi.advanceTimersByTimeAsync(1400);
  expect(getSession().status).toBe('unknown');
  await vi.advanceTimersByTimeAsync(100);
  await settled;

  expect(getPlatform().container).toBe('web');
  expect(getSession().status).toBe('guest');
  expect(new Set(posted.map(([, target]) => target))).toEqual(
    new Set(['https://web.telegram.org']),
  );
});

test('when the chunk for Telegram cannot be loaded, the website runs instead', async () => {
  vi.doMock('#lib/telegram', () => {
    throw new Error('blocked');
  });
  openInApp(`/${launchHash()}`);

  const { getPlatform, getSession, settled } = await start();
  await settled;
  vi.doUnmock('#lib/telegram');

  expect(getPlatform().container).toBe('web');
  expect(getSession().status).toBe('guest');
});

test.each([
  '',
  '#tgWebAppData=',
  '#tgWebAppVersion=9.1',
  '#tgWebAppData=%E0%A4%A&tgWebAppVersion=%&tgWebAppThemeParams={',
  '#tgWebAppThemeParams=%7B%22bg_color%22%3A%22red%22%7D&tgWebAppVersion=7.0&tgWebAppPlatform=ios',
  '#tgWebAppStartParam=a&tgWebAppStartParam=b&tgWebAppVersion=9.1',
  `#tgWebAppVersion=9.1&tgWebAppData=${'x'.repeat(50_000)}`,
])('a hash as broken as %j still gives a page in Telegram', async (hash) => {
  openInApp(`/?tgWebAppStartParam=x${hash}`);

  const { getPlatform, known, settled } = await start();
  await settled;

  expect(getPlatform().container).toBe('telegram');
  expect((await known()).status).toBe('guest');
});
