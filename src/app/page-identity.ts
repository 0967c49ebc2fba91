/** What changes with the page besides its content: the title, the focus, and the scroll position. */
import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

import { brand } from '#lib/brand';
import { paths, prefix } from '#lib/paths';
import { type Route } from '#lib/route';

/** The title in the browser's tab: `Log in · Nori`, and for Home the name first. */
export function pageTitle(route: Route): string {
  return route.path === paths.home
    ? `${brand.name} · ${route.title}`
    : `${route.title} · ${brand.name}`;
}

function toAddress(pathname: string): string {
  return prefix === '' ? pathname : prefix + pathname.replace(/^\/$/, '');
}

/** Focuses the heading, at once or when the screen is loaded. Returns the function that stops waiting. */
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
  const scrollPositions = useRef(new Map<string, number>());
  const shownPath = useRef(pathname);

  useEffect(() => {
    document.title = pageTitle(route);
    const robots = document.querySelector('meta[name="robots"]');
    robots?.setAttribute('content', route.description === undefined ? 'noindex' : 'index,follow');
    // Browsers share this address instead of the one in the address bar.
    const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    canonical?.setAttribute('href', new URL(toAddress(pathname), canonical.href).href);
  }, [route, pathname]);

  useEffect(() => {
    const positions = scrollPositions.current;
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useEffect(() => {
    if (shownPath.current === pathname) {
      return undefined;
    }
    shownPath.current = pathname;
    window.scrollTo(0, isBack ? (scrollPositions.current.get(key) ?? 0) : 0);
    return focusHeading();
  }, [key, pathname, isBack]);
}
