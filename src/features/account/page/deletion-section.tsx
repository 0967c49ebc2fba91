/** Deletes the account, after a question and a proof. */
import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

import { deleteAccount } from '#contract/endpoints/account';
import { noticeMs, useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { signOut } from '#lib/telegram-sign-in';
import { Section } from '#ui/section';

import { useFormCall, useFormProblem } from '../form.ts';
import { ProofForm } from './proof-form.tsx';
import { useConfirmation } from './section.tsx';
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

  return (
    <Section heading={texts.title} remark={texts.whatGoes}>
      <ProofForm
        {...{ state, isRunning, confirm }}
        label={texts.title}
        submit={texts.submit}
        busy={texts.busy}
        isDanger
        failed={texts.failed}
        isBusy={isPending}
        onProof={(proof, _values, fail) =>
          mutate(proof, { onSuccess: () => platform.haptic('success'), onError: fail })
        }
      />
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
