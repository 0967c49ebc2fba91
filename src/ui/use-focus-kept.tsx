/** Finds a place for the focus that a change of the page has lost. */
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Each time something else is shown, a focus that was removed or disabled with what was there goes to
 * the place; one that is elsewhere stays there.
 */
export function useFocusKept(place: RefObject<HTMLElement | null>, shown: unknown): void {
  const before = useRef(shown);
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost =
      activeElement === null || activeElement === body || activeElement.matches(':disabled');
    if (before.current !== shown && isLost) {
      place.current?.focus({ preventScroll: true });
    }
    before.current = shown;
  }, [place, shown]);
}
