/** Changes the password. The current one is required, because an open session alone proves too little. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { changePassword, passwordLength } from '#contract/endpoints/account';
import { fieldTexts } from '#contract/endpoints/field-texts';
import { passwordReset } from '#contract/endpoints/password-reset';
import { useCapabilities } from '#lib/capabilities';
import { useLostFocus } from '#lib/focus';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';
import { PasswordField } from '#ui/password-field';
import { Cell, Section } from '#ui/section';

import { AccountForm } from '../account-form.tsx';
import { findProblem, type Problem, toProblem, useFormProblem } from '../form.ts';
import { texts as sharedTexts } from '../texts.ts';
import { accountQueries, useChangePassword } from './queries.ts';
import { UsernameForManagers } from './section.tsx';
import { passwordTexts as texts, resetTexts } from './texts.ts';

import styles from './page.module.css';

export function PasswordSection() {
  const platform = usePlatform();
  const heading = useRef<HTMLHeadingElement>(null);
  const [done, setDone] = useState<string>();
  const { mutate, isPending, isRunning } = useChangePassword();
  const state = useFormProblem({ isBusy: isPending });

  const { data: hasPassword } = useQuery(accountQueries.hasPassword());

  useLostFocus(heading, done !== undefined && !isPending);

  function send(values: Readonly<Record<string, string>>, form: HTMLFormElement): void {
    const { current_password = '', new_password = '' } = values;
    const isEndingOthers = 'end_other_sessions' in values;
    setDone(undefined);
    mutate(
      { current_password, new_password, end_other_sessions: isEndingOthers },
      {
        onSuccess: () => {
          form.reset();
          setDone(isEndingOthers ? texts.changedEverywhere : texts.changed);
          platform.haptic('success');
        },
        onError: (error) => {
          const refused = toProblem(error, { fallback: texts.failed });
          const field = fieldByCode[refused.code ?? ''] ?? 'current_password';
          state.fail({ ...refused, fields: [field] });
        },
      },
    );
  }

  if (hasPassword === false) {
    return (
      <Section heading={resetTexts.set} headingRef={heading} foot={resetTexts.none}>
        <Cell tone="accent" to={paths.reset} title={resetTexts.set} />
      </Section>
    );
  }
  return (
    <Section heading={texts.title} headingRef={heading}>
      <AccountForm
        {...{ state, isRunning }}
        label={texts.title}
        isBusy={isPending}
        validate={findPasswordProblem}
        onValid={send}
      >
        {done !== undefined && !state.problem && <Notice tone="success">{done}</Notice>}
        <Fields describe={state.describe} />
        <label className={styles.check}>
          <input type="checkbox" name="end_other_sessions" defaultChecked />
          {texts.endOthers}
        </label>
        <Button kind="primary" type="submit" isWide isBusy={isPending}>
          {isPending ? texts.busy : texts.submit}
        </Button>
      </AccountForm>
      <ResetLink />
    </Section>
  );
}

/** Absent on a server that cannot set a password without the old one. */
function ResetLink() {
  const { launch } = usePlatform();
  const isOffered = useCapabilities().has(passwordReset) === true;
  return (
    isOffered && (
      <Cell
        tone="accent"
        to={paths.reset}
        title={launch.initData === undefined ? resetTexts.forgot : resetTexts.set}
      />
    )
  );
}

type FieldsProps = { readonly describe: ReturnType<typeof useFormProblem>['describe'] };

function Fields({ describe }: FieldsProps) {
  return (
    <>
      <UsernameForManagers />
      <PasswordField
        id="current-password"
        name="current_password"
        label={texts.current}
        toggleLabel={texts.showCurrent}
        autoComplete="current-password"
        required
        {...describe('current_password')}
      />
      <PasswordField
        id="new-password"
        name="new_password"
        label={texts.next}
        hint={sharedTexts.fields.newPasswordHint(passwordLength.min)}
        toggleLabel={texts.showNext}
        autoComplete="new-password"
        required
        {...describe('new_password')}
      />
      <PasswordField
        id="confirm-password"
        name="confirm_password"
        label={texts.confirmed}
        toggleLabel={texts.showConfirmed}
        autoComplete="new-password"
        required
        {...describe('confirm_password')}
      />
    </>
  );
}

/** The field with the problem by error code; all other refusals focus the first field. */
const fieldByCode: Readonly<Record<string, string>> = {
  weak_password: 'new_password',
  invalid_input: 'new_password',
};

/** Checks that no field is empty, that the passwords are equal, then the schema. */
function findPasswordProblem(values: Readonly<Record<string, string>>): Problem | undefined {
  const { current_password = '', new_password = '', confirm_password = '' } = values;
  const missing = Object.entries({ current_password, new_password, confirm_password })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0) {
    return { message: fieldTexts.allFieldsRequired, fields: missing };
  }
  if (new_password !== confirm_password) {
    return { message: texts.differ, fields: ['confirm_password'] };
  }
  return findProblem(changePassword.input, { current_password, new_password });
}
