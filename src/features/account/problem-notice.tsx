/** The message of a form, with a link to where the user can go on. */
import { Link, useLocation } from 'react-router-dom';

import { paths } from '#lib/paths';
import { Notice } from '#ui/notice';

import { type Problem } from './form.ts';
import { texts } from './texts.ts';

import styles from './account.module.css';

/** Links by the server's error code. */
const links: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  not_verified: { to: paths.signup, label: texts.signUpAgain },
  account_exists: { to: paths.login, label: texts.logIn },
};

type ProblemNoticeProps = { readonly id: string; readonly problem: Problem | undefined };

export function ProblemNotice({ id, problem }: ProblemNoticeProps) {
  const { state } = useLocation();
  if (!problem) {
    return null;
  }
  const link = problem.code === undefined ? undefined : links[problem.code];
  return (
    <Notice tone="error">
      <span id={id}>{problem.message}</span>{' '}
      {link && (
        <Link className={styles.link} to={link.to} state={state}>
          {link.label}
        </Link>
      )}
    </Notice>
  );
}
