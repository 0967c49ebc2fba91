/** Logs the user in by a passkey of this device, without an ID being typed. It loads after the login screen. */
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';

import { startSession, useSession } from '#lib/session';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';

import { passkeyLoginTexts as texts } from './passkey-texts.ts';
import { logInByPasskey, toPasskeyProblem, usePasskeysHere } from './passkeys.ts';

export function PasskeyLogin() {
  const isPossible = usePasskeysHere();
  const isMember = useSession().status === 'member';
  const { mutate, isPending, error } = useMutation({
    mutationKey: ['passkey-login'],
    mutationFn: logInByPasskey,
    gcTime: 0,
    onSuccess: ({ access_token: token, telegram_id: telegramId, device }) =>
      startSession({ token, telegramId, device }),
  });
  const problem = error === null ? undefined : toPasskeyProblem(error, texts.failed);

  if (!isPossible) {
    return null;
  }
  return (
    <>
      <Button
        isWide
        icon={<KeyRound aria-hidden="true" size={20} />}
        isBusy={isPending || isMember}
        onClick={() => mutate()}
      >
        {isPending ? texts.busy : texts.submit}
      </Button>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
    </>
  );
}
