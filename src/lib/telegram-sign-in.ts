/** Sign-in inside Telegram: exchanges the signed launch data for a session. */
import { loginWithTelegram } from '#contract/endpoints/session';

import { ApiError, call, errorText } from './api.ts';
import { noticeMs, useNotices } from './notices.ts';
import { getPlatform } from './platform.ts';
import { becomeGuest, endSession, getSession, startSession } from './session.ts';
import { readStored, tabMarks } from './storage.ts';

/** After this the login form is shown. */
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
      device: answer.device,
      telegramId: answer.telegram_id ?? getPlatform().launch.telegramId,
    });
    return true;
  } catch (error) {
    if (getSession().status !== 'member') {
      becomeGuest({ isNewcomer: error instanceof ApiError && error.code === 'no_account' });
    }
    if (error instanceof ApiError && error.code === 'invalid_launch_data') {
      // Used before, too old or void: Telegram signs anew when the app is opened again.
      useNotices.getState().show({
        id: 'launch-refused',
        tone: 'info',
        text: errorText(error, ''),
        durationMs: noticeMs.long,
      });
    }
    return false;
  }
}

/**
 * Signs the user in with the launch data, if any; resolves to whether that worked. Simultaneous calls
 * share one exchange. Never rejects: the login form is the fallback. Never replaces the user of whom the
 * device has data: that is asked first.
 */
export function signInWithTelegram(): Promise<boolean> {
  const { initData, telegramId } = getPlatform().launch;
  const formerId = readStored('telegramId');
  const isOtherUser = formerId !== undefined && formerId !== telegramId;
  if (initData === undefined || isOtherUser) {
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

/** Whether to sign in automatically: not after the user has logged out in this tab. */
export function maySignInAutomatically(): boolean {
  return tabMarks.read('signed_out') === undefined;
}

/** Ends the session at the user's request. Launch data does not sign in again in this tab. */
export function signOut(): void {
  endSession();
  tabMarks.write('signed_out', '1');
}
