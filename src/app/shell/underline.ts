/** The line under the active link of the navigation bar, which slides from one to the next. */
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Gives the ref of the line; it is moved by transform alone, so that sliding costs no layout. */
export function useUnderline(list: RefObject<HTMLElement | null>): RefObject<HTMLLIElement | null> {
  const line = useRef<HTMLLIElement>(null);
  const { pathname } = useLocation();

  useEffect(() => {
    const place = () => {
      const active = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
      const element = line.current;
      if (!element) {
        return;
      }
      element.style.opacity = active ? '1' : '0';
      if (active) {
        const left = active.offsetLeft + (active.parentElement?.offsetLeft ?? 0);
        element.style.transform = `translateX(${left}px) scaleX(${active.offsetWidth})`;
      }
    };
    place();
    const observer = new ResizeObserver(place);
    if (list.current) {
      observer.observe(list.current);
    }
    return () => observer.disconnect();
  }, [list, pathname]);

  return line;
}
