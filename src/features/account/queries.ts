/** The account's calls. What was typed (passwords, codes) leaves the cache as soon as the call is over. */
import { useMutation, type UseMutationOptions, useQueryClient } from '@tanstack/react-query';

import { register, sendOtp, verifyOtp } from '#contract/endpoints/account';
import { type Answer, type CallInput, type Endpoint } from '#contract/endpoints/endpoint';
import { login } from '#contract/endpoints/session';
import { call } from '#lib/api';
import { startSession } from '#lib/session';

/** A change that runs once at a time; `isRunning` knows even before the screen was drawn anew. */
function useChange<E extends Endpoint>(
  endpoint: E,
  options: Pick<UseMutationOptions<Answer<E>, Error, CallInput<E>>, 'onSuccess'> = {},
) {
  const client = useQueryClient();
  const mutationKey = [endpoint.path];
  const mutation = useMutation<Answer<E>, Error, CallInput<E>>({
    mutationKey,
    mutationFn: (input) => call(endpoint, input),
    gcTime: 0,
    ...options,
  });
  return {
    mutate: mutation.mutate,
    isPending: mutation.isPending,
    isRunning: () => client.isMutating({ mutationKey }) > 0,
  };
}

/** Logs in; the session starts even when the person has gone to another screen meanwhile. */
export function useLogin() {
  return useChange(login, {
    onSuccess: (answer, input) =>
      startSession({
        token: answer.access_token,
        telegramId: answer.telegram_id ?? String(input.telegram_id).trim(),
      }),
  });
}

export function useRegister() {
  return useChange(register);
}

export function useResendOtp() {
  return useChange(sendOtp);
}

/** Proves the Telegram id; the answer is a session. */
export function useVerifyOtp() {
  return useChange(verifyOtp);
}
