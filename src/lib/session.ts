/** The session: a stored token, whether it came from the login form or from Telegram's launch data. */
import { create } from 'zustand';

import { forgetUser, onStoredElsewhere, readStored, tabMarks, writeStored } from './storage.ts';

export type Session =
  /** Before the storage was read, and while Telegram's launch data is exchanged for a token. */
  | { readonly status: 'unknown' }
  /** `isNewcomer`: Telegram has named the user, and there is no account yet. */
  | { readonly status: 'guest'; readonly isNewcomer: boolean }
  | { readonly status: 'member'; readonly token: string; readonly telegramId: string | undefined };

const guest: Session = { status: 'guest', isNewcomer: false };

const useSessionStore = create<{ readonly session: Session }>()(() => ({
  session: { status: 'unknown' },
}));

/** The current session. During hydration it is unknown, as in the prerendered page. */
export function useSession(): Session {
  return useSessionStore((state) => state.session);
}

/** The current session, for code outside React. */
export function getSession(): Session {
  return useSessionStore.getState().session;
}

/** Calls the listener on every change of the session. Returns the unsubscribe function. */
export function onSessionChange(
  listener: (session: Session, previous: Session) => void,
): () => void {
  return useSessionStore.subscribe((now, before) => {
    if (now.session !== before.session) {
      listener(now.session, before.session);
    }
  });
}

function set(session: Session): void {
  useSessionStore.setState({ session });
}

/** The session in the storage. Moves a legacy token to its current key. */
function readSession(): Session {
  const legacy = readStored('legacyAccessToken');
  if (legacy !== undefined) {
    if (readStored('accessToken') === undefined) {
      writeStored('accessToken', legacy);
    }
    writeStored('legacyAccessToken', undefined);
  }
  const token = readStored('accessToken');
  return token === undefined
    ? guest
    : { status: 'member', token, telegramId: readStored('telegramId') };
}

/** Restores the stored session. Without one the user is a guest. */
export function restoreSession(): Session {
  set(readSession());
  return getSession();
}

/** Starts a session and stores it. */
export function startSession({
  token,
  telegramId,
}: {
  token: string;
  telegramId: string | undefined;
}): void {
  tabMarks.write('signed_out', undefined);
  writeStored('accessToken', token);
  writeStored('telegramId', telegramId);
  set({ status: 'member', token, telegramId });
}

export function becomeGuest({ isNewcomer }: { isNewcomer: boolean }): void {
  set({ status: 'guest', isNewcomer });
}

/** Stores the user's ID once the server has sent it. */
export function saveTelegramId(telegramId: string): void {
  const session = getSession();
  if (session.status === 'member' && session.telegramId !== telegramId) {
    writeStored('telegramId', telegramId);
    set({ ...session, telegramId });
  }
}

/** Ends the session on this device and removes all of the user's data from the storage. */
export function endSession(): void {
  forgetUser();
  set(guest);
}

/** Takes over the stored session if it differs from the current one. */
function syncWithStorage(): void {
  const now = readSession();
  const known = getSession();
  const isSame =
    known.status === now.status &&
    (now.status !== 'member' || (known.status === 'member' && known.token === now.token));
  if (!isSame && known.status !== 'unknown') {
    set(now);
  }
}

function syncWhenRestored({ persisted }: PageTransitionEvent): void {
  if (persisted) {
    syncWithStorage();
  }
}

/** Follows changes by other tabs, also those that happened while the page was in the back-forward cache. */
export function followSession(): () => void {
  const stop = onStoredElsewhere((name) => {
    if (name !== 'theme') {
      syncWithStorage();
    }
  });
  window.addEventListener('pageshow', syncWhenRestored);
  return () => {
    stop();
    window.removeEventListener('pageshow', syncWhenRestored);
  };
}
