/** The six single-digit boxes of a one-time password. */
import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

import { enterCode, enterText, type OtpDigits, pressKey } from './otp-entry.ts';

import styles from './otp-input.module.css';

export { type OtpDigits } from './otp-entry.ts';

/** Six empty boxes. */
export const emptyOtp: OtpDigits = ['', '', '', '', '', ''];

export type OtpInputHandle = {
  /** Focuses a box by its position, counted from 0. */
  readonly focus: (position: number) => void;
};

type OtpInputProps = {
  /** Names the group of boxes. */
  readonly label: string;
  /** Names one box; positions count from 1. */
  readonly boxLabel: (position: number, length: number) => string;
  readonly value: OtpDigits;
  readonly onChange: (value: OtpDigits) => void;
  readonly isInvalid?: boolean;
  /** The id of the message that says what is wrong. */
  readonly describedBy?: string | undefined;
  readonly ref?: Ref<OtpInputHandle>;
};

/** Digits go in one per box; a paste or an autofill counts only when it is exactly one code. */
export function OtpInput({ label, boxLabel, value, onChange, ref, ...message }: OtpInputProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (position: number) => boxes.current[position]?.focus();
  useImperativeHandle(ref, () => ({ focus }));

  function take(entered: { digits: OtpDigits; next: number } | undefined): boolean {
    if (entered) {
      onChange(entered.digits);
      focus(entered.next);
    }
    return entered !== undefined;
  }

  return (
    <fieldset className={styles.group} aria-describedby={message.describedBy}>
      <legend className={styles.label}>{label}</legend>
      {/* Digits run from left to right in every language. */}
      <div className={styles.boxes} dir="ltr">
        {value.map((digit, position) => (
          <Box
            // oxlint-disable-next-line react/no-array-index-key -- A box is its position.
            key={position}
            {...message}
            ref={(box) => {
              boxes.current[position] = box;
            }}
            digit={digit}
            label={boxLabel(position + 1, value.length)}
            isFirst={position === 0}
            isLast={position === value.length - 1}
            onText={(text) => take(enterText(value, { position, text }))}
            onPaste={(text) => take(enterCode(value, text))}
            onKey={(key) => take(pressKey(value, { position, key }))}
          />
        ))}
      </div>
    </fieldset>
  );
}

type BoxProps = Pick<OtpInputProps, 'isInvalid' | 'describedBy'> & {
  readonly ref: Ref<HTMLInputElement>;
  readonly digit: string;
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onText: (text: string) => void;
  readonly onPaste: (text: string) => void;
  /** Answers whether the key was taken. */
  readonly onKey: (key: string) => boolean;
};

function Box({ ref, digit, label, isInvalid, describedBy, isFirst, isLast, ...on }: BoxProps) {
  // An input method's unfinished text has to stay in the box, or the composition breaks off.
  const [composed, setComposed] = useState<string>();

  function input(event: FormEvent<HTMLInputElement>): void {
    const { nativeEvent, currentTarget } = event;
    if ('isComposing' in nativeEvent && nativeEvent.isComposing === true) {
      setComposed(currentTarget.value);
    } else {
      on.onText(currentTarget.value);
    }
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (!isShortcut && composed === undefined && on.onKey(event.key)) {
      event.preventDefault();
    }
  }

  return (
    <input
      ref={ref}
      className={styles.box}
      type="text"
      inputMode="numeric"
      pattern="[0-9]*"
      autoComplete={isFirst ? 'one-time-code' : 'off'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint={isLast ? 'done' : 'next'}
      aria-label={label}
      aria-invalid={isInvalid === true || undefined}
      aria-describedby={describedBy}
      value={composed ?? digit}
      // Typing the digit that stands there changes nothing, yet has to move on: only `input` tells.
      onInput={input}
      onChange={ignore}
      onCompositionEnd={(event) => {
        setComposed(undefined);
        on.onText(event.currentTarget.value);
      }}
      onKeyDown={press}
      onPaste={(event) => {
        event.preventDefault();
        on.onPaste(event.clipboardData.getData('text'));
      }}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

function ignore(): void {
  // `onInput` has done it.
}
