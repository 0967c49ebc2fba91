/** Boot and Telegram's platform on their own, with a server and a client around them, as often as a test wants. */
import { afterEach, beforeEach, vi } from 'vitest';

import { readLaunchAddress } from '#lib/launch';
import { type Platform } from '#lib/platform';
import { tabMarks } from '#lib/storage';

import { connect, type Network } from './app-server.ts';
import { signLaunchData } from './launch-data.ts';
import { installNativeBridge, type NativeBridge } from './native-bridge.ts';
import { beginPage } from './page.ts';
import { createTestServer, type TestServer } from './test-server.ts';

const botToken = '123456:token-of-tests';
/** Who opens the app in Telegram. */
export const telegramId = 99_281_932;

/** Gives every test of the file a server and a device of its own; `server()` is that of the running test. */
export function useTestBoot() {
  let server: TestServer;
  let network: Network;

  let closePage: () => void;

  beforeEach(async () => {
    closePage = beginPage();
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
    closePage();
    Reflect.deleteProperty(window, 'TelegramWebviewProxy');
    frameWith(window);
    window.history.replaceState(null, '', '/');
    forgetTab();
    await server.close();
  });

  /** What Telegram appends to the address. */
  function launchHash({ id = telegramId, startParam = '' } = {}): string {
    const initData = signLaunchData({
      user: { id, first_name: 'Mika' },
      botToken,
      signedAt: server.now(),
      fields: startParam === '' ? {} : { start_param: startParam },
    });
    return `#tgWebAppData=${encodeURIComponent(initData)}&tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppThemeParams=%7B%22bg_color%22%3A%22%23ffffff%22%7D`;
  }

  return { server: () => server, network: () => network, launchHash };
}

/** Puts another page around this one; itself means that there is none. */
export function frameWith(page: unknown): void {
  for (const name of ['parent', 'top']) {
    Object.defineProperty(window, name, { value: page, configurable: true });
  }
}

function forgetTab(): void {
  tabMarks.write('launch', undefined);
  tabMarks.write('signed_out', undefined);
}

/** Boots as the page's entry does. */
export async function start() {
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

/** The app of an iPhone opens this address. */
export function openInApp(url: string): NativeBridge {
  const bridge = installNativeBridge({ kind: 'ios', palette: { bg_color: '#ffffff' } });
  window.history.replaceState(null, '', url);
  return bridge;
}

export function address(): string {
  return window.location.pathname + window.location.search + window.location.hash;
}

export const palette = {
  bg_color: '#ffffff',
  secondary_bg_color: '#f1f1f1',
  text_color: '#000000',
  button_color: '#40a7e3',
  button_text_color: '#ffffff',
};

/** Gives every test of the file a client of its own; `client()` is that of the running test. */
export function useTestPlatform() {
  let client: NativeBridge;
  let closePage: () => void;

  beforeEach(() => {
    closePage = beginPage();
    client = installNativeBridge({ kind: 'ios', palette, insets: { top: 47, bottom: 34 } });
  });

  afterEach(() => {
    closePage();
    vi.useRealTimers();
    Reflect.deleteProperty(window, 'TelegramWebviewProxy');
    document.documentElement.removeAttribute('style');
  });

  return {
    client: () => client,

    /** What the client was told by one method, in order. */
    sent: (name: string): unknown[] =>
      client.sent.filter((event) => event.name === name).map(({ data }) => data),

    open: async ({ version = '9.1', app = 'ios' } = {}): Promise<Platform> => {
      const theme = encodeURIComponent(JSON.stringify(palette));
      const data = readLaunchAddress({
        hash: `#tgWebAppVersion=${version}&tgWebAppPlatform=${app}&tgWebAppThemeParams=${theme}`,
        search: '',
      });
      // A fresh copy of the module for each test, as for each launch.
      const { connectTelegram } = await import('#lib/telegram');
      const platform = await connectTelegram(data!);
      return platform!;
    },
  };
}

/** Lets everything that is due at once happen. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
