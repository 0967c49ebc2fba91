/**
 * Finds the container, the launch data and the session. Everything synchronous happens before the
 * first `await`, so that a website renders at once and the router never sees Telegram's part of the
 * address.
 */
import { browser } from './browser.ts';
import { type LaunchData, toLaunch, type Opening, takeLaunch } from './launch.ts';
import { prefix, startParamPath } from './paths.ts';
import { type Platform, setPlatform } from './platform.ts';
import { becomeGuest, getSession, restoreSession } from './session.ts';
import { readStored } from './storage.ts';
import { maySignInAutomatically, signInWithTelegram } from './telegram-sign-in.ts';

/** If Telegram's chunk takes longer, the app runs as a website. */
const loadTimeoutMs = 8000;
/** A hidden page paints no frames, but the client's loader must be removed all the same. */
const paintTimeoutMs = 1000;

/** Call once, before rendering. Resolves when the container is known; never rejects. */
export async function boot(): Promise<void> {
  const opening = takeLaunch();
  if (opening === undefined) {
    settle(browser);
    restoreSession();
    return;
  }

  const formerId = findOtherUser(opening);
  if (formerId === undefined && hasStoredSession()) {
    restoreSession();
  }
  if (getSession().status === 'unknown' && !maySignInAutomatically()) {
    becomeGuest({ isNewcomer: false });
  }
  goToStartParam(opening);
  // Until Telegram's chunk is loaded: the browser's platform with the launch data and the palette.
  setPlatform({
    ...browser,
    launch: toLaunch(opening.data),
    palette: () => opening.data.palette,
  });

  const platform = await connect(opening.data);
  settle(platform ?? browser, opening.data.client);
  if (platform === undefined) {
    restoreSession();
    return;
  }

  afterPaint(() => platform.ready());
  if (getSession().status === 'unknown') {
    void (formerId === undefined
      ? signInWithTelegram()
      : import('./identity.ts').then(
          ({ decideIdentity }) => decideIdentity(formerId, { platform, data: opening.data }),
          // The chunk is blocked, or was replaced: who was logged in stays so.
          restoreSession,
        ));
  }
}

/** `data-platform` is the shape of Telegram's client, for style sheets; the website has none. */
function settle(platform: Platform, client = ''): void {
  const { dataset } = document.documentElement;
  dataset['container'] = platform.container;
  if (platform.container === 'web') {
    delete dataset['platform'];
  } else {
    dataset['platform'] = /^ios|^android/.exec(client)?.[0] ?? 'desktop';
  }
  dataset['power'] = platform.isLowPower ? 'low' : 'normal';
  setPlatform(platform);
}

/** The user of whom the device has data, when the app was opened by another one just now. */
function findOtherUser({ data, isFresh }: Opening): string | undefined {
  const storedId = readStored('telegramId');
  const isOther = isFresh && data.telegramId !== undefined && storedId !== data.telegramId;
  return isOther ? storedId : undefined;
}

function hasStoredSession(): boolean {
  return (readStored('accessToken') ?? readStored('legacyAccessToken')) !== undefined;
}

/** Opens the address of the start parameter; not on a reload, which keeps the current address. */
function goToStartParam({ data, isFresh }: Opening): void {
  const path = isFresh ? startParamPath(data.startParam) : undefined;
  if (path !== undefined) {
    window.history.replaceState(window.history.state, '', prefix + path);
  }
}

async function connect(data: LaunchData): Promise<Platform | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooSlow = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), loadTimeoutMs);
  });
  try {
    return await Promise.race([
      import('./telegram.ts').then(({ connectTelegram }) => connectTelegram(data)),
      tooSlow,
    ]);
  } catch {
    // The chunk is blocked, or was replaced by a deployment. The website works in every web view.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs after two frames: the first one has been painted then. */
function afterPaint(run: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) {
      isDone = true;
      run();
    }
  };
  requestAnimationFrame(() => requestAnimationFrame(once));
  setTimeout(once, paintTimeoutMs);
}
