/** The navigation inside a container with a header of its own: tabs at the bottom, the rest behind "More". */
import {
  BookOpen,
  Ellipsis,
  Heart,
  House,
  Image,
  LayoutDashboard,
  LogIn,
  type LucideIcon,
  SquareTerminal,
} from 'lucide-react';
import { createElement, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

import { useCapabilities } from '#lib/capabilities';
import { askToLogout } from '#lib/logout';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { type NavIcon } from '#lib/route';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { BottomTabs } from '#ui/tab-bar';

import { navItems } from './navigation.ts';
import { texts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

import styles from './tab-bar.module.css';

const icons = {
  house: House,
  dashboard: LayoutDashboard,
  book: BookOpen,
  image: Image,
  terminal: SquareTerminal,
  heart: Heart,
} as const satisfies Record<NavIcon, LucideIcon>;

export function TabBar() {
  const session = useSession();
  const platform = usePlatform();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { has } = useCapabilities({ isWanted: session.status === 'member' });
  const [more, setMore] = useState<{ readonly hasAccount: boolean }>();
  const closeMore = () => setMore(undefined);

  const go = (path: string) => {
    if (path !== pathname) {
      platform.haptic('selection');
    }
    void navigate(path);
  };

  const screens = navItems(session).map(({ path, nav: { label, icon } }) => ({
    id: path,
    label,
    icon: createElement(icons[icon], { 'aria-hidden': true }),
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
    label: texts.more,
    icon: <Ellipsis aria-hidden="true" />,
    isCurrent: false,
    // What the server says later must not move what is being pressed.
    select: () => setMore({ hasAccount: has('auth.sessions') === true }),
  };

  return (
    <>
      <BottomTabs
        label={texts.navigation}
        tabs={[...screens, ...(session.status === 'guest' ? [login] : []), moreTab]}
      />
      <Dialog title={texts.more} isOpen={more !== undefined} onClose={closeMore}>
        <div className={styles.row}>
          {texts.theme}
          <ThemeSwitch />
        </div>
        {session.status === 'member' ? (
          <>
            {more?.hasAccount === true && (
              <ButtonLink isWide kind="quiet" to={paths.account} onClick={closeMore}>
                {texts.account}
              </ButtonLink>
            )}
            <Button
              isWide
              onClick={() => {
                closeMore();
                askToLogout();
              }}
            >
              {texts.logout}
            </Button>
          </>
        ) : (
          <>
            <ButtonLink isWide to={paths.login} onClick={closeMore}>
              {texts.login}
            </ButtonLink>
            <ButtonLink isWide kind="primary" to={paths.signup} onClick={closeMore}>
              {texts.signup}
            </ButtonLink>
          </>
        )}
        <Button isWide kind="quiet" onClick={closeMore}>
          {texts.close}
        </Button>
      </Dialog>
    </>
  );
}
