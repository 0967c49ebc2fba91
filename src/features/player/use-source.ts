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
  /** The element has begun or stopped to play. */
  readonly follow: () => void;
  /** The person has pressed Play or Pause. */
  readonly mean: (isPlaying: boolean) => void;
} {
  const [first] = useState(source);
  const hasArrived = useRef(false);
  /** From a stream's breaking off until the next one has arrived. */
  const isBroken = useRef(false);
  const isMeantToPlay = useRef(false);
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
      isBroken.current = true;
      const at = element.currentTime;
      const isNew = renewedAt.current === undefined || at > renewedAt.current + progressS;
      renewedAt.current = isNew ? at : renewedAt.current;
      const renewed = hasArrived.current && isNew ? await renew() : undefined;
      if (!element.hasAttribute('src')) {
        return;
      }
      if (renewed === undefined) {
        onFail();
        return;
      }
      // Meanwhile the person may have gone elsewhere.
      const place = element.currentTime;
      element.setAttribute('src', renewed);
      // Nothing is known of the new stream yet: this is where it will begin.
      seekTo(element, place);
    },

    arrive() {
      hasArrived.current = true;
      if (video.current && isBroken.current && isMeantToPlay.current) {
        play(video.current);
      }
      isBroken.current = false;
    },

    follow() {
      // A browser itself pauses what has broken off, now or a moment later.
      if (video.current && !isBroken.current && video.current.error === null) {
        isMeantToPlay.current = !video.current.paused;
      }
    },

    mean(isPlaying) {
      isMeantToPlay.current = isPlaying;
    },
  };
}
