/** Moves the focus when a part of the page appears. */
import { useEffectEvent, useLayoutEffect, useRef } from 'react';

/**
 * Runs once, before the part is painted: later, or a second time when React puts the part back, it
 * would take the focus from somebody who is already typing.
 */
export function useOnArrival(arrive: () => void): void {
  const hasArrived = useRef(false);
  const run = useEffectEvent(arrive);
  useLayoutEffect(() => {
    if (!hasArrived.current) {
      hasArrived.current = true;
      run();
    }
  }, []);
}
