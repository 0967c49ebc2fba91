/** Coming back to the gallery leads to the card that was left, also after a reload. */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import * as v from 'valibot';

import { tabMarks } from '#lib/storage';
import { type MasonryHandle, type MasonrySnapshot } from '#ui/masonry';

const mark = v.object({
  /** Of the entry in the browser's history, and what it searches for. */
  entry: v.string(),
  /** When the page was loaded that was left, in epoch milliseconds. */
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

/** Each page that is opened anew has the same key for its first entry: only a reload is a return. */
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

export function useReturn(gallery: RefObject<MasonryHandle | null>, loading: Loading): void {
  const { key, search } = useLocation();
  const entry = key + search;
  const wanted = useRef<MasonrySnapshot>(undefined);

  const remember = useEffectEvent(() => {
    const place = gallery.current?.snapshot();
    if (place && wanted.current === undefined) {
      tabMarks.write(
        'gallery',
        JSON.stringify({ entry, loadedAt: performance.timeOrigin, ...place }),
      );
    }
  });

  // Who scrolls and presses at once leaves before the scrolling has come to rest.
  useLayoutEffect(() => () => remember(), []);

  useEffect(() => {
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
    window.addEventListener('scroll', rest, { passive: true });
    window.addEventListener('pagehide', remember);
    for (const input of ['wheel', 'touchmove', 'keydown'] as const) {
      // Who scrolls by themselves wants to be where they are going.
      window.addEventListener(input, stop, { passive: true });
    }
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', rest);
      window.removeEventListener('pagehide', remember);
      for (const input of ['wheel', 'touchmove', 'keydown'] as const) {
        window.removeEventListener(input, stop);
      }
    };
  }, [gallery, entry]);

  // A page that was reloaded has only the first models; the card may be further down.
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
