/** What a change of page means besides its content: title, focus on the heading, and the place scrolled to. */
import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

import { type Route } from '#lib/route';

import { pageTitle } from '../page-title.ts';

/** Waits for the heading of a screen that is still loading, then gives it the focus. */
function focusHeading(): () => void {
  const content = document.getElementById('content');
  const focus = () => {
    const heading = content?.querySelector('h1');
    if (!heading) {
      return false;
    }
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    return true;
  };
  if (!content || focus()) {
    return () => undefined;
  }
  const observer = new MutationObserver(() => {
    if (focus()) {
      observer.disconnect();
    }
  });
  observer.observe(content, { childList: true, subtree: true });
  return () => observer.disconnect();
}

export function usePageIdentity(route: Route): void {
  const { key, pathname } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const places = useRef(new Map<string, number>());
  const shownPath = useRef(pathname);

  useEffect(() => {
    document.title = pageTitle(route);
    const robots = document.querySelector('meta[name="robots"]');
    robots?.setAttribute('content', route.description === undefined ? 'noindex' : 'index,follow');
    // Browsers share this address in place of the one in their bar.
    const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    canonical?.setAttribute('href', new URL(pathname, canonical.href).href);
  }, [route, pathname]);

  useEffect(() => {
    const known = places.current;
    const remember = () => known.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useEffect(() => {
    if (shownPath.current === pathname) {
      return undefined;
    }
    shownPath.current = pathname;
    window.scrollTo(0, isBack ? (places.current.get(key) ?? 0) : 0);
    return focusHeading();
  }, [key, pathname, isBack]);
}
