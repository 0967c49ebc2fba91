/** The title of a page in the browser's tab. */
import { brand } from '#lib/brand';
import { type Route } from '#lib/route';

/** `Log in · Nori`; Home is the product's name alone, and an unknown address says so. */
export function titleOf(route: Route | undefined): string {
  if (route?.path === '/') {
    return `${brand.name} · ${route.title}`;
  }
  return `${route?.title ?? 'Page not found'} · ${brand.name}`;
}
