/** Opens a stream in the video element, lets go of it, and opens another one where it has broken off. */
import { type RefObject, useEffect, useRef, useState } from 'react';

import { play, seekTo } from './actions.ts';

type Source = {
  /** The address to begin with. */
  readonly source: string;
  /** Asks for another address, as the present one may have expired; undefined when there is none. */
  readonly renew: () => Promise<string | undefined>;
  /** The stream cannot be played. */
  readonly onFail: () => void;
};

/** Where it has broken off. */
type Place = { readonly at: number; readonly isPlaying: boolean };

/** Seconds that a renewed stream has to get on before it may be renewed again. */
const progressS = 1;

export function useSource(
  video: RefObject<HTMLVideoElement | null>,
  { source, renew, onFail }: Source,
): {
  /** The element has failed. */
  readonly repair: () => Promise<void>;
  /** The element knows the stream now. */
  readonly arrive: () => void;
} {
  const [first] = useState(source);
  const hasArrived = useRef(false);
  const place = useRef<Place>(undefined);
  /** Where the last renewal has begun; a stream that breaks there again is not an expired one. */
  const renewedAt = useRef<number>(undefined);

  useEffect(() => {
    const element = video.current;
    // Not by the markup: taken away with it, the stream would stay open.
    element?.setAttribute('src', first);
    return () => {
      element?.removeAttribute('src');
      element?.load();
    };
  }, [video, first]);

  return {
    async repair() {
      const element = video.current;
      // Taking the address away is an error to some browsers.
      if (!element?.hasAttribute('src')) {
        return;
      }
      const broken = place.current ?? placeOf(element);
      const isNew = renewedAt.current === undefined || broken.at > renewedAt.current + progressS;
      const { at, isPlaying } = placeOf(element);
      renewedAt.current = isNew ? broken.at : renewedAt.current;
      const renewed = hasArrived.current && isNew ? await renew() : undefined;
      if (!element.hasAttribute('src')) {
        return;
      }
      if (renewed === undefined) {
        onFail();
        return;
      }
      // Meanwhile the person may have pressed Play or gone elsewhere; the element forgets both now.
      const now = placeOf(element);
      place.current = {
        at: now.at === at ? broken.at : now.at,
        isPlaying: now.isPlaying === isPlaying ? broken.isPlaying : now.isPlaying,
      };
      element.setAttribute('src', renewed);
    },

    arrive() {
      const element = video.current;
      hasArrived.current = true;
      if (element && place.current) {
        const { at, isPlaying } = place.current;
        place.current = undefined;
        // Who has gone elsewhere while it was opened is there already.
        seekTo(element, element.currentTime > 0 ? element.currentTime : at);
        if (isPlaying) {
          play(element);
        }
      }
    },
  };
}

function placeOf(element: HTMLVideoElement): Place {
  return { at: element.currentTime, isPlaying: !element.paused };
}
