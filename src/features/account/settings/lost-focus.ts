/** Finds a place for the focus that a part has lost by being disabled. */
import { type RefObject, useEffect } from 'react';

/** Once the work is over, the heading takes a lost focus; one that is elsewhere stays there. */
export function useLostFocus(heading: RefObject<HTMLElement | null>, isOver: boolean): void {
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost =
      activeElement === null || activeElement === body || activeElement.matches(':disabled');
    if (isOver && isLost) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [heading, isOver]);
}
