/**
 * What the container can do for us. One interface, two implementations: Telegram's (`telegram.ts`,
 * loaded only there) and the browser's (`browser.ts`). A screen asks for a capability, never for
 * the container.
 */
import { create } from 'zustand';

import { browser } from './browser.ts';
import { type Platform } from './platform-types.ts';

export { type Platform } from './platform-types.ts';

/** Starts as the browser's, so that the first render equals the prerendered page. */
const usePlatformStore = create<{ readonly platform: Platform }>()(() => ({ platform: browser }));

/** The current platform, for code outside React. */
export function getPlatform(): Platform {
  return usePlatformStore.getState().platform;
}

/** Called once at boot, when it is known where the app runs. */
export function setPlatform(platform: Platform): void {
  usePlatformStore.setState({ platform });
}

/** The current platform. During hydration this is the browser's. */
export function usePlatform(): Platform {
  return usePlatformStore((state) => state.platform);
}

/** Calls back when it becomes known where the app runs. */
export function onPlatformChange(listener: (platform: Platform) => void): () => void {
  return usePlatformStore.subscribe(({ platform }, previous) => {
    if (platform !== previous.platform) {
      listener(platform);
    }
  });
}
