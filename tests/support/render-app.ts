/** Opens the app at an address, as a browser or Telegram does: everything starts anew, on a real server. */
import { userEvent } from '@testing-library/user-event';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';

import { connect, type Network } from './app-server.ts';
import { signLaunchData } from './launch-data.ts';
import { installNativeBridge, type NativeBridge } from './native-bridge.ts';
import { beginPage } from './page.ts';
import { createTestServer, type TestServer } from './test-server.ts';

/** The bot whose key signs launch data, when the server has no bot of its own. */
const botToken = '123456:token-of-tests';

type RenderOptions = {
  /** Who is logged in: a Telegram user ID, who gets an account if need be, or a session. */
  readonly as?: number | { readonly telegramId: number; readonly token: string };
  /** Opened from Telegram, by this person. */
  readonly launch?: {
    readonly telegramId: number;
    readonly firstName?: string;
    readonly startParam?: string;
    readonly kind?: 'ios' | 'android';
    /** Of the client; 9.1 unless told otherwise. */
    readonly version?: string;
  };
  /** The server; without one, a fresh one that runs without a bot. */
  readonly server?: TestServer;
  /** Before the page asks for anything: what is to go wrong from the beginning. */
  readonly onConnect?: (network: Network) => void;
};

/** Opens the page and waits until it knows where it runs. */
export async function renderApp(
  path: string,
  { as, launch, server, onConnect }: RenderOptions = {},
) {
  const testServer = server ?? (await startServer());
  if (as !== undefined) {
    const { telegramId, token } =
      typeof as === 'number' ? { telegramId: as, token: await testServer.signUp(as) } : as;
    localStorage.setItem('accessToken', token);
    localStorage.setItem('telegram_id', String(telegramId));
  }
  const network = connect(testServer);
  onConnect?.(network);
  const bridge = launch ? openTelegram(launch.kind ?? 'ios') : undefined;
  onTestFinished(closeTelegram);
  const hash = launch ? launchHash(launch, testServer) : '';
  window.history.pushState(null, '', path + hash);
  let close = await load();
  // Newest first: the page is closed before the server that it calls.
  onTestFinished(() => close());

  return {
    testServer,
    server: network,
    user: userEvent.setup(),
    /** Telegram around the page; undefined in a browser. */
    bridge,
    /** Goes to an address of the app, as the browser's own Back and Forward do: without a reload. */
    goTo: (address: string) => {
      window.history.pushState(null, '', address);
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
    },
    /** Loads the page at the present address once more. */
    reload: async () => {
      await close();
      close = await load();
    },
  };
}

/** A server that ends with the test; it believes launch data signed with `botToken`. */
export async function startServer(
  options: Parameters<typeof createTestServer>[0] = {},
): Promise<TestServer> {
  const server = await createTestServer({ variables: { BOT_TOKEN: botToken }, ...options });
  onTestFinished(server.close);
  return server;
}

/** What the page's entry does, on modules that no earlier page has used. Returns how to close the page. */
async function load(): Promise<() => Promise<void>> {
  const closePage = beginPage();
  const [{ App }, { boot }, { loadCurrentUser }, { createQueryClient }, { startTheme }, policy] =
    await Promise.all([
      import('#app'),
      import('#lib/boot'),
      import('#lib/current-user'),
      import('#lib/query-client'),
      import('#lib/theme'),
      // oxlint-disable-next-line no-restricted-imports -- As the page's entry, which alone knows it too.
      import('../../src/app/session-policy.ts'),
    ]);
  const queryClient = createQueryClient();
  policy.startSessionPolicy(queryClient);
  const settled = boot();
  startTheme();
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  root.render(createElement(StrictMode, null, createElement(App, { queryClient })));
  await settled;
  while (container.firstElementChild === null) {
    await nextTurn();
  }
  loadCurrentUser().catch(() => undefined);

  return async () => {
    // A chunk that arrives after the test has ended would fail without a test to report it.
    await vi.dynamicImportSettled();
    // As a browser does: timers and streams of this page must not reach the next one.
    window.dispatchEvent(new Event('pagehide'));
    root.unmount();
    container.remove();
    await queryClient.cancelQueries();
    queryClient.clear();
    closePage();
  };
}

function closeTelegram(): void {
  for (const name of ['TelegramWebviewProxy', 'nativeBridge']) {
    Reflect.deleteProperty(window, name);
  }
}

function openTelegram(kind: 'ios' | 'android'): NativeBridge {
  return installNativeBridge({
    kind,
    palette: { bg_color: '#ffffff', text_color: '#000000', secondary_bg_color: '#f1f1f1' },
  });
}

function launchHash(
  {
    telegramId,
    firstName = 'Mika',
    startParam,
    version = '9.1',
  }: NonNullable<RenderOptions['launch']>,
  testServer: TestServer,
): string {
  const initData = signLaunchData({
    user: { id: telegramId, first_name: firstName },
    botToken,
    signedAt: testServer.now(),
    fields: startParam === undefined ? {} : { start_param: startParam },
  });
  const pairs = new URLSearchParams({
    tgWebAppData: initData,
    tgWebAppVersion: version,
    tgWebAppPlatform: 'ios',
    tgWebAppThemeParams: JSON.stringify({ bg_color: '#ffffff', text_color: '#000000' }),
  });
  return `#${pairs.toString()}`;
}
