/** The calls of signing up. */
import { register, sendOtp, verifyOtp } from '#contract/endpoints/account';

import { useChange } from './change.ts';

export function useRegister() {
  return useChange(register);
}

export function useResendOtp() {
  return useChange(sendOtp);
}

/** Proves the Telegram id; the answer is a session. */
export function useVerifyOtp() {
  return useChange(verifyOtp);
}
