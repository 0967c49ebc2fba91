/**
 * The container's buttons. Back closes the topmost dialog first, then steps back, and never leaves
 * the app; the main button, which belongs to the page, is out of reach behind a dialog.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { dialogStack } from '#ui/dialog';

import { routeAt } from '../routes.ts';

/** The router numbers its entries; the first one of this visit is 0. */
const entry = v.object({ idx: v.pipe(v.number(), v.minValue(1)) });

/** One step up: an inner place of a screen to the screen, a screen to Home. */
function parentPath({ pathname, search }: { pathname: string; search: string }): string {
  return search === '' ? paths.home : pathname;
}

export function useNativeButtons(): void {
  const platform = usePlatform();
  const location = useLocation();
  const navigate = useNavigate();
  const dialogs = useSyncExternalStore(dialogStack.subscribe, dialogStack.count, () => 0);

  const { nav, inner = [] } = routeAt(location.pathname);
  const query = new URLSearchParams(location.search);
  const isTab = nav !== undefined && !inner.some((name) => query.has(name));
  const isCovered = dialogs > 0;
  const isNeeded = isCovered || !isTab;

  const press = useEffectEvent(() => {
    if (dialogStack.closeTop()) {
      return;
    }
    if (v.is(entry, window.history.state)) {
      void navigate(-1);
    } else {
      void navigate(parentPath(location), { replace: true });
    }
  });

  useEffect(() => platform.coverMainButton(isCovered), [platform, isCovered]);
  useEffect(() => (isNeeded ? platform.showBack(() => press()) : undefined), [platform, isNeeded]);
}
