/** The website's navigation bar: sliding underline on wide screens, a menu behind a button on narrow ones. */
import { Menu, X } from 'lucide-react';
import { useRef } from 'react';
import { Link, NavLink } from 'react-router-dom';

import { brand } from '#lib/brand';
import { askToLogout } from '#lib/logout';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button, ButtonLink, IconButton } from '#ui/button';
import { Logo } from '#ui/logo';

import { loadScreen } from '../screens.ts';
import { useMenu } from './menu.ts';
import { navItems } from './navigation.ts';
import { texts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { useUnderline } from './underline.ts';

import styles from './site-header.module.css';

export function SiteHeader() {
  const session = useSession();
  const header = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const underline = useUnderline(list);
  const { isOpen, toggle, close } = useMenu(header, menuButton);

  return (
    <header ref={header} className={styles.header}>
      <div className={styles.bar}>
        <Link to={paths.home} className={styles.brand} onClick={close}>
          <Logo className={styles.logo} />
          {brand.name}
        </Link>

        <nav id="menu" aria-label={texts.navigation} className={styles.menu} data-open={isOpen}>
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
                    // What is in a closed menu could not have the focus back.
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
            icon={isOpen ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={toggle}
          />
        </div>
      </div>
    </header>
  );
}
