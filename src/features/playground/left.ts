/** What one person does in the playground is nothing to the next who uses this device. */
import { onSessionChange, type Session } from '#lib/session';

/** Calls back when a person has logged out, or somebody else has taken their place. Returns the undo. */
export function onLeft(forget: () => void): () => void {
  return onSessionChange((now, before) => {
    if (hasLeft(now, before)) {
      forget();
    }
  });
}

function hasLeft(now: Session, before: Session): boolean {
  if (before.status !== 'member') {
    // What a guest has typed is theirs when they log in.
    return false;
  }
  const isSame =
    now.status === 'member' &&
    (before.telegramId === undefined || now.telegramId === before.telegramId);
  return !isSame;
}
