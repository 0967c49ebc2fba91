/** Opens Telegram's platform alone, against a client that keeps what it is told. */
import { afterEach, beforeEach, vi } from 'vitest';

import { readLaunchAddress } from '#lib/launch';
import { type Platform } from '#lib/platform';

import { installNativeBridge, type NativeBridge } from './native-bridge.ts';
import { beginPage } from './page.ts';

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
