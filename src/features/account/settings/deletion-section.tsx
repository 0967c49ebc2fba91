/** Deletes the account: said in plain words, confirmed by the password, and asked once more. */
import { type SubmitEvent } from 'react';

import { deleteAccount } from '#contract/endpoints/account';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { PasswordField } from '#ui/password-field';

import { ProblemNotice } from '../problem-notice.tsx';
import { findProblem, problemOf, readForm, useFormProblem } from '../problem.ts';
import { texts as sharedTexts } from '../texts.ts';
import { useConfirmation } from './confirmation.ts';
import { useFarewell } from './farewell.ts';
import { useDeleteAccount } from './queries.ts';
import { Section } from './section.tsx';
import { deletionTexts as texts } from './texts.ts';
import { UsernameForManagers } from './username-for-managers.tsx';

import sharedStyles from '../account.module.css';

export function DeletionSection() {
  const platform = usePlatform();
  const leave = useFarewell();
  const { mutate, isPending, isRunning } = useDeleteAccount(leave);
  const { form, problem, problemId, fail, clear, describe } = useFormProblem({ isBusy: isPending });
  const confirm = useConfirmation({
    title: texts.question,
    message: texts.questionText,
    confirm: texts.confirm,
  });

  async function remove(password: string): Promise<void> {
    if (!(await confirm())) {
      return;
    }
    mutate(
      { password },
      {
        onSuccess: () => platform.haptic('success'),
        onError: (error) =>
          fail(problemOf(error, { fallback: texts.failed, fields: ['password'] })),
      },
    );
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isRunning()) {
      return;
    }
    const { password = '' } = readForm(event.currentTarget);
    const found = findProblem(deleteAccount.input, { password });
    if (found) {
      fail(found);
      return;
    }
    clear();
    void remove(password);
  }

  return (
    <Section title={texts.title}>
      <p className={sharedStyles.lead}>{texts.text}</p>
      <form
        ref={form}
        className={sharedStyles.form}
        method="post"
        onSubmit={submit}
        noValidate
        aria-label={texts.title}
      >
        <ProblemNotice id={problemId} problem={problem} />
        <fieldset className={sharedStyles.fields} disabled={isPending}>
          <UsernameForManagers />
          <PasswordField
            id="password"
            name="password"
            label={sharedTexts.fields.password}
            toggleLabel={sharedTexts.fields.showPassword}
            autoComplete="current-password"
            required
            {...describe('password')}
          />
          <Button kind="danger" type="submit" isWide isBusy={isPending}>
            {isPending ? texts.busy : texts.submit}
          </Button>
        </fieldset>
      </form>
    </Section>
  );
}
