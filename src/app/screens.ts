/** Screens by route: each is a chunk of its own, loaded once. */
import { type ComponentType, use } from 'react';

import { type Route } from '#lib/route';

const loaded = new Map<Route, ComponentType>();
const loading = new Map<Route, Promise<ComponentType>>();

/** Loads a route's screen, ahead of need when a link to it is pointed at. */
export function loadScreen(route: Route): Promise<ComponentType> {
  const known = loading.get(route);
  if (known) {
    return known;
  }
  const promise = route.load().then((screen) => {
    loaded.set(route, screen);
    return screen;
  });
  loading.set(route, promise);
  // A chunk that did not arrive may arrive the next time.
  promise.catch(() => loading.delete(route));
  return promise;
}

/** The route's screen; suspends while it is loading. */
export function useScreen(route: Route): ComponentType {
  return loaded.get(route) ?? use(loadScreen(route));
}
