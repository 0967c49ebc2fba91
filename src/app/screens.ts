/** Screens by route: each is a chunk of its own, loaded once. */
import { type ComponentType, use } from 'react';

import { type Route } from '#lib/route';

const loading = new Map<Route, Promise<ComponentType>>();

/** Loads a route's screen, ahead of need when a link to it is pointed at. */
export function loadScreen(route: Route): Promise<ComponentType> {
  const known = loading.get(route);
  if (known) {
    return known;
  }
  const promise = route.load().then((screen) => {
    // The mark by which `use` takes a value without suspending: a known screen must not blink.
    void Object.assign(promise, { status: 'fulfilled', value: screen });
    return screen;
  });
  loading.set(route, promise);
  // A chunk that did not arrive may arrive the next time.
  promise.catch(() => loading.delete(route));
  return promise;
}

/** The route's screen; suspends while it is loading. */
export function useScreen(route: Route): ComponentType {
  return use(loadScreen(route));
}
