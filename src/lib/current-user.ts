/** Reads the current user from the server. */
import { readMe } from '#contract/endpoints/session';

import { call } from './api.ts';
import { getSession, saveTelegramId } from './session.ts';

/** By token. */
const running = new Map<string, Promise<void>>();

/** Stores the Telegram ID of the logged-in user. Simultaneous calls share one request. */
export function loadCurrentUser(): Promise<void> {
  const session = getSession();
  if (session.status !== 'member') {
    return Promise.resolve();
  }
  const { token } = session;
  const load = async () => {
    try {
      const { telegram_id } = await call(readMe, {});
      const now = getSession();
      // Another user may have logged in meanwhile.
      if (now.status === 'member' && now.token === token) {
        saveTelegramId(telegram_id);
      }
    } finally {
      running.delete(token);
    }
  };
  const loading = running.get(token) ?? load();
  running.set(token, loading);
  return loading;
}
