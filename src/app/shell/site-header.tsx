/** The website's navigation bar, with a menu behind a button on narrow screens. */
import { Menu as MenuIcon, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link, NavLink } from 'react-router-dom';

import { brand } from '#lib/brand';
import { askToLogout } from '#lib/logout';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button, ButtonLink, IconButton } from '#ui/button';
import { Logo } from '#ui/logo';

import { loadScreen } from '../screens.ts';
import { navItems } from './navigation.ts';
import { texts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

import styles from './site-header.module.css';

export function SiteHeader() {
  const session = useSession();
  const menu = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const underline = useUnderline(list);
  const { isOpen, toggle, close } = useMenu(menu, menuButton);

  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link to={paths.home} className={styles.brand} onClick={close}>
          <Logo className={styles.logo} />
          {brand.name}
        </Link>

        <nav
          ref={menu}
          id="menu"
          aria-label={texts.navigation}
          className={styles.menu}
          data-open={isOpen}
        >
          <ul ref={list} className={styles.links}>
            {navItems(session).map((route) => (
              <li key={route.path}>
                <NavLink
                  to={route.path}
                  end
                  className={styles.navLink ?? ''}
                  onClick={close}
                  onPointerEnter={() => void loadScreen(route)}
                  onFocus={() => void loadScreen(route)}
                >
                  {route.nav.label}
                </NavLink>
              </li>
            ))}
            <li aria-hidden="true" ref={underline} className={styles.underline} />
          </ul>
          <div className={styles.account} data-pending={session.status === 'unknown'}>
            {session.status === 'member' ? (
              <Button
                kind="plain"
                onClick={() => {
                  if (isOpen) {
                    // The dialog returns the focus to the opener, and a closed menu cannot hold it.
                    menuButton.current?.querySelector('button')?.focus();
                  }
                  close();
                  askToLogout();
                }}
              >
                {texts.logout}
              </Button>
            ) : (
              <>
                <ButtonLink kind="quiet" to={paths.login} onClick={close}>
                  {texts.login}
                </ButtonLink>
                <ButtonLink kind="primary" to={paths.signup} onClick={close}>
                  {texts.signup}
                </ButtonLink>
              </>
            )}
          </div>
        </nav>

        <ThemeSwitch />
        <div ref={menuButton} className={styles.toggle}>
          <IconButton
            label={isOpen ? texts.closeMenu : texts.openMenu}
            icon={isOpen ? <X aria-hidden="true" /> : <MenuIcon aria-hidden="true" />}
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={toggle}
          />
        </div>
      </div>
    </header>
  );
}

type Menu = {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
};

/**
 * A menu behind a button. Escape closes it and returns the focus to the button; a press outside of
 * it closes it. `opener` contains the button, whose own press toggles the menu.
 */
function useMenu(menu: RefObject<HTMLElement | null>, opener: RefObject<HTMLElement | null>): Menu {
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const closeOutside = ({ target }: PointerEvent) => {
      if (
        target instanceof Node &&
        !menu.current?.contains(target) &&
        !opener.current?.contains(target)
      ) {
        setIsOpen(false);
      }
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') {
        setIsOpen(false);
        opener.current?.querySelector('button')?.focus();
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [isOpen, menu, opener]);

  return { isOpen, toggle: () => setIsOpen(!isOpen), close: () => setIsOpen(false) };
}

/** Slides a line under the active link, by transform, which costs no layout. Returns the ref of the line. */
function useUnderline(list: RefObject<HTMLElement | null>): RefObject<HTMLLIElement | null> {
  const line = useRef<HTMLLIElement>(null);

  useEffect(() => {
    const links = list.current;
    const element = line.current;
    if (!links || !element) {
      return undefined;
    }
    const place = () => {
      const active = links.querySelector<HTMLElement>('[aria-current="page"]');
      element.style.opacity = active ? '1' : '0';
      if (active) {
        // physical: measured from the left.
        element.style.transform = `translateX(${active.offsetLeft}px) scaleX(${active.offsetWidth})`;
      }
    };
    place();
    const resized = new ResizeObserver(place);
    resized.observe(links);
    const moved = new MutationObserver(place);
    moved.observe(links, { subtree: true, childList: true, attributeFilter: ['aria-current'] });
    return () => {
      resized.disconnect();
      moved.disconnect();
    };
  }, [list]);

  return line;
}
