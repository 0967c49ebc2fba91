/** One-tap sign-in: exchanges Telegram's signed launch data for a session. */
import { loginWithTelegram } from '#contract/endpoints/session';

import { ApiError, call } from './api.ts';
import { getPlatform } from './platform.ts';
import { becomeGuest, endSession, getSession, startSession } from './session.ts';
import { tabMarks } from './storage.ts';

/** A slow server must not hold back the forms. */
const exchangeTimeoutMs = 10_000;

let running: Promise<boolean> | undefined;

async function exchange(initData: string): Promise<boolean> {
  try {
    const answer = await call(
      loginWithTelegram,
      { init_data: initData },
      AbortSignal.timeout(exchangeTimeoutMs),
    );
    startSession({
      token: answer.access_token,
      telegramId: answer.telegram_id ?? getPlatform().launch.telegramId,
    });
    return true;
  } catch (error) {
    if (getSession().status !== 'member') {
      becomeGuest({ isNewcomer: error instanceof ApiError && error.code === 'no_account' });
    }
    return false;
  }
}

/**
 * Signs the person in by their launch data, if there is any; resolves to whether that worked. Calls
 * at the same time share one exchange. Fails in silence: the password form is always there.
 */
export function signInWithTelegram(): Promise<boolean> {
  const { initData } = getPlatform().launch;
  if (initData === undefined) {
    if (getSession().status === 'unknown') {
      becomeGuest({ isNewcomer: false });
    }
    return Promise.resolve(false);
  }
  running ??= exchange(initData).finally(() => {
    running = undefined;
  });
  return running;
}

/** Whether signing in by itself is wanted: not right after the person logged out. */
export function maySignInUnasked(): boolean {
  return tabMarks.read('signed_out') === undefined;
}

/** Ends the session by the person's wish: launch data does not bring it back in this tab. */
export function signOut(): void {
  endSession();
  tabMarks.write('signed_out', '1');
}
