/** What is typed into the search: shown at once, and in the address when the typing pauses. */
import { useEffect, useEffectEvent, useState } from 'react';

import { type usePlace } from './use-place.ts';

/** Browsers refuse an address that changes with every key of a quick typist. */
const pauseMs = 300;

export function useSearchTerm(
  place: ReturnType<typeof usePlace>,
): readonly [string, (term: string) => void] {
  const [typed, setTyped] = useState<string>();
  const write = useEffectEvent((q: string) => {
    if (q !== place.term) {
      place.change({ q });
    }
  });

  useEffect(() => {
    if (typed === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => write(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  return [typed ?? place.term, setTyped];
}
