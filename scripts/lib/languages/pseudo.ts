/**
 * The pseudo-language: English with an accent on every letter, in brackets, and as long as translations
 * become. What a test finds in plain English is no text of a text module; what is cut would be cut in German.
 */
import {
  isLiteralElement,
  isPluralElement,
  isSelectElement,
  type MessageFormatElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'åƀçđéƒğĥîĵķļɱñöþɋŕšţûṽŵẋýžÅɃÇĐÉƑĞĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ';

/** How much longer the longest of 20 translations are, by the length of the English text. */
const growth = [
  { upTo: 12, factor: 2.2 },
  { upTo: 30, factor: 1.7 },
  { upTo: Infinity, factor: 1.5 },
];

/** The message in the pseudo-language; arguments and slots stay. */
export function toPseudo(message: readonly MessageFormatElement[]): MessageFormatElement[] {
  const length = readLength(message);
  const { factor } = growth.find(({ upTo }) => length <= upTo) ?? { factor: 1 };
  const missing = Math.max(0, Math.round(length * factor) - length - 2);
  return length === 0
    ? [...message]
    : [literal('⟦'), ...accent(message), literal(`${filler(missing)}⟧`)];
}

function literal(value: string): MessageFormatElement {
  return { type: TYPE.literal, value };
}

/** Words of this many letters and spaces, as lines break between words. */
function filler(length: number): string {
  return ' öñé ţŵö ţĥŕéé ƒöûŕ'
    .repeat(Math.ceil(length / 19))
    .slice(0, length)
    .trimEnd();
}

/** The message with an accent on every plain letter. */
export function accent(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element): MessageFormatElement => {
    if (isLiteralElement(element)) {
      return literal(
        element.value.replaceAll(/[a-z]/gi, (letter) => accented.charAt(plain.indexOf(letter))),
      );
    }
    if (isPluralElement(element) || isSelectElement(element)) {
      const options = Object.entries(element.options).map(([name, option]) => [
        name,
        { ...option, value: accent(option.value) },
      ]);
      return { ...element, options: Object.fromEntries(options) };
    }
    return element;
  });
}

/** The letters of the words, of the longest form where there are several. */
function readLength(elements: readonly MessageFormatElement[]): number {
  return elements.reduce((sum, element) => {
    const own = isLiteralElement(element)
      ? element.value.length
      : isPluralElement(element) || isSelectElement(element)
        ? Math.max(...Object.values(element.options).map(({ value }) => readLength(value)))
        : 0;
    return sum + own;
  }, 0);
}
