/** The one message of a form, with the way out that its reason has. */
import { Link, useLocation } from 'react-router-dom';

import { paths } from '#lib/paths';
import { Notice } from '#ui/notice';

import { type Problem } from './problem.ts';
import { texts } from './texts.ts';

import styles from './account.module.css';

/** Where a refusal leads on, by the server's code. */
const waysOut: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  not_verified: { to: paths.signup, label: texts.signUpAgain },
  account_exists: { to: paths.login, label: texts.logIn },
};

type ProblemNoticeProps = { readonly id: string; readonly problem: Problem | undefined };

export function ProblemNotice({ id, problem }: ProblemNoticeProps) {
  const { state } = useLocation();
  if (!problem) {
    return null;
  }
  const wayOut = problem.code === undefined ? undefined : waysOut[problem.code];
  return (
    <Notice tone="error">
      <span id={id}>{problem.message}</span>{' '}
      {wayOut && (
        <Link className={styles.link} to={wayOut.to} state={state}>
          {wayOut.label}
        </Link>
      )}
    </Notice>
  );
}
