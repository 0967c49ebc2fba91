/** The line under the active link of the navigation bar, which slides from one to the next. */
import { type RefObject, useEffect, useRef } from 'react';

/** Gives the ref of the line; it is moved by transform alone, so that sliding costs no layout. */
export function useUnderline(list: RefObject<HTMLElement | null>): RefObject<HTMLLIElement | null> {
  const line = useRef<HTMLLIElement>(null);

  useEffect(() => {
    const links = list.current;
    const element = line.current;
    if (!links || !element) {
      return undefined;
    }
    const place = () => {
      const active = links.querySelector<HTMLElement>('[aria-current="page"]');
      element.style.opacity = active ? '1' : '0';
      if (active) {
        element.style.transform = `translateX(${active.offsetLeft}px) scaleX(${active.offsetWidth})`;
      }
    };
    place();
    const resized = new ResizeObserver(place);
    resized.observe(links);
    const moved = new MutationObserver(place);
    moved.observe(links, { subtree: true, childList: true, attributeFilter: ['aria-current'] });
    return () => {
      resized.disconnect();
      moved.disconnect();
    };
  }, [list]);

  return line;
}
