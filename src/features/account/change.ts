/** A call of the account's forms. What was typed (passwords, codes) leaves the cache as soon as the call is over. */
import { useMutation, type UseMutationOptions, useQueryClient } from '@tanstack/react-query';

import { type Answer, type CallInput, type Endpoint } from '#contract/endpoints/endpoint';
import { call } from '#lib/api';

/** A change that runs once at a time; `isRunning` knows even before the screen was drawn anew. */
export function useChange<E extends Endpoint>(
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
