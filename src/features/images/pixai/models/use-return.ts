/** Coming back to the gallery leads to the card that was left, also after a reload. */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import * as v from 'valibot';

import { tabMarks } from '#lib/storage';
import { type MasonryHandle, type MasonrySnapshot } from '#ui/masonry';

const mark = v.object({
  /** Of the entry in the browser's history. */
  key: v.string(),
  firstId: v.string(),
  offset: v.number(),
});

const restMs = 150;

function readMark(key: string): MasonrySnapshot | undefined {
  try {
    const parsed = v.safeParse(mark, JSON.parse(tabMarks.read('gallery') ?? ''));
    return parsed.success && parsed.output.key === key ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

type Loading = {
  /** In their order. */
  readonly ids: readonly string[];
  readonly loadMore: (() => void) | undefined;
};

export function useReturn(gallery: RefObject<MasonryHandle | null>, loading: Loading): void {
  const { key } = useLocation();
  const wanted = useRef<MasonrySnapshot>(undefined);

  const remember = useEffectEvent(() => {
    const place = gallery.current?.snapshot();
    if (place && wanted.current === undefined) {
      tabMarks.write('gallery', JSON.stringify({ key, ...place }));
    }
  });

  useEffect(() => {
    const place = readMark(key);
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
  }, [gallery, key]);

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
