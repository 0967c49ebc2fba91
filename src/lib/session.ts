/** The session: a stored token, whether it came from the login form or from Telegram's launch data. */
import { create } from 'zustand';

import { forgetUser, onStoredElsewhere, readStored, tabMarks, writeStored } from './storage.ts';

export type Session =
  /** Before the storage was read, and while Telegram's launch data is exchanged for a token. */
  | { readonly status: 'unknown' }
  | {
      readonly status: 'guest';
      /** Telegram has named the user, and there is no account yet. */
      readonly isNewcomer: boolean;
      /** The user of a session that ended by itself: the device still has their data. */
      readonly formerId?: string | undefined;
    }
  | { readonly status: 'member'; readonly token: string; readonly telegramId: string | undefined };

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

/** The Telegram ID of the user whose data the device has, also after their session ended by itself. */
export function getUserId(session: Session = getSession()): string | undefined {
  return session.status === 'member'
    ? session.telegramId
    : session.status === 'guest'
      ? session.formerId
      : undefined;
}

/** Calls the listener when that user has logged out or another one has logged in. Returns the unsubscribe function. */
export function onUserLeft(listener: () => void): () => void {
  return onSessionChange((now, before) => {
    const id = getUserId(before);
    const hasLeft =
      id === undefined
        ? before.status === 'member' && now.status !== 'member'
        : id !== getUserId(now);
    if (hasLeft) {
      listener();
    }
  });
}

function set(session: Session): void {
  useSessionStore.setState({ session });
}

function toGuest(isNewcomer = false): Session {
  return { status: 'guest', isNewcomer, formerId: readStored('telegramId') };
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
    ? toGuest()
    : { status: 'member', token, telegramId: readStored('telegramId') };
}

/** Restores the stored session. Without one the user is a guest. */
export function restoreSession(): Session {
  set(readSession());
  return getSession();
}

const backend = import.meta.env.VITE_BACKEND_URL ?? '';

/** Proves to the backend that has given it that its user has logged in on this device before. */
export function readKnownDevice(): string | undefined {
  const [device, giver] = (readStored('knownDevice') ?? '').split(' ');
  return giver === backend ? device : undefined;
}

/** Starts a session and stores it. What the device has of another user is removed first. */
export function startSession({
  token,
  telegramId,
  device,
}: {
  token: string;
  telegramId: string | undefined;
  /** For the next login on this device, by the backend's answer. */
  device?: string | undefined;
}): void {
  const formerId = readStored('telegramId');
  if (formerId !== undefined && formerId !== telegramId) {
    forgetUser();
  }
  if (device !== undefined) {
    writeStored('knownDevice', `${device} ${backend}`);
  }
  tabMarks.write('signed_out', undefined);
  writeStored('accessToken', token);
  writeStored('telegramId', telegramId);
  set({ status: 'member', token, telegramId });
}

export function becomeGuest({ isNewcomer }: { isNewcomer: boolean }): void {
  set(toGuest(isNewcomer));
}

/** Stores the user's ID once the server has sent it. */
export function saveTelegramId(telegramId: string): void {
  const session = getSession();
  if (session.status === 'member' && session.telegramId !== telegramId) {
    startSession({ token: session.token, telegramId });
  }
}

/** Ends the session on this device and removes all of the user's data from the storage. */
export function endSession(): void {
  forgetUser();
  set(toGuest());
}

/** Removes all that the device has of its user, also from the page, before another user of this device is logged in. */
export function forgetFormerUser(): void {
  set(toGuest());
  endSession();
  set({ status: 'unknown' });
}

/** Ends a session that the server has refused. The user's data stays, as the next login may be theirs. */
export function expireSession(): void {
  if (getUserId() === undefined) {
    // Nothing would say whose data it is.
    forgetUser();
  }
  writeStored('accessToken', undefined);
  set(toGuest());
}

function getToken(session: Session): string | undefined {
  return session.status === 'member' ? session.token : undefined;
}

/** Takes over the stored session if it differs from the current one. */
function syncWithStorage(): void {
  const now = readSession();
  const known = getSession();
  const isSame =
    getToken(known) === getToken(now) &&
    (now.status === 'member' || getUserId(known) === getUserId(now));
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
