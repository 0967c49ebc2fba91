/** What the app does when its session ends, begins or belongs to somebody else. */
import { type QueryClient } from '@tanstack/react-query';

import { logout, readMe } from '#contract/endpoints/session';
import { call, setUnauthorizedPolicy } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import {
  endSession,
  followSession,
  getSession,
  learnTelegramId,
  onSessionChange,
} from '#lib/session';
import { isStorageLasting } from '#lib/storage';
import { signInWithTelegram, signOut } from '#lib/telegram-sign-in';

import { texts } from './shell/texts.ts';

const loggedOutNoticeMs = 5000;

/** Whether the call that was refused with this token is worth repeating. */
async function renewSession(refusedToken: string): Promise<boolean> {
  const session = getSession();
  if (session.status !== 'member') {
    return false;
  }
  if (session.token !== refusedToken) {
    // A late answer to an older token says nothing about the present one.
    return true;
  }
  if (await signInWithTelegram()) {
    return true;
  }
  const now = getSession();
  if (now.status === 'member' && now.token === refusedToken) {
    endSession();
    useNotices.getState().show({
      id: 'logged-out',
      tone: 'warning',
      text: texts.loggedOut,
      durationMs: loggedOutNoticeMs,
    });
  }
  return false;
}

/** Sets the policy once, before the first call. */
export function startSessionPolicy(queryClient: QueryClient): void {
  setUnauthorizedPolicy(renewSession);
  followSession();
  onSessionChange((now, before) => {
    const isSamePerson =
      now.status === 'member' && before.status === 'member' && now.telegramId === before.telegramId;
    if (before.status === 'member' && !isSamePerson) {
      // Nothing of one person may be seen by the next.
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

/** Asks the server once who this is; whatever goes wrong is left to the calls that need it. */
export async function loadCurrentUser(): Promise<void> {
  if (getSession().status === 'member') {
    try {
      const me = await call(readMe, {});
      learnTelegramId(me.telegram_id);
    } catch {
      // The specification ignores errors here; a dead token has already ended the session.
    }
  }
}

/** Logs out here and on the server; the device forgets the person even when the server cannot be reached. */
export function logOut(): void {
  // The call reads the token before the session ends in the next line.
  call(logout, {}).catch(() => undefined);
  signOut();
}
