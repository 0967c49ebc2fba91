/** The navigation inside a container with a header of its own: tabs at the bottom, the rest behind "More". */
import { Ellipsis, LogIn } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

import { useCapabilities } from '#lib/capabilities';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { useTheme } from '#lib/theme';
import { BottomTabs } from '#ui/tab-bar';

import { laterTexts } from './later-texts.ts';
import { MoreDialog } from './more-dialog.tsx';
import { useNativeButtons } from './native-buttons.ts';
import { NavIcon } from './nav-icon.tsx';
import { navItems } from './navigation.ts';
import { texts } from './texts.ts';

/** As many as a thumb can tell apart on the narrowest phone, "More" among them. */
const mostTabs = 5;

export function TabBar() {
  const session = useSession();
  const platform = usePlatform();
  const theme = useTheme();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { has } = useCapabilities({ isWanted: session.status === 'member' });
  const [more, setMore] = useState<{ readonly hasAccount: boolean }>();
  // What the server says later must not move what is being pressed.
  const openMore = () => setMore({ hasAccount: has('auth.sessions') === true });
  // Here, so that the website, which has none, does not load them.
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
  const room = mostTabs - (isGuest ? 2 : 1);
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

/** What the container calls settings is behind "More". */
function useSettingsButton(open: () => void): void {
  const platform = usePlatform();
  const press = useEffectEvent(open);
  useEffect(() => platform.showSettings?.(() => press()), [platform]);
}
