/** Tells the page how high a bar at the lower edge reaches, so that floating parts stay above it. */
import { type RefObject, useLayoutEffect } from 'react';

/**
 * Sets `data-floating-bar` on the root element, and `--floating-bar` to the bar's upper edge in px
 * from below. For one bar at a time, which is fixed or sticky with a `bottom` of its own.
 */
export function useFloatingBar(bar: RefObject<HTMLElement | null>, isShown = true): void {
  useLayoutEffect(() => {
    const element = bar.current;
    if (!isShown || !element) {
      return undefined;
    }
    const root = document.documentElement;
    const measure = () => {
      // `getBoundingClientRect` would be wrong while the bar slides in.
      const fromBelow = Number.parseFloat(getComputedStyle(element).bottom) || 0;
      root.style.setProperty('--floating-bar', `${fromBelow + element.offsetHeight}px`);
    };
    measure();
    root.dataset['floatingBar'] = '';
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      delete root.dataset['floatingBar'];
      root.style.removeProperty('--floating-bar');
    };
  }, [bar, isShown]);
}
