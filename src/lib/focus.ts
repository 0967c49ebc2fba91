/** Puts the keyboard focus back when a change of the page has lost it. */
import { type RefObject, useEffect, useRef } from 'react';

/** True when no usable element has the focus: its element was removed or disabled. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.matches(':disabled');
}

/** Each time `shown` changes, a lost focus goes to `target`. A focus elsewhere stays where it is. */
export function useFocusKept(target: RefObject<HTMLElement | null>, shown: unknown): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown && isFocusLost()) {
      target.current?.focus({ preventScroll: true });
    }
    before.current = shown;
  }, [target, shown]);
}

/** When `isOver` becomes true, a focus that was lost during the work goes to `heading`. */
export function useLostFocus(heading: RefObject<HTMLElement | null>, isOver: boolean): void {
  useEffect(() => {
    if (isOver && isFocusLost()) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [heading, isOver]);
}
