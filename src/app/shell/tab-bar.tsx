/** The navigation inside Telegram: tabs at the bottom, the rest in the "More" dialog; and Telegram's buttons. */
import { Ellipsis, LogIn, ShieldCheck } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { useCapabilities } from '#lib/capabilities';
import { askToLogout } from '#lib/logout';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { useTheme } from '#lib/theme';
import { Button, ButtonLink } from '#ui/button';
import { Dialog, dialogStack } from '#ui/dialog';
import { BottomTabs } from '#ui/tab-bar';

import { routeAt } from '../routes.ts';
import { laterTexts } from './later-texts.ts';
import { NavIcon } from './nav-icon.tsx';
import { type NavItem, navItems } from './navigation.ts';
import { texts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

import styles from './more-dialog.module.css';
import './selection.css';

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

type MoreDialogProps = {
  readonly isOpen: boolean;
  /** Whether the server offers the account page. */
  readonly hasAccount: boolean;
  /** The screens without a tab of their own. */
  readonly screens: readonly NavItem[];
  readonly onClose: () => void;
};

/** The "More" dialog: the other screens, the theme, and logging in or out. */
function MoreDialog({ isOpen, hasAccount, screens, onClose }: MoreDialogProps) {
  return (
    <Dialog title={laterTexts.more} isOpen={isOpen} onClose={onClose}>
      <ul className={styles.screens}>
        {screens.map(({ path, nav: { label, icon } }) => (
          <Entry key={path} path={path} icon={<NavIcon name={icon} size={20} />} onClick={onClose}>
            {label}
          </Entry>
        ))}
        <Entry
          path={paths.privacyPolicy}
          icon={<ShieldCheck aria-hidden size={20} />}
          onClick={onClose}
        >
          {texts.privacyPolicy}
        </Entry>
      </ul>
      <div className={styles.row}>
        {laterTexts.theme}
        <ThemeSwitch />
      </div>
      <AccountActions hasAccount={hasAccount} onClose={onClose} />
      <Button isWide kind="quiet" onClick={onClose}>
        {laterTexts.close}
      </Button>
    </Dialog>
  );
}

type EntryProps = {
  readonly path: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: string;
};

function Entry({ path, icon, onClick, children }: EntryProps) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link
        to={path}
        className={styles.entry}
        aria-current={path === pathname ? 'page' : undefined}
        onClick={onClick}
      >
        {icon}
        {children}
      </Link>
    </li>
  );
}

function AccountActions({ hasAccount, onClose }: Pick<MoreDialogProps, 'hasAccount' | 'onClose'>) {
  const session = useSession();
  if (session.status !== 'member') {
    return (
      <>
        <ButtonLink isWide to={paths.login} onClick={onClose}>
          {texts.login}
        </ButtonLink>
        <ButtonLink isWide kind="primary" to={paths.signup} onClick={onClose}>
          {texts.signup}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      {hasAccount && (
        <ButtonLink isWide kind="quiet" to={paths.account} onClick={onClose}>
          {laterTexts.account}
        </ButtonLink>
      )}
      <Button
        isWide
        onClick={() => {
          onClose();
          askToLogout();
        }}
      >
        {texts.logout}
      </Button>
    </>
  );
}
