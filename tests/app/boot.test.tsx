/** How the app finds out, before it draws anything, where it runs and who is there. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { loginWithTelegram } from '#contract/endpoints/session';
import { tabMarks } from '#lib/storage';
import { connect, type Network } from '#tests/app-server';
import { signLaunchData } from '#tests/launch-data';
import { installNativeBridge, type NativeBridge } from '#tests/native-bridge';
import { createTestServer, type TestServer } from '#tests/server-kit';

const botToken = '123456:token-of-tests';
const telegramId = 99_281_932;

let server: TestServer;
let network: Network;

beforeEach(async () => {
  vi.resetModules();
  server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
  network = connect(server);
  forgetTab();
});

afterEach(async () => {
  vi.useRealTimers();
  // What a page does after its first paint must not reach the client of the next test.
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  Reflect.deleteProperty(window, 'TelegramWebviewProxy');
  frameWith(window);
  window.history.replaceState(null, '', '/');
  forgetTab();
  await server.close();
});

/** Puts another page around this one; itself means that there is none. */
function frameWith(page: unknown): void {
  for (const name of ['parent', 'top']) {
    Object.defineProperty(window, name, { value: page, configurable: true });
  }
}

function forgetTab(): void {
  tabMarks.write('launch', undefined);
  tabMarks.write('signed_out', undefined);
}

async function start() {
  const [{ boot }, { getPlatform }, { getSession, onSessionChange }] = await Promise.all([
    import('#lib/boot'),
    import('#lib/platform'),
    import('#lib/session'),
  ]);
  const settled = boot();
  return {
    settled,
    getPlatform,
    getSession,
    /** The session once it is no longer unknown. */
    known: () =>
      new Promise<ReturnType<typeof getSession>>((resolve) => {
        const isKnown = () => getSession().status !== 'unknown' && (resolve(getSession()), true);
        if (!isKnown()) {
          onSessionChange(isKnown);
        }
      }),
  };
}

function launchHash({ id = telegramId, startParam = '' } = {}): string {
  const initData = signLaunchData({
    user: { id, first_name: 'Mika' },
    botToken,
    signedAt: server.now(),
    fields: startParam === '' ? {} : { start_param: startParam },
  });
  return `#tgWebAppData=${encodeURIComponent(initData)}&tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppThemeParams=%7B%22bg_color%22%3A%22%23ffffff%22%7D`;
}

function openInApp(url: string): NativeBridge {
  const bridge = installNativeBridge({ kind: 'ios', palette: { bg_color: '#ffffff' } });
  window.history.replaceState(null, '', url);
  return bridge;
}

function address(): string {
  return window.location.pathname + window.location.search + window.location.hash;
}

const countOf = (bridge: NativeBridge, name: string) =>
  bridge.sent.filter((event) => event.name === name).length;

test('a visitor of the website is a guest before anything has to be waited for', async () => {
  const { getPlatform, getSession, settled } = await start();

  expect(getPlatform().container).toBe('web');
  expect(getSession()).toEqual({ status: 'guest', isNewcomer: false });
  expect(document.documentElement.dataset['container']).toBe('web');
  await settled;
  expect(network.requests).toHaveLength(0);
});

test('somebody logged in on the website is so at once', async () => {
  localStorage.setItem('accessToken', 'token-of-mine');
  localStorage.setItem('telegram_id', '7');

  const { getSession } = await start();

  expect(getSession()).toEqual({ status: 'member', token: 'token-of-mine', telegramId: '7' });
});

test('in Telegram a person with an account is logged in without a form', async () => {
  await server.signUp(telegramId);
  openInApp(`/${launchHash()}`);

  const { known, settled, getPlatform, getSession } = await start();
  expect(getSession().status).toBe('unknown');
  await settled;

  expect(getPlatform()).toMatchObject({
    container: 'telegram',
    launch: { telegramId: String(telegramId), firstName: 'Mika' },
  });
  expect(document.documentElement.dataset['container']).toBe('telegram');
  expect(await known()).toMatchObject({ status: 'member', telegramId: String(telegramId) });
  expect(localStorage.getItem('accessToken')).toBeTruthy();
  expect(address()).toBe('/');
});

test('a person without an account is known to be new', async () => {
  openInApp(`/${launchHash()}`);

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: true });
});

test('launch data that the server does not believe ends in the forms, in silence', async () => {
  openInApp(`/${launchHash().replace(/hash%3D\w{4}/, 'hash%3D0000')}`);

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: false });
});

test('Telegram’s loader goes once, as soon as the page is painted and before the server answers', async () => {
  const release = network.hang(loginWithTelegram);
  const bridge = openInApp(`/${launchHash()}`);

  const { settled, known, getSession } = await start();
  await settled;
  await vi.waitFor(() => expect(countOf(bridge, 'web_app_ready')).toBe(1), { timeout: 60_000 });

  expect(getSession().status).toBe('unknown');
  release();
  await known();
  expect(countOf(bridge, 'web_app_ready')).toBe(1);
});

test('a stored session is taken up at once in Telegram, too, and nobody is asked', async () => {
  localStorage.setItem('accessToken', 'token-of-mine');
  localStorage.setItem('telegram_id', String(telegramId));
  openInApp(`/${launchHash()}`);

  const { getSession, settled } = await start();
  expect(getSession()).toMatchObject({ status: 'member', token: 'token-of-mine' });
  await settled;

  expect(network.requestsTo(loginWithTelegram)).toHaveLength(0);
});

test('the session of another account on the same device is not shown to this one', async () => {
  await server.signUp(telegramId);
  localStorage.setItem('accessToken', 'token-of-somebody-else');
  localStorage.setItem('telegram_id', '7');
  localStorage.setItem('nori_draft', 'private');
  openInApp(`/${launchHash()}`);

  const { known, getSession } = await start();
  expect(getSession().status).toBe('unknown');

  expect(await known()).toMatchObject({ status: 'member', telegramId: String(telegramId) });
  expect(localStorage.getItem('nori_draft')).toBeNull();
});

test('whoever has logged out in this tab is not logged in again unasked', async () => {
  await server.signUp(telegramId);
  openInApp(`/${launchHash()}`);
  tabMarks.write('signed_out', '1');

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: false });
  expect(network.requestsTo(loginWithTelegram)).toHaveLength(0);
});

test.each([
  ['chat_-1001234567890', '/dashboard?chat=-1001234567890'],
  ['chat_-1001234567890_42', '/dashboard?chat=-1001234567890&topic=42'],
  ['something_else', '/'],
])('the start parameter %s opens %s', async (startParam, expected) => {
  openInApp(`/${launchHash({ startParam })}`);

  await start();

  expect(address()).toBe(expected);
});

test('a button of the bot that names a chat opens it', async () => {
  const path = '/dashboard?chat=-1001234567890&topic=42';
  openInApp(`${path}${launchHash()}`);

  await start();

  expect(address()).toBe(path);
});

test('a reload in Telegram is still Telegram, and stays where the person went', async () => {
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

test('an address that was passed on to a normal browser is the website, and nobody is logged in', async () => {
  await server.signUp(telegramId);
  window.history.replaceState(null, '', `/login?a=1${launchHash()}`);

  const { getPlatform, getSession, settled } = await start();

  expect(getPlatform().container).toBe('web');
  expect(getPlatform().launch).toEqual({});
  expect(getSession().status).toBe('guest');
  expect(address()).toBe('/login?a=1');
  await settled;
  expect(network.requests).toHaveLength(0);
});

test('a frame whose page does not answer is a website after a second and a half', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const posted: unknown[][] = [];
  const strangers = { postMessage: (...message: unknown[]) => posted.push(message) };
  frameWith(strangers);
  window.history.replaceState(null, '', `/${launchHash()}`);
  // The chunk is there before the clock starts.
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

test('when Telegram’s part of the app cannot be loaded, the website runs in its place', async () => {
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
