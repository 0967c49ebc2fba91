/** The code of a registration: checking it, and asking for another one. */
import { useState } from 'react';

import { ApiError } from '#lib/api';
import { remainingWaitS, resendAfterS, useCountdown } from '#lib/next-code';
import { usePlatform } from '#lib/platform';
import { emptyOtp } from '#ui/otp-input';

import { type Problem, problemOf } from './problem.ts';
import { keepRegistration, type Registration } from './registration.ts';
import { useResendOtp, useVerifyOtp } from './signup-queries.ts';
import { otpTexts } from './signup-texts.ts';

export function useVerification(registration: Registration) {
  const { telegramId, attempt } = registration;
  const platform = usePlatform();
  const [otp, setOtp] = useState(emptyOtp);
  const [outcome, setOutcome] = useState<Problem | 'resent'>();
  const [waitS, setWaitS] = useCountdown(remainingWaitS(registration));
  const verify = useVerifyOtp();
  const resend = useResendOtp();
  const who = { telegram_id: telegramId, ...(attempt === undefined ? {} : { attempt }) };
  const isRunning = () => verify.isRunning() || resend.isRunning();

  function fail(problem: Problem): void {
    setOutcome(problem);
    platform.haptic('error');
  }

  function wait(seconds: number): void {
    setWaitS(seconds);
    keepRegistration({ ...registration, sentAt: Date.now(), waitS: seconds });
  }

  function submit(): void {
    if (isRunning()) {
      return;
    }
    if (otp.includes('')) {
      fail({ message: otpTexts.incomplete, fields: ['otp'] });
      return;
    }
    setOutcome(undefined);
    verify.mutate(
      { ...who, otp_code: otp.join('') },
      {
        onError: (error) => {
          setOtp(emptyOtp);
          fail(problemOf(error, { fallback: otpTexts.failed, fields: ['otp'] }));
        },
      },
    );
  }

  function sendAgain(): void {
    if (isRunning() || waitS > 0) {
      return;
    }
    setOutcome(undefined);
    setOtp(emptyOtp);
    resend.mutate(who, {
      onSuccess: () => {
        setOutcome('resent');
        wait(resendAfterS);
      },
      onError: (error) => {
        fail(problemOf(error, { fallback: otpTexts.resendFailed }));
        if (error instanceof ApiError && error.retryAfterS !== undefined) {
          wait(error.retryAfterS);
        }
      },
    });
  }

  return {
    otp,
    setOtp,
    problem: outcome === 'resent' ? undefined : outcome,
    isResent: outcome === 'resent',
    /** Seconds until another code may be asked for. */
    waitS,
    isVerifying: verify.isPending,
    isResending: resend.isPending,
    submit,
    sendAgain,
  };
}
