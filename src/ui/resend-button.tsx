/** Asks for another code; while that is too early it cannot be pressed, and the line below says how long. */
import { useId } from 'react';

import { Button } from './button.tsx';

import styles from './resend-button.module.css';

type ResendButtonProps = {
  readonly text: string;
  /** How long to wait yet; undefined when one may press. */
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
