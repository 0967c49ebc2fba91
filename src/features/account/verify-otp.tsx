/** The second step of signing up: verifies the Telegram ID by the code that the bot has sent. */
import { type FormEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';

import { codeByStart } from '#contract/endpoints/account';
import { ApiError } from '#lib/api';
import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { useCapabilities } from '#lib/capabilities';
import { holdClosing } from '#lib/closing';
import { useMainButton } from '#lib/main-button';
import { remainingWaitS, resendAfterS, useCountdown } from '#lib/next-code';
import { useIsOperator } from '#lib/operator';
import { usePlatform } from '#lib/platform';
import { formatWait } from '#lib/wait';
import { SubmitButton } from '#ui/button';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { emptyOtp, OtpInput, useOtpFocus } from '#ui/otp-input';
import { ResendButton } from '#ui/resend-button';

import { ProblemNotice } from './account-form.tsx';
import { type Problem, toProblem } from './form.ts';
import {
  type Registration,
  setRegistration,
  useLaunchProof,
  useResendOtp,
  useVerifyOtp,
} from './registration.ts';
import { otpTexts } from './signup-texts.ts';

import styles from './account.module.css';

type VerifyOtpProps = { readonly registration: Registration };

export function VerifyOtp({ registration }: VerifyOtpProps) {
  const form = useRef<HTMLFormElement>(null);
  const problemId = useId();
  const { otp, setOtp, problem, isResent, waitS, isVerifying, isResending, submit, sendAgain } =
    useVerification(registration);
  const isBusy = isVerifying || isResending;
  const isWrong = problem?.fields.includes('otp') === true;

  const boxes = useOtpFocus(otp, !isBusy);

  const hasMainButton = useMainButton({
    text: otpTexts.submit,
    isEnabled: !isBusy,
    isBusy: isVerifying,
    press: () => form.current?.requestSubmit(),
  });

  useEffect(holdClosing, []);

  function verify(event: FormEvent): void {
    event.preventDefault();
    submit();
    boxes.current?.focus(otp.indexOf(''));
  }

  return (
    <form ref={form} className={styles.form} method="post" onSubmit={verify} noValidate>
      <h1>{otpTexts.title}</h1>
      <p className={styles.lead}>
        {registration.isSent === false
          ? otpTexts.leadByStart(registration.telegramId)
          : otpTexts.lead(registration.telegramId)}
      </p>
      <ProblemNotice id={problemId} problem={problem} />
      {isResent && <Notice tone="success">{otpTexts.resent}</Notice>}
      <fieldset className={styles.fields} disabled={isBusy}>
        <OtpInput
          ref={boxes}
          label={otpTexts.label}
          boxLabel={otpTexts.box}
          value={otp}
          onChange={setOtp}
          isInvalid={isWrong}
          describedBy={isWrong ? problemId : undefined}
        />
        <SubmitButton
          text={otpTexts.submit}
          busyText={otpTexts.busy}
          isBusy={isVerifying}
          isElsewhere={hasMainButton}
        />
        <ResendButton
          text={otpTexts.resend}
          waitText={waitS > 0 ? otpTexts.resendIn(formatWait(waitS)) : undefined}
          isBusy={isResending}
          onPress={sendAgain}
        />
      </fieldset>
      <NoCodeHint startParam={registration.startParam} />
    </form>
  );
}

/** Checks the code of a registration, and requests another code. */
function useVerification(registration: Registration) {
  const { telegramId, attempt } = registration;
  const platform = usePlatform();
  const [otp, setOtp] = useState(emptyOtp);
  const [outcome, setOutcome] = useState<Problem | 'resent'>();
  const [waitS, setWaitS] = useCountdown(remainingWaitS(registration));
  const verify = useVerifyOtp();
  const resend = useResendOtp();
  const account = { telegram_id: telegramId, ...(attempt === undefined ? {} : { attempt }) };
  const proof = useLaunchProof();
  const isRunning = () => verify.isRunning() || resend.isRunning();

  function fail(problem: Problem): void {
    setOutcome(problem);
    platform.haptic('error');
  }

  function wait(seconds: number): void {
    setWaitS(seconds);
    setRegistration({ ...registration, sentAt: Date.now(), waitS: seconds });
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
      { ...account, otp_code: otp.join('') },
      {
        onError: (error) => {
          setOtp(emptyOtp);
          fail(toProblem(error, { fallback: otpTexts.failed, fields: ['otp'] }));
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
    const again = { ...account, ...proof };
    resend.mutate(again, {
      onSuccess: () => {
        setOutcome('resent');
        wait(resendAfterS);
      },
      onError: (error) => {
        fail(toProblem(error, { fallback: otpTexts.resendFailed }));
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
    /** Seconds until another code can be requested. */
    waitS,
    isVerifying: verify.isPending,
    isResending: resend.isPending,
    submit,
    sendAgain,
  };
}

/**
 * Shown for every ID alike, so that it reveals nothing about any account. Where the bot hears it, its Start sends the
 * code.
 */
export function NoCodeHint({ startParam }: { readonly startParam: string | undefined }) {
  const platform = usePlatform();
  const isOperator = useIsOperator();
  const { href: bot, isKnown } = useBotLink();
  const { has } = useCapabilities({ isWanted: startParam !== undefined });
  const isStarted = startParam !== undefined && has(codeByStart) === true;
  const href = isStarted && bot !== undefined ? `${bot}?start=${startParam}` : bot;

  function open(event: MouseEvent): void {
    if (href !== undefined) {
      event.preventDefault();
      platform.openTelegramLink(href);
    }
  }

  return (
    <div className={styles.hint}>
      <p>
        {fillSlots(isStarted ? otpTexts.noCodeByStart : otpTexts.noCode, {
          link:
            href === undefined ? (
              otpTexts.noCodeLink
            ) : (
              <a className={styles.link} href={href} target="_blank" rel="noopener" onClick={open}>
                {otpTexts.noCodeLink}
              </a>
            ),
        })}
      </p>
      {isKnown && href === undefined && (
        <p>{isOperator ? otpTexts.setBot(brand.bot.variable) : otpTexts.noBot}</p>
      )}
    </div>
  );
}
