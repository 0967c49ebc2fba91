/**
 * Finds out where the app runs and who is there: the container, the address it was opened with,
 * and the session. Everything that needs no waiting happens before the first `await`, so that a
 * website renders at once and the router never sees Telegram's part of the address.
 */
import { browser } from './browser.ts';
import { type LaunchData, toLaunch, type Opening, takeLaunch } from './launch.ts';
import { pathOfStartParam } from './paths.ts';
import { type Platform, setPlatform } from './platform.ts';
import { becomeGuest, getSession, restoreSession } from './session.ts';
import { forgetPerson, readStored } from './storage.ts';
import { maySignInUnasked, signInWithTelegram } from './telegram-sign-in.ts';

/** A slow network may take this long for Telegram's part of the app; then it runs as a website. */
const loadTimeoutMs = 8000;
/** Hidden pages paint nothing, and the client's loader must still go. */
const paintTimeoutMs = 1000;

/** Call once, before rendering. Resolves when the container is known; never rejects. */
export async function boot(): Promise<void> {
  const opening = takeLaunch();
  if (opening === undefined) {
    settle(browser);
    restoreSession();
    return;
  }

  restoreIfStored(opening);
  goToStartParam(opening);
  // Until Telegram's part is there: a browser that knows the palette already, and who is coming.
  setPlatform({
    ...browser,
    launch: toLaunch(opening.data),
    palette: () => opening.data.palette,
  });

  const platform = await connect(opening.data);
  settle(platform ?? browser);
  if (platform === undefined) {
    restoreSession();
    return;
  }

  afterPaint(() => platform.ready());
  if (getSession().status !== 'unknown') {
    return;
  }
  if (maySignInUnasked()) {
    void signInWithTelegram();
  } else {
    becomeGuest({ isNewcomer: false });
  }
}

function settle(platform: Platform): void {
  const { dataset } = document.documentElement;
  dataset['container'] = platform.container;
  dataset['power'] = platform.isLowPower ? 'low' : 'normal';
  setPlatform(platform);
}

/** Takes up a stored session; one of somebody else, who used the app on this device before, goes. */
function restoreIfStored({ data, isFresh }: Opening): void {
  const storedId = readStored('telegramId');
  const isSomebodyElse =
    storedId !== undefined && data.telegramId !== undefined && storedId !== data.telegramId;
  if (isFresh && isSomebodyElse) {
    forgetPerson();
  } else if ((readStored('accessToken') ?? readStored('legacyAccessToken')) !== undefined) {
    restoreSession();
  }
}

/** Opens the place that a link names. Only at a launch: a reload stays where the person went. */
function goToStartParam({ data, isFresh }: Opening): void {
  const path = isFresh ? pathOfStartParam(data.startParam) : undefined;
  if (path !== undefined) {
    window.history.replaceState(window.history.state, '', path);
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
    // Blocked or gone after a deployment: the website works in every web view.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Two frames: what the first one drew is on the screen when the second begins. */
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
