/** On a phone each view is like a page: begun at its top, heard by its heading, and found again where one left it. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** From here on the three views stand beside each other; see the style sheet. */
export const wide = '(width >= 900px)';

export type View = 'list' | 'form' | 'response';

/** What names each view. Those of the other views are on the page, too, where nobody sees them. */
const headings = { list: 'h1', form: '#endpoint', response: '#results' } as const;

/** `place` is the view and the endpoint that it is of. The address is that of one page for all of them. */
export function useViewOnScreen(view: View, place: string): void {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const shown = useRef({ place, key, top: 0 });
  const left = useRef(new Map<string, number>());

  useEffect(() => {
    const remember = () => {
      shown.current.top = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, []);

  // Before the browser cuts the scroll place down to what a shorter view has.
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { ...before, place, key };
    if (before.place === place) {
      return;
    }
    left.current.set(before.key, before.top);
    if (window.matchMedia(wide).matches) {
      return;
    }
    window.scrollTo(0, isBack ? (left.current.get(key) ?? 0) : 0);
    document
      .getElementById('content')
      ?.querySelector<HTMLElement>(headings[view])
      ?.focus({ preventScroll: true });
  }, [view, place, key, isBack]);
}
