/** The title of a page in the browser's tab. */
import { brand } from '#lib/brand';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

/** `Log in · Nori`, and for Home the product's name first. */
export function pageTitle(route: Route): string {
  return route.path === paths.home
    ? `${brand.name} · ${route.title}`
    : `${route.title} · ${brand.name}`;
}
