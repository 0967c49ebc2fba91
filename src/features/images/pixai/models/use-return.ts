/** Scrolls the gallery to where the user left it, on going back and after a reload. */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import * as v from 'valibot';

import { tabMarks } from '#lib/storage';
import { type MasonryHandle, type MasonrySnapshot } from '#ui/masonry';

const mark = v.object({
  /** The key of the browser's history entry, and the query of the address. */
  entry: v.string(),
  /** When that page was loaded, in epoch milliseconds. */
  loadedAt: v.number(),
  firstId: v.string(),
  offset: v.number(),
});

const restMs = 150;

function readMark(entry: string): MasonrySnapshot | undefined {
  try {
    const parsed = v.safeParse(mark, JSON.parse(tabMarks.read('gallery') ?? ''));
    const isHere = parsed.success && parsed.output.entry === entry;
    return isHere && isReturn(parsed.output.loadedAt) ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** A newly opened page has the same key for its first entry, and is no return. */
function isReturn(loadedAt: number): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return (
    loadedAt === performance.timeOrigin ||
    (navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate')
  );
}

type Loading = {
  /** In their order. */
  readonly ids: readonly string[];
  readonly loadMore: (() => void) | undefined;
};

/** `isDialog`: nothing is stored, as a dialog has no history entry of its own. */
export function useReturn(
  gallery: RefObject<MasonryHandle | null>,
  loading: Loading & { readonly isDialog: boolean },
): void {
  const { key, search } = useLocation();
  const entry = loading.isDialog ? undefined : key + search;
  const wanted = useRef<MasonrySnapshot>(undefined);

  const remember = useEffectEvent(() => {
    const place = gallery.current?.snapshot();
    if (entry !== undefined && place && wanted.current === undefined) {
      tabMarks.write(
        'gallery',
        JSON.stringify({ entry, loadedAt: performance.timeOrigin, ...place }),
      );
    }
  });

  // The user may leave before scrolling has stopped.
  useLayoutEffect(() => () => remember(), []);

  useEffect(() => {
    if (entry === undefined) {
      return undefined;
    }
    const place = readMark(entry);
    if (place) {
      wanted.current = place;
      gallery.current?.restore(place);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => remember(), restMs);
    };
    const stop = () => {
      wanted.current = undefined;
    };
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    window.addEventListener('scroll', rest, options);
    window.addEventListener('pagehide', remember, options);
    for (const input of ['wheel', 'touchmove', 'keydown'] as const) {
      // The user is scrolling elsewhere.
      window.addEventListener(input, stop, options);
    }
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [gallery, entry]);

  // After a reload only the first page of models is loaded; the card may be further down.
  useEffect(() => {
    const id = wanted.current?.firstId;
    if (id === undefined) {
      return;
    }
    if (loading.ids.includes(id)) {
      wanted.current = undefined;
    } else {
      loading.loadMore?.();
    }
  });
}
