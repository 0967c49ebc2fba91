/** The navigation inside Telegram: tabs at the bottom, the rest in the "More" dialog; and Telegram's buttons. */
import { Ellipsis, LogIn } from 'lucide-react';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { useCapabilities } from '#lib/capabilities';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { useTheme } from '#lib/theme';
import { dialogStack } from '#ui/dialog';
import { BottomTabs } from '#ui/tab-bar';

import { routeAt } from '../routes.ts';
import { laterTexts } from './later-texts.ts';
import { MoreDialog } from './more-dialog.tsx';
import { NavIcon } from './nav-icon.tsx';
import { navItems } from './navigation.ts';
import { texts } from './texts.ts';

/** What fits on the narrowest phone, "More" included. */
const maxTabs = 5;

export function TabBar() {
  const session = useSession();
  const platform = usePlatform();
  const theme = useTheme();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { has } = useCapabilities({ isWanted: session.status === 'member' });
  const [more, setMore] = useState<{ readonly hasAccount: boolean }>();
  // Fixed when the dialog opens: a late answer must not move its buttons.
  const openMore = () => setMore({ hasAccount: has('auth.sessions') === true });
  useNativeButtons();
  useSettingsButton(openMore);

  const go = (path: string) => {
    if (path !== pathname) {
      platform.haptic('selection');
    }
    void navigate(path);
  };

  const isGuest = session.status === 'guest';
  const items = navItems(session);
  const room = maxTabs - (isGuest ? 2 : 1);
  const hidden = items.slice(room);
  const screens = items.slice(0, room).map(({ path, nav: { label, icon } }) => ({
    id: path,
    label,
    icon: <NavIcon name={icon} />,
    isCurrent: path === pathname,
    select: () => go(path),
  }));
  const login = {
    id: paths.login,
    label: texts.login,
    icon: <LogIn aria-hidden="true" />,
    isCurrent: pathname === paths.login || pathname === paths.signup,
    select: () => go(session.status === 'guest' && session.isNewcomer ? paths.signup : paths.login),
  };
  const moreTab = {
    id: 'more',
    label: laterTexts.more,
    icon: <Ellipsis aria-hidden="true" />,
    isCurrent: [paths.privacyPolicy, ...hidden.map(({ path }) => path)].includes(pathname),
    select: openMore,
  };

  return (
    <>
      <BottomTabs
        label={texts.navigation}
        appearance={theme}
        tabs={[...screens, ...(isGuest ? [login] : []), moreTab]}
      />
      <MoreDialog
        isOpen={more !== undefined}
        hasAccount={more?.hasAccount === true}
        screens={hidden}
        onClose={() => setMore(undefined)}
      />
    </>
  );
}

/** The settings entry of Telegram's menu opens "More". */
function useSettingsButton(open: () => void): void {
  const platform = usePlatform();
  const press = useEffectEvent(open);
  useEffect(() => platform.showSettings?.(() => press()), [platform]);
}

/** The router numbers its history entries; the first one of this visit is 0. */
const laterEntry = v.object({ idx: v.pipe(v.number(), v.minValue(1)) });

/** The address one level up: from an inner place to its screen, from a screen to Home. */
function parentPath({ pathname, search }: { pathname: string; search: string }): string {
  return search === '' ? paths.home : pathname;
}

/**
 * Telegram's back and main buttons. Back closes the topmost dialog first, then steps back, and never
 * leaves the app. A dialog covers the main button, which belongs to the page.
 */
function useNativeButtons(): void {
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
    if (v.is(laterEntry, window.history.state)) {
      void navigate(-1);
    } else {
      void navigate(parentPath(location), { replace: true });
    }
  });

  useEffect(() => platform.coverMainButton(isCovered), [platform, isCovered]);
  useEffect(() => (isNeeded ? platform.showBack(() => press()) : undefined), [platform, isNeeded]);
}
