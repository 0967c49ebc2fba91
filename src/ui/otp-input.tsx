/** The six single-digit boxes of a one-time password. */
import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import styles from './otp-input.module.css';

/** The content of the boxes; `''` is an empty one. Joined it is the code. */
export type OtpDigits = readonly string[];

/** Six empty boxes. */
export const emptyOtp: OtpDigits = ['', '', '', '', '', ''];

export type OtpInputHandle = {
  /** Focuses a box by its position, counted from 0. */
  readonly focus: (position: number) => void;
};

/**
 * Focuses the first empty box each time that `isWanted` becomes true: on arrival and after a call, because disabled boxes
 * lose the focus. Also when all boxes become empty: a call can clear them before they were disabled. Returns the ref of
 * the boxes.
 */
export function useOtpFocus(otp: OtpDigits, isWanted: boolean): RefObject<OtpInputHandle | null> {
  const boxes = useRef<OtpInputHandle>(null);
  const isEmpty = otp.join('') === '';
  const focusFirstEmpty = useEffectEvent((isNow: boolean) => {
    if (isNow && isWanted) {
      boxes.current?.focus(Math.max(otp.indexOf(''), 0));
    }
  });
  // Layout effects, so that the next key is not lost.
  useLayoutEffect(() => focusFirstEmpty(isWanted), [isWanted]);
  useLayoutEffect(() => focusFirstEmpty(isEmpty), [isEmpty]);
  return boxes;
}

type OtpInputProps = {
  /** The label of the group of boxes. */
  readonly label: string;
  /** The accessible name of a box; positions count from 1. */
  readonly boxLabel: (position: number, length: number) => string;
  readonly value: OtpDigits;
  readonly onChange: (value: OtpDigits) => void;
  readonly isInvalid?: boolean;
  /** The id of the message that says what is wrong. */
  readonly describedBy?: string | undefined;
  readonly ref?: Ref<OtpInputHandle>;
};

/** One digit per box. A paste or an autofill is accepted only when it is exactly one code. */
export function OtpInput({ label, boxLabel, value, onChange, ref, ...message }: OtpInputProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (position: number) => boxes.current[position]?.focus();
  useImperativeHandle(ref, () => ({ focus }));

  function apply(entered: Entered | undefined): boolean {
    if (entered) {
      onChange(entered.digits);
      focus(entered.next);
    }
    return entered !== undefined;
  }

  return (
    <fieldset aria-describedby={message.describedBy}>
      <legend className={styles.label}>{label}</legend>
      {/* Digits are written from left to right in every language. */}
      <div className={styles.boxes} dir="ltr">
        {value.map((digit, position) => (
          <Box
            // oxlint-disable-next-line react/no-array-index-key -- A box is identified by its position.
            key={position}
            {...message}
            ref={(box) => {
              boxes.current[position] = box;
            }}
            digit={digit}
            label={boxLabel(position + 1, value.length)}
            isFirst={position === 0}
            isLast={position === value.length - 1}
            onText={(text) => apply(enterText(value, { position, text }))}
            onPaste={(text) => apply(enterCode(value, text))}
            onKey={(key) => apply(pressKey(value, { position, key }))}
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
  /** Returns whether the key was handled. */
  readonly onKey: (key: string) => boolean;
};

function Box({ ref, digit, label, isInvalid, describedBy, isFirst, isLast, ...on }: BoxProps) {
  // The unfinished text of an input method must stay in the box, or the composition is aborted.
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
      // `input` also fires when the same digit is typed again, which must move on.
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
  // `onInput` handles it. React requires a handler.
}

/** The boxes after a change, and the box to focus. */
type Entered = { readonly digits: OtpDigits; readonly next: number };

/**
 * Enters the new text of a box: a digit fills it and moves on, a whole code fills all boxes, an empty
 * text clears the box. Undefined for other texts, which change nothing.
 */
function enterText(
  digits: OtpDigits,
  { position, text }: { readonly position: number; readonly text: string },
): Entered | undefined {
  const typed = readDigits(text);
  const before = digits[position] ?? '';
  if (typed?.length === 2 && before !== '') {
    // A digit was typed beside the old one: the new digit replaces it.
    return enterText(digits, { position, text: typed.replace(before, '') });
  }
  if (typed?.length === 0) {
    return { digits: digits.with(position, ''), next: position };
  }
  if (typed?.length === 1) {
    const next = Math.min(position + 1, digits.length - 1);
    return { digits: digits.with(position, typed), next };
  }
  return enterCode(digits, text);
}

/** Fills all boxes; undefined unless the text is exactly one code. */
function enterCode(digits: OtpDigits, text: string): Entered | undefined {
  const code = readDigits(text);
  return code?.length === digits.length
    ? { digits: Array.from(code), next: digits.length - 1 }
    : undefined;
}

/** Handles Backspace and the keys that move; undefined for other keys. */
function pressKey(
  digits: OtpDigits,
  { position, key }: { readonly position: number; readonly key: string },
): Entered | undefined {
  const [before, after] = [Math.max(position - 1, 0), Math.min(position + 1, digits.length - 1)];
  switch (key) {
    case 'Backspace':
      // The browser clears a filled box.
      return digits[position] === ''
        ? { digits: digits.with(before, ''), next: before }
        : undefined;
    case 'ArrowLeft':
      return { digits, next: before };
    case 'ArrowRight':
      return { digits, next: after };
    case 'Home':
      return { digits, next: 0 };
    case 'End':
      return { digits, next: digits.length - 1 };
    default:
      return undefined;
  }
}

/**
 * The ASCII digits of a text in any script's digits, without spaces and invisible marks; undefined when
 * it contains other characters.
 */
function readDigits(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  return /^\d*$/.test(plain) ? plain : undefined;
}
