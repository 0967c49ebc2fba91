/** What the app does when a session starts, ends or changes to another user. */
import { type QueryClient } from '@tanstack/react-query';

import { setUnauthorizedPolicy } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import {
  expireSession,
  followSession,
  getSession,
  onSessionChange,
  onUserLeft,
} from '#lib/session';
import { isStorageLasting } from '#lib/storage';
import { signInWithTelegram } from '#lib/telegram-sign-in';

import { texts } from './shell/texts.ts';

const loggedOutNoticeMs = 5000;

/** Handles a 401. Resolves to whether the call is worth repeating with the current token. */
async function renewSession(refusedToken: string): Promise<boolean> {
  const session = getSession();
  if (session.status !== 'member') {
    return false;
  }
  if (session.token !== refusedToken) {
    // The answer belongs to an older token.
    return true;
  }
  if (await signInWithTelegram()) {
    return true;
  }
  const now = getSession();
  if (now.status === 'member' && now.token === refusedToken) {
    expireSession();
    useNotices.getState().show({
      id: 'logged-out',
      tone: 'warning',
      text: texts.loggedOut,
      durationMs: loggedOutNoticeMs,
    });
  }
  return false;
}

/** Call once, before the first call of the API. */
export function startSessionPolicy(queryClient: QueryClient): void {
  setUnauthorizedPolicy(renewSession);
  followSession();
  // Their buttons would still work for the user who has left.
  onUserLeft(() =>
    useNotices.setState(({ notices }) => ({ notices: notices.filter(({ action }) => !action) })),
  );
  onSessionChange((now, before) => {
    const isSameUser =
      now.status === 'member' && before.status === 'member' && now.telegramId === before.telegramId;
    if (before.status === 'member' && !isSameUser) {
      // The next user must not see data of the previous one.
      queryClient.clear();
    }
    if (now.status === 'member' && before.status !== 'member' && !isStorageLasting()) {
      useNotices.getState().show({
        id: 'not-lasting',
        tone: 'info',
        text: texts.notLasting,
        durationMs: noticeMs.long,
      });
    }
  });
}
