/** The calls of the account's page. What their answers mean holds even when the person has left the page meanwhile. */
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';

import { changePassword, deleteAccount } from '#contract/endpoints/account';
import { endOtherSessions, listSessions } from '#contract/endpoints/session';
import { call } from '#lib/api';

import { useChange } from '../change.ts';

export const sessionQueries = {
  list: () =>
    queryOptions({
      queryKey: ['sessions'],
      queryFn: ({ signal }) => call(listSessions, {}, signal),
      // Logging in somewhere else changes it.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
};

/** Ends every session but this one; answers how many there were. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useChange(endOtherSessions, { onSuccess: () => forgetOthers(client) });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useChange(changePassword, {
    onSuccess: (_answer, { end_other_sessions: isEndingOthers }) => {
      if (isEndingOthers) {
        forgetOthers(client);
      }
    },
  });
}

export function useDeleteAccount(onDeleted: () => void) {
  return useChange(deleteAccount, { onSuccess: onDeleted });
}

/** The other sessions go from the list at once; the server then has the last word. */
function forgetOthers(client: QueryClient): void {
  const { queryKey } = sessionQueries.list();
  client.setQueryData(
    queryKey,
    (list) => list && { sessions: list.sessions.filter((session) => session.is_current) },
  );
  void client.invalidateQueries({ queryKey });
}
