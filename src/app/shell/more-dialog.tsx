/** The "More" dialog of the tab bar: the other screens, the theme, and logging in or out. */
import { ShieldCheck } from 'lucide-react';
import { type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';

import { askToLogout } from '#lib/logout';
import { paths } from '#lib/paths';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { laterTexts } from './later-texts.ts';
import { NavIcon } from './nav-icon.tsx';
import { type NavItem } from './navigation.ts';
import { texts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

import styles from './more-dialog.module.css';

type MoreDialogProps = {
  readonly isOpen: boolean;
  /** Whether the server offers the account page. */
  readonly hasAccount: boolean;
  /** The screens without a tab of their own. */
  readonly screens: readonly NavItem[];
  readonly onClose: () => void;
};

export function MoreDialog({ isOpen, hasAccount, screens, onClose }: MoreDialogProps) {
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
