/** The entries of the navigation that the current user may open, in the order of the routes. */
import { type Route } from '#lib/route';
import { type Session } from '#lib/session';

import { routes } from '../routes.ts';

export type NavItem = Route & { readonly nav: NonNullable<Route['nav']> };

export function navItems(session: Session): readonly NavItem[] {
  return routes.filter(
    (route): route is NavItem =>
      route.nav !== undefined && (route.access === 'public' || session.status === 'member'),
  );
}
