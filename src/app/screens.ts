/** Loads the screens of the routes. Each is a chunk of its own, loaded once. */
import { type ComponentType, use } from 'react';

import { type Route, type ScreenProps } from '#lib/route';

import { loadChunk } from './stale-chunks.ts';

const loading = new Map<Route, Promise<ComponentType<ScreenProps>>>();

/** Loads a route's screen. Also called ahead, when the pointer is over a link to it. */
export function loadScreen(route: Route): Promise<ComponentType<ScreenProps>> {
  const known = loading.get(route);
  if (known) {
    return known;
  }
  const promise = loadChunk(() => route.load()).then((screen) => {
    // With these fields `use` does not suspend, so a loaded screen does not flicker.
    void Object.assign(promise, { status: 'fulfilled', value: screen });
    // Loaded early; the screen that shows it handles a failure.
    route.loadSlot?.().catch(() => undefined);
    return screen;
  });
  loading.set(route, promise);
  // `useScreen` reports a failure; loading ahead ignores it.
  promise.catch(() => undefined);
  return promise;
}

/** Forgets a failed load, so that the next one tries again. */
export function forgetScreen(route: Route): void {
  loading.delete(route);
}

/** The route's screen. Suspends while it is loading; throws `MissingChunk` when loading failed. */
export function useScreen(route: Route): ComponentType<ScreenProps> {
  return use(loadScreen(route));
}
