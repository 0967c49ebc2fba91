/**
 * Who is logged in: a stored token. The rest of the app cannot tell whether it came from the
 * password form or from Telegram's launch data.
 */
import { create } from 'zustand';

import { forgetPerson, onStoredElsewhere, readStored, tabMarks, writeStored } from './storage.ts';

export type Session =
  /** Before the device was asked, and while Telegram's launch data is being exchanged. */
  | { readonly status: 'unknown' }
  /** `isNewcomer`: Telegram told us who it is, and there is no account for them yet. */
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

/** Calls back on every change of the session. Returns the undo. */
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

/** What the device remembers; a legacy token is moved to its present key. */
function stored(): Session {
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

/** Takes up the stored session; without one the person is a guest. */
export function restoreSession(): Session {
  set(stored());
  return getSession();
}

/** Starts a session and remembers it. */
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

/** Says who the guest is known to be; see `Session`. */
export function becomeGuest({ isNewcomer }: { isNewcomer: boolean }): void {
  set({ status: 'guest', isNewcomer });
}

/** Remembers the person's id once the server has told it. */
export function learnTelegramId(telegramId: string): void {
  const session = getSession();
  if (session.status === 'member' && session.telegramId !== telegramId) {
    writeStored('telegramId', telegramId);
    set({ ...session, telegramId });
  }
}

/** Ends the session on this device: the token, the id and every key the app owns go. */
export function endSession(): void {
  forgetPerson();
  set(guest);
}

/** Takes up what the device says now, where it differs from what this page believes. */
function takeUp(): void {
  const now = stored();
  const known = getSession();
  const isSame =
    known.status === now.status &&
    (now.status !== 'member' || (known.status === 'member' && known.token === now.token));
  if (!isSame && known.status !== 'unknown') {
    set(now);
  }
}

function takeUpWhenRestored({ persisted }: PageTransitionEvent): void {
  if (persisted) {
    takeUp();
  }
}

/** Follows what other tabs do, and what a page restored from the back-forward cache missed. */
export function followSession(): () => void {
  const stop = onStoredElsewhere((name) => {
    if (name !== 'theme') {
      takeUp();
    }
  });
  window.addEventListener('pageshow', takeUpWhenRestored);
  return () => {
    stop();
    window.removeEventListener('pageshow', takeUpWhenRestored);
  };
}
