/** Logs a person in by Telegram user id and password, and shows what happens on the way. */
import { type FormEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';

import { login } from '#contract/endpoints/session';
import { useMainButton } from '#lib/main-button';
import { paths } from '#lib/paths';
import { SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { PasswordField } from '#ui/password-field';
import { Terminal } from '#ui/terminal';

import { failureEntries, successEntries, useAuthLog } from './auth-log.ts';
import { useLogin } from './login-query.ts';
import { logTexts, loginTexts } from './login-texts.ts';
import { ProblemNotice } from './problem-notice.tsx';
import { findProblem, problemOf, readForm, useFormProblem } from './problem.ts';
import { TelegramIdField } from './telegram-id-field.tsx';
import { texts } from './texts.ts';

import styles from './account.module.css';

export function LoginScreen() {
  const location = useLocation();
  const log = useAuthLog();
  const { mutate, isPending, isRunning } = useLogin();
  const { form, problem, problemId, fail, clear, describe } = useFormProblem({ isBusy: isPending });
  const hasMainButton = useMainButton({
    text: loginTexts.submit,
    isEnabled: !isPending,
    isBusy: isPending,
    press: () => form.current?.requestSubmit(),
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isRunning()) {
      return;
    }
    const { telegram_id = '', password = '' } = readForm(event.currentTarget);
    const found = findProblem(login.input, { telegram_id, password });
    if (found) {
      fail(found);
      return;
    }
    clear();
    log.start(telegram_id.trim());
    mutate(
      { telegram_id, password },
      {
        onSuccess: (answer) => log.finish(successEntries(answer)),
        onError: (error) => {
          log.finish(failureEntries(error, [password]));
          fail(problemOf(error, { fallback: loginTexts.failed, fields: ['password'] }));
        },
      },
    );
  }

  return (
    <div className={styles.screen}>
      <Card>
        <h1>{loginTexts.title}</h1>
        <form
          ref={form}
          className={styles.form}
          // Before the page is alive the browser itself would send it: then never in the address.
          method="post"
          onSubmit={submit}
          noValidate
        >
          <ProblemNotice id={problemId} problem={problem} />
          <fieldset className={styles.fields} disabled={isPending}>
            <TelegramIdField {...describe('telegram_id')} />
            <PasswordField
              id="password"
              name="password"
              label={texts.fields.password}
              toggleLabel={texts.fields.showPassword}
              autoComplete="current-password"
              required
              {...describe('password')}
            />
            <SubmitButton
              text={loginTexts.submit}
              busyText={loginTexts.busy}
              isBusy={isPending}
              isElsewhere={hasMainButton}
            />
          </fieldset>
        </form>
        <p className={styles.elsewhere}>
          {loginTexts.noAccount}{' '}
          <Link className={styles.link} to={paths.signup} state={location.state}>
            {loginTexts.signUp}
          </Link>
        </p>
      </Card>
      <Terminal title={logTexts.title} lines={log.lines} placeholder={logTexts.placeholder} />
    </div>
  );
}
