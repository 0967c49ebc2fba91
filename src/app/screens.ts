/** Screens by route: each is a chunk of its own, loaded once. */
import { type ComponentType, use } from 'react';

import { type Route } from '#lib/route';

import { loadChunk } from './stale-chunks.ts';

const loading = new Map<Route, Promise<ComponentType>>();

/** Loads a route's screen, ahead of need when a link to it is pointed at. */
export function loadScreen(route: Route): Promise<ComponentType> {
  const known = loading.get(route);
  if (known) {
    return known;
  }
  const promise = loadChunk(() => route.load()).then((screen) => {
    // The mark by which `use` takes a value without suspending: a known screen must not blink.
    void Object.assign(promise, { status: 'fulfilled', value: screen });
    return screen;
  });
  loading.set(route, promise);
  // Whoever draws the screen hears of a failure; whoever loads it ahead of need does not care.
  promise.catch(() => undefined);
  return promise;
}

/** Forgets a failure: a chunk that did not arrive may arrive the next time. */
export function forgetScreen(route: Route): void {
  loading.delete(route);
}

/** The route's screen; suspends while it is loading, and throws `MissingChunk` when it failed. */
export function useScreen(route: Route): ComponentType {
  return use(loadScreen(route));
}
