/** Deletes the account, after the password and a question. */
import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

import { deleteAccount } from '#contract/endpoints/account';
import { noticeMs, useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { signOut } from '#lib/telegram-sign-in';
import { Button } from '#ui/button';
import { PasswordField } from '#ui/password-field';
import { Section } from '#ui/section';

import { AccountForm } from '../account-form.tsx';
import { findProblem, toProblem, useFormCall, useFormProblem } from '../form.ts';
import { texts as sharedTexts } from '../texts.ts';
import { UsernameForManagers, useConfirmation } from './section.tsx';
import { deletionTexts as texts } from './texts.ts';

export function DeletionSection() {
  const platform = usePlatform();
  const afterAccountDeletion = useAfterAccountDeletion();
  const { mutate, isPending, isRunning } = useFormCall(deleteAccount, {
    onSuccess: afterAccountDeletion,
  });
  const state = useFormProblem({ isBusy: isPending });
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
          state.fail(toProblem(error, { fallback: texts.failed, fields: ['password'] })),
      },
    );
  }

  return (
    <Section heading={texts.title} remark={texts.text}>
      <AccountForm
        {...{ state, isRunning }}
        label={texts.title}
        isBusy={isPending}
        validate={(values) => findProblem(deleteAccount.input, values)}
        onValid={({ password = '' }) => void remove(password)}
      >
        <UsernameForManagers />
        <PasswordField
          id="password"
          name="password"
          label={sharedTexts.fields.password}
          toggleLabel={sharedTexts.fields.showPassword}
          autoComplete="current-password"
          required
          {...state.describe('password')}
        />
        <Button kind="danger" type="submit" isWide isBusy={isPending}>
          {isPending ? texts.busy : texts.submit}
        </Button>
      </AccountForm>
    </Section>
  );
}

/**
 * Returns what to do after the deletion: show a notice and go to Home. The session ends when this page
 * is unmounted; if it ended earlier, the page would redirect to the login.
 */
function useAfterAccountDeletion(): () => void {
  const navigate = useNavigate();
  const isMounted = useRef(false);
  const isLeaving = useRef(false);

  useLayoutEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      if (isLeaving.current) {
        signOut();
      }
    };
  }, []);

  return () => {
    useNotices.getState().show({
      id: 'account-deleted',
      tone: 'success',
      text: texts.deleted,
      durationMs: noticeMs.medium,
    });
    if (isMounted.current) {
      isLeaving.current = true;
      void navigate(paths.home, { replace: true });
    } else {
      signOut();
    }
  };
}
