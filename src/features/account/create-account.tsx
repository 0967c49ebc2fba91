/** The first step of signing up: who the person is, and the password they choose. */
import { type FormEvent } from 'react';

import { passwordLength, register } from '#contract/endpoints/account';
import { useMainButton } from '#lib/main-button';
import { SubmitButton } from '#ui/button';
import { Field } from '#ui/field';
import { PasswordField } from '#ui/password-field';

import { ProblemNotice } from './problem-notice.tsx';
import { findProblem, type Problem, problemOf, readForm, useFormProblem } from './problem.ts';
import { useRegister } from './signup-queries.ts';
import { signupTexts } from './signup-texts.ts';
import { TelegramIdField } from './telegram-id-field.tsx';
import { texts } from './texts.ts';

import styles from './account.module.css';

/** What is typed again when the person comes back to this step; passwords are not kept. */
export type Details = { readonly telegramId: string; readonly email: string };

type CreateAccountProps = {
  readonly initial: Details | undefined;
  readonly onRegistered: (typed: Details) => void;
};

export function CreateAccount({ initial, onRegistered }: CreateAccountProps) {
  const { mutate, isPending, isRunning } = useRegister();
  const { form, problem, problemId, fail, clear, describe } = useFormProblem({ isBusy: isPending });
  const hasMainButton = useMainButton({
    text: isPending ? signupTexts.busy : signupTexts.submit,
    isEnabled: !isPending,
    isBusy: isPending,
    press: () => form.current?.requestSubmit(),
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isRunning()) {
      return;
    }
    const values = readForm(event.currentTarget);
    const found = findSignupProblem(values);
    if (found) {
      fail(found);
      return;
    }
    clear();
    const { telegram_id = '', email = '', password = '' } = values;
    mutate(
      { telegram_id, email, password },
      {
        onSuccess: () => onRegistered({ telegramId: telegram_id.trim(), email }),
        onError: (error) => {
          const refused = problemOf(error, { fallback: signupTexts.failed });
          fail({ ...refused, fields: [fieldByCode[refused.code ?? ''] ?? 'telegram_id'] });
        },
      },
    );
  }

  return (
    <form ref={form} className={styles.form} method="post" onSubmit={submit} noValidate>
      <ProblemNotice id={problemId} problem={problem} />
      <fieldset className={styles.fields} disabled={isPending}>
        <TelegramIdField initial={initial?.telegramId} {...describe('telegram_id')} />
        <Field
          id="email"
          name="email"
          type="email"
          label={signupTexts.email}
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          defaultValue={initial?.email}
          required
          {...describe('email')}
        />
        <PasswordField
          id="new-password"
          name="password"
          label={texts.fields.password}
          hint={texts.fields.newPasswordHint(passwordLength.min)}
          toggleLabel={texts.fields.showPassword}
          autoComplete="new-password"
          required
          {...describe('password')}
        />
        <PasswordField
          id="confirm-password"
          name="confirm_password"
          label={signupTexts.confirmPassword}
          toggleLabel={signupTexts.showConfirmPassword}
          autoComplete="new-password"
          required
          {...describe('confirm_password')}
        />
        <SubmitButton
          text={signupTexts.submit}
          busyText={signupTexts.busy}
          isBusy={isPending}
          isElsewhere={hasMainButton}
        />
      </fieldset>
    </form>
  );
}

/** The field a refusal is about; anything else starts over at the top. */
const fieldByCode: Readonly<Record<string, string>> = { weak_password: 'password' };

/** All fields, then equal passwords, then what the contract asks of each field. */
function findSignupProblem(values: Readonly<Record<string, string>>): Problem | undefined {
  const { password = '', confirm_password: confirmed = '' } = values;
  const found = findProblem(register.input, values);
  const missing = found?.message === texts.allFieldsRequired ? found.fields : [];
  const allMissing = confirmed === '' ? [...missing, 'confirm_password'] : missing;
  if (allMissing.length > 0) {
    return { message: texts.allFieldsRequired, fields: allMissing };
  }
  if (password !== confirmed) {
    return { message: signupTexts.passwordsDiffer, fields: ['confirm_password'] };
  }
  return found;
}
