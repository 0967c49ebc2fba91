/** The calls of signing up. What their answers mean holds even when the person has left the screen meanwhile. */
import { register, sendOtp, verifyOtp } from '#contract/endpoints/account';
import { resendAfterS } from '#lib/next-code';
import { getPlatform } from '#lib/platform';
import { startSession } from '#lib/session';

import { useChange } from './change.ts';
import { keepRegistration } from './registration.ts';

/** Sends the details; from then on a registration waits for its code. */
export function useRegister() {
  return useChange(register, {
    onSuccess: ({ telegram_id, attempt }, input) =>
      keepRegistration({
        telegramId: telegram_id ?? String(input.telegram_id).trim(),
        attempt,
        sentAt: Date.now(),
        waitS: resendAfterS,
      }),
  });
}

export function useResendOtp() {
  return useChange(sendOtp);
}

/** Proves the Telegram id; the answer is a session, and the code is used up. */
export function useVerifyOtp() {
  return useChange(verifyOtp, {
    onSuccess: ({ access_token: token }, input) => {
      // Here and not with the screen, which goes as soon as there is a session.
      getPlatform().haptic('success');
      startSession({ token, telegramId: String(input.telegram_id) });
      keepRegistration(undefined);
    },
  });
}
