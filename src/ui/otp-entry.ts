/** What typing, pasting and keys do to the boxes of a one-time password; no drawing. */

/** What stands in the boxes, `''` where one is empty; joined it is the code. */
export type OtpDigits = readonly string[];

/** The boxes after a change, and the box that comes next. */
type Entered = { readonly digits: OtpDigits; readonly next: number };

/**
 * Puts a box's new text in. A digit takes its box and moves on, a whole code fills all of them, an
 * empty text clears the box; undefined when the text is neither, and nothing changes.
 */
export function enterText(
  digits: OtpDigits,
  { position, text }: { readonly position: number; readonly text: string },
): Entered | undefined {
  const typed = readDigits(text);
  const before = digits[position] ?? '';
  if (typed?.length === 2 && before !== '') {
    // Typed beside the digit that stood there: the new one takes its place.
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
export function enterCode(digits: OtpDigits, text: string): Entered | undefined {
  const code = readDigits(text);
  return code?.length === digits.length
    ? { digits: Array.from(code), next: digits.length - 1 }
    : undefined;
}

/** What a key does besides typing; undefined when it does nothing of its own. */
export function pressKey(
  digits: OtpDigits,
  { position, key }: { readonly position: number; readonly key: string },
): Entered | undefined {
  const [before, after] = [Math.max(position - 1, 0), Math.min(position + 1, digits.length - 1)];
  switch (key) {
    case 'Backspace':
      // A filled box is cleared by the browser itself.
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
 * The digits of a text, in any digits an input method writes; undefined when there is anything else.
 * Blanks and invisible direction marks around a copied code do not count.
 */
function readDigits(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  return /^\d*$/.test(plain) ? plain : undefined;
}
