/** The part of the login that asks for a code of the bot beside the password. It is loaded when the server wants one. */
import { useEffect, useEffectEvent, useRef } from 'react';

import { Button } from '#ui/button';
import { Notice } from '#ui/notice';
import { OtpInput, type OtpInputHandle } from '#ui/otp-input';

import { loginCodeTexts } from './login-code-texts.ts';
import { otpTexts } from './signup-texts.ts';

export const { sendFailed } = loginCodeTexts;
export const { incomplete } = otpTexts;

type LoginCodeProps = {
  readonly code: {
    readonly otp: readonly string[];
    readonly setOtp: (otp: readonly string[]) => void;
    readonly isSent: boolean;
    readonly isSending: boolean;
  };
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
};

/** The button that has a code sent, and the boxes for it once it was. */
export function LoginCode({ code, isBusy, onSend, isInvalid, describedBy }: LoginCodeProps) {
  const boxes = useRef<OtpInputHandle>(null);
  const { isSent, otp } = code;

  const focusFirstEmpty = useEffectEvent(() => boxes.current?.focus(Math.max(otp.indexOf(''), 0)));
  // After each call, because disabled boxes cannot have the focus.
  useEffect(() => {
    if (isSent && !isBusy) {
      focusFirstEmpty();
    }
  }, [isSent, isBusy]);

  return (
    <>
      {isSent && (
        <>
          <Notice tone="info">{loginCodeTexts.sent}</Notice>
          <OtpInput
            ref={boxes}
            label={otpTexts.label}
            boxLabel={otpTexts.box}
            value={otp}
            onChange={code.setOtp}
            isInvalid={isInvalid}
            describedBy={describedBy}
          />
        </>
      )}
      <Button kind={isSent ? 'quiet' : 'plain'} isBusy={code.isSending} onClick={onSend}>
        {isSent ? loginCodeTexts.sendAgain : loginCodeTexts.send}
      </Button>
    </>
  );
}
