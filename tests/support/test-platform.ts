/** Opens Telegram's platform alone, against a client that keeps what it is told. */
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

import { readLaunchAddress } from '#lib/launch';
import { type Platform } from '#lib/platform';

import { installNativeBridge, type NativeBridge } from './native-bridge.ts';

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
  /** Ends what the app of one test hears, as closing the page would. */
  let closePage: () => void;

  beforeAll(async () => {
    // The SDK lives as long as the file, so its own listener is there before any page is opened.
    const { connectBridge } = await import('#lib/telegram-bridge');
    connectBridge('6.0');
  });

  beforeEach(() => {
    vi.resetModules();
    const listening = vi.spyOn(window, 'addEventListener');
    closePage = () => {
      for (const [name, listener] of listening.mock.calls) {
        window.removeEventListener(name, listener);
      }
    };
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
