/** The calls about sessions, reminders and the password. The cache is updated even if the user has left the page. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';

import { changePassword } from '#contract/endpoints/account';
import { listAccountEvents } from '#contract/endpoints/account-events';
import { setAccountLanguage } from '#contract/endpoints/language';
import { listReminders, removeReminder } from '#contract/endpoints/reminders';
import { endOneSession, endOtherSessions, listSessions, readMe } from '#contract/endpoints/session';
import { type Language } from '#contract/languages';
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

export const accountQueries = {
  /** Whether the account has a password; undefined until the server has said so. */
  hasPassword: () => queryOptions({ ...me(), select: (user) => user.has_password ?? true }),

  /** What the user has chosen for the bot's messages, null for nothing; undefined on servers that do not say. */
  language: () => queryOptions({ ...me(), select: (user) => user.language }),

  /** What happened, the newest first. */
  events: () =>
    queryOptions({
      queryKey: ['account-events'],
      queryFn: async ({ signal }) => (await call(listAccountEvents, {}, signal)).events,
      // What is done on this page is in it, too.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),

  /** The next first. */
  reminders: () =>
    queryOptions({
      queryKey: ['reminders'],
      queryFn: async ({ signal }) => (await call(listReminders, {}, signal)).reminders,
      // They are made in chats, and go when they are due.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
};

function me() {
  return queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      // A choice of the page before, which is on its way, counts.
      await import('#lib/language-choice')
        .then(({ choiceSent }) => choiceSent())
        .catch(() => undefined);
      return call(readMe, {}, signal);
    },
    refetchOnMount: 'always',
  });
}

/** Saves the language of the bot's messages. It is shown at once, and goes back when it cannot be saved. */
export function useSetLanguage() {
  const client = useQueryClient();
  const { queryKey } = me();
  return useMutation({
    mutationFn: (language: Language | null) => call(setAccountLanguage, { language }),
    onMutate: (language) => {
      const former = client.getQueryData(queryKey)?.language;
      client.setQueryData(queryKey, (user) => user && { ...user, language });
      return { former };
    },
    onError: (_error, _language, shown) => {
      client.setQueryData(queryKey, (user) => user && { ...user, language: shown?.former });
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Ends one session. */
export function useEndOneSession() {
  const client = useQueryClient();
  const { queryKey } = sessionQueries.list();
  const read = () => client.invalidateQueries({ queryKey });
  return useMutation({
    mutationFn: (session_id: string) => call(endOneSession, { session_id }),
    onSuccess: (_answer, id) => {
      client.setQueryData(
        queryKey,
        (list) => list && { sessions: list.sessions.filter((session) => session.id !== id) },
      );
      void readEvents(client);
    },
    onSettled: read,
  });
}

/** Deletes a reminder. */
export function useRemoveReminder() {
  const client = useQueryClient();
  const { queryKey } = accountQueries.reminders();
  return useMutation({
    mutationFn: (id: string) => call(removeReminder, { id }),
    onSuccess: (_answer, id) => {
      client.setQueryData(queryKey, (list) => list?.filter((reminder) => reminder.id !== id));
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

function readEvents(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: accountQueries.events().queryKey });
}

/** Ends all sessions except this one. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useFormCall(endOtherSessions, { onSuccess: () => removeOthers(client) });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useFormCall(changePassword, {
    onSuccess: (_answer, { end_other_sessions: isEndingOthers }) => {
      void readEvents(client);
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
  void readEvents(client);
}
