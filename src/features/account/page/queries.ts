/** The calls about sessions and the password. The cache is updated even if the user has left the page. */
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';

import { changePassword } from '#contract/endpoints/account';
import { endOtherSessions, listSessions, readMe } from '#contract/endpoints/session';
import { call } from '#lib/api';

import { useFormCall } from '../form.ts';

export const sessionQueries = {
  list: () =>
    queryOptions({
      queryKey: ['sessions'],
      queryFn: ({ signal }) => call(listSessions, {}, signal),
      // A login on another device changes it.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
};

/** Whether the account has a password; undefined until the server has said so. */
export const accountQueries = {
  hasPassword: () =>
    queryOptions({
      queryKey: ['has-password'],
      queryFn: async ({ signal }) => (await call(readMe, {}, signal)).has_password ?? true,
      refetchOnMount: 'always',
    }),
};

/** Ends all sessions except this one. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useFormCall(endOtherSessions, { onSuccess: () => removeOthers(client) });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useFormCall(changePassword, {
    onSuccess: (_answer, { end_other_sessions: isEndingOthers }) => {
      if (isEndingOthers) {
        removeOthers(client);
      }
    },
  });
}

/** Removes the other sessions from the cached list at once, then reads it again. */
function removeOthers(client: QueryClient): void {
  const { queryKey } = sessionQueries.list();
  client.setQueryData(
    queryKey,
    (list) => list && { sessions: list.sessions.filter((session) => session.is_current) },
  );
  void client.invalidateQueries({ queryKey });
}
