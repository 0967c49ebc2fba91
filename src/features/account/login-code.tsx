/** The part of the login that asks for a code of the bot beside the password. It is loaded when the server wants one. */
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';
import { OtpInput, useOtpFocus } from '#ui/otp-input';

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
  const { isSent, otp } = code;
  const boxes = useOtpFocus(otp, isSent && !isBusy);

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
