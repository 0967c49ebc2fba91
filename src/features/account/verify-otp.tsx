/** The second step of signing up: the code that the bot sent proves the Telegram id. */
import { type FormEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';

import { holdClosing } from '#lib/closing';
import { useMainButton } from '#lib/main-button';
import { SubmitButton } from '#ui/button';
import { Notice } from '#ui/notice';
import { OtpInput, type OtpInputHandle } from '#ui/otp-input';
import { ResendButton } from '#ui/resend-button';

import { NoCodeHint } from './no-code-hint.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { type Registration } from './registration.ts';
import { otpTexts } from './signup-texts.ts';
import { useVerification } from './verification.ts';

import styles from './account.module.css';

type VerifyOtpProps = { readonly registration: Registration };

export function VerifyOtp({ registration }: VerifyOtpProps) {
  const form = useRef<HTMLFormElement>(null);
  const boxes = useRef<OtpInputHandle>(null);
  const problemId = useId();
  const { otp, setOtp, problem, isResent, waitS, isVerifying, isResending, submit, sendAgain } =
    useVerification(registration);
  const isBusy = isVerifying || isResending;
  const isWrong = problem?.fields.includes('otp') === true;

  const hasMainButton = useMainButton({
    text: otpTexts.submit,
    isEnabled: !isBusy,
    isBusy: isVerifying,
    press: () => form.current?.requestSubmit(),
  });

  useEffect(holdClosing, []);

  const focusFirstEmpty = useEffectEvent(() => boxes.current?.focus(Math.max(otp.indexOf(''), 0)));
  // Before the next key can be pressed, at first and whenever a call is over: boxes that were disabled
  // have lost the focus.
  useLayoutEffect(() => {
    if (!isBusy) {
      focusFirstEmpty();
    }
  }, [isBusy]);

  function verify(event: FormEvent): void {
    event.preventDefault();
    submit();
    boxes.current?.focus(otp.indexOf(''));
  }

  return (
    <form ref={form} className={styles.form} method="post" onSubmit={verify} noValidate>
      <h1>{otpTexts.title}</h1>
      <p className={styles.lead}>{otpTexts.lead(registration.telegramId)}</p>
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
          waitText={waitS > 0 ? otpTexts.resendIn(waitS) : undefined}
          isBusy={isResending}
          onPress={sendAgain}
        />
      </fieldset>
      <NoCodeHint />
    </form>
  );
}
