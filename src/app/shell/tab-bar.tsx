/** The navigation inside Telegram: tabs at the bottom, the rest in the "More" dialog; and Telegram's buttons. */
import {
  BookOpen,
  Ellipsis,
  Heart,
  House,
  Image,
  Languages,
  LayoutDashboard,
  LogIn,
  LogOut,
  type LucideIcon,
  Palette,
  ShieldCheck,
  SquareTerminal,
  UserRound,
  UserRoundPlus,
} from 'lucide-react';
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import * as v from 'valibot';

import { useCapabilities } from '#lib/capabilities';
import { languageMenu, useContinuedPlace } from '#lib/language-menu';
import { askToLogout } from '#lib/logout';
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { type NavIcon as IconName } from '#lib/route';
import { useSession } from '#lib/session';
import { useTheme } from '#lib/theme';
import { Button } from '#ui/button';
import { Dialog, dialogStack } from '#ui/dialog';
import { LanguageSelect } from '#ui/language-select';
import { Cell, Section } from '#ui/section';
import { BottomTabs } from '#ui/tab-bar';

import { routeAt } from '../routes.ts';
import { laterTexts } from './later-texts.ts';
import { type NavItem, navItems } from './navigation.ts';
import { texts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

import './selection.css';

const icons = {
  house: House,
  dashboard: LayoutDashboard,
  book: BookOpen,
  image: Image,
  terminal: SquareTerminal,
  heart: Heart,
} as const satisfies Record<IconName, LucideIcon>;

function NavIcon({ name }: { readonly name: IconName }) {
  const Icon = icons[name];
  return <Icon aria-hidden size={24} />;
}

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
  useContinuedPlace();
  useArrival();
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

function historyIndex(): number {
  const { state } = window.history;
  return v.is(laterEntry, state) ? state.idx : 0;
}

/** Whether a tab leads to this place, and not to a deeper one of its screen. */
function isTabRoot({ pathname, search }: { pathname: string; search: string }): boolean {
  const { nav, inner = [] } = routeAt(pathname);
  const query = new URLSearchParams(search);
  return nav !== undefined && !inner.some((name) => query.has(name));
}

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

  const isTab = isTabRoot(location);
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
  // A finger that drags a sheet down closes the sheet, not the app.
  useEffect(() => (isCovered ? platform.holdVerticalSwipes() : undefined), [platform, isCovered]);
  useEffect(() => (isNeeded ? platform.showBack(() => press()) : undefined), [platform, isNeeded]);
}

/** How a screen arrives when the user goes deeper or back, by client. Desktops show it at once, as the website does. */
const arrivals: Readonly<Record<string, Readonly<Record<'deeper' | 'back', Keyframe>>>> = {
  ios: {
    deeper: { transform: 'translateX(calc(40% * var(--direction)))' },
    back: { transform: 'translateX(calc(-25% * var(--direction)))' },
  },
  android: { deeper: { transform: 'translateY(3rem)', opacity: 0 }, back: { opacity: 0.3 } },
};
const arrivalMs = 320;

type Place = {
  readonly key: string;
  readonly pathname: string;
  readonly isTab: boolean;
  /** Its number in the history. */
  readonly index: number;
};

/** Undefined between tabs, between the states of one place, and for the tabs in the image hub. */
function findDirection(from: Place, to: Place, isReplaced: boolean): 'deeper' | 'back' | undefined {
  const isSamePath = from.pathname === to.pathname;
  if (
    from.key === to.key ||
    (from.isTab && to.isTab) ||
    (isSamePath && to.pathname === paths.models)
  ) {
    return undefined;
  }
  if (isReplaced) {
    // The way up from a link that was opened from outside.
    return isSamePath && to.isTab ? 'back' : undefined;
  }
  return to.index < from.index ? 'back' : 'deeper';
}

/**
 * Moves the new screen in. The page below is complete at once: it can be pressed, and keeps its scroll
 * position.
 */
function useArrival(): void {
  const { key, pathname, search } = useLocation();
  const isReplaced = useNavigationType() === NavigationType.Replace;
  const before = useRef<Place>(undefined);

  useLayoutEffect(() => {
    const place = { key, pathname, isTab: isTabRoot({ pathname, search }), index: historyIndex() };
    const direction = before.current && findDirection(before.current, place, isReplaced);
    before.current = place;
    const { platform = '', power } = document.documentElement.dataset;
    const from = direction && arrivals[platform]?.[direction];
    if (from && power !== 'low' && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      document
        .getElementById('content')
        ?.animate([from, {}], { duration: arrivalMs, easing: 'cubic-bezier(0.3, 0.7, 0.1, 1)' });
    }
  }, [key, pathname, search, isReplaced]);
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
  const { pathname } = useLocation();
  const link = (path: string, title: string, icon: ReactNode) => (
    <li key={path}>
      <Cell to={path} title={title} before={icon} isCurrent={path === pathname} onClick={onClose} />
    </li>
  );
  return (
    <Dialog
      title={laterTexts.more}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button isWide onClick={onClose}>
          {laterTexts.close}
        </Button>
      }
    >
      <Section>
        <ul>
          {screens.map(({ path, nav }) => link(path, nav.label, <NavIcon name={nav.icon} />))}
          {link(paths.privacyPolicy, titles.privacyPolicy, <ShieldCheck />)}
        </ul>
        <Cell before={<Palette />} title={laterTexts.theme} after={<ThemeSwitch />} />
        {languageMenu.offered.length > 1 && (
          <Cell
            before={<Languages />}
            title={laterTexts.language}
            after={<LanguageSelect label={laterTexts.language} {...languageMenu} />}
          />
        )}
      </Section>
      <AccountActions hasAccount={hasAccount} onClose={onClose} />
    </Dialog>
  );
}

function AccountActions({ hasAccount, onClose }: Pick<MoreDialogProps, 'hasAccount' | 'onClose'>) {
  const session = useSession();
  if (session.status !== 'member') {
    return (
      <Section>
        <Cell
          tone="accent"
          before={<LogIn />}
          to={paths.login}
          title={texts.login}
          onClick={onClose}
        />
        <Cell
          tone="accent"
          before={<UserRoundPlus />}
          to={paths.signup}
          title={texts.signup}
          onClick={onClose}
        />
      </Section>
    );
  }
  return (
    <Section>
      {hasAccount && (
        <Cell
          before={<UserRound />}
          to={paths.account}
          title={laterTexts.account}
          onClick={onClose}
        />
      )}
      <Cell
        tone="danger"
        before={<LogOut />}
        title={texts.logout}
        onClick={() => {
          onClose();
          askToLogout();
        }}
      />
    </Section>
  );
}
