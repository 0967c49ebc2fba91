/** Requests another code. Disabled while that is too early, with the remaining time below. */
import { useId } from 'react';

import { Button } from './button.tsx';

import styles from './resend-button.module.css';

type ResendButtonProps = {
  readonly text: string;
  /** The remaining wait; undefined when the button is enabled. */
  readonly waitText: string | undefined;
  readonly isBusy: boolean;
  readonly onPress: () => void;
};

export function ResendButton({ text, waitText, isBusy, onPress }: ResendButtonProps) {
  const waitId = useId();
  const isTooEarly = waitText !== undefined;
  return (
    <div className={styles.resend}>
      <Button
        onClick={onPress}
        isWide
        isBusy={isBusy}
        disabled={isTooEarly}
        aria-describedby={isTooEarly ? waitId : undefined}
      >
        {text}
      </Button>
      {isTooEarly && (
        <p id={waitId} className={styles.wait}>
          {waitText}
        </p>
      )}
    </div>
  );
}
