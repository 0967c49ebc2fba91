/**
 * The current platform: Telegram (`telegram.ts`, loaded only there) or the browser (`browser.ts`).
 * Screens use its capabilities and do not ask which container it is.
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

/** Called at boot, when the container is known. */
export function setPlatform(platform: Platform): void {
  usePlatformStore.setState({ platform });
}

/** The current platform. During hydration this is the browser's. */
export function usePlatform(): Platform {
  return usePlatformStore((state) => state.platform);
}

/** Calls the listener when the platform changes at boot. Returns the unsubscribe function. */
export function onPlatformChange(listener: (platform: Platform) => void): () => void {
  return usePlatformStore.subscribe(({ platform }, previous) => {
    if (platform !== previous.platform) {
      listener(platform);
    }
  });
}
