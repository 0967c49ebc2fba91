/**
 * Reads texts that are written to hide words as the signs that people see: without marks, width and upper case, and with
 * one letter for all that look like it.
 */

export const space = 32;
/** A text that is longer is read up to here. */
const maxTextLength = 16_384;
/** How many signs a text may become by writing out what Telegram shows as one sign, such as ㎏. */
const maxWrittenOut = 4096;

/** Marks above and below letters, signs without width, and what makes Arabic letters longer; vowel signs of other scripts stay. */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]|[[\p{M}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Cyrillic}]]--[\u3099\u309A]]/gv;

/** Each of them is written out as a sentence. */
const sentences = /[\uFDFA\uFDFB]/g;

const spaces = /[\s\u2800]+/gu;

function foldLetters(text: string, form: 'NFKD' | 'NFD'): string {
  return text.normalize(form).replaceAll(invisible, '').normalize('NFC').toLowerCase();
}

/** As people compare texts: without upper case, marks and width, and with single spaces. */
export function foldText(text: string): string {
  const given = text.slice(0, maxTextLength).replaceAll(sentences, ' ');
  const max = Math.max(maxWrittenOut, given.length);
  const folded = foldLetters(given, 'NFKD');
  const fitting = folded.length > max ? foldLetters(given, 'NFD').slice(0, max) : folded;
  return fitting.replaceAll(spaces, ' ').trim();
}

/** Letters that look like the Latin letter before them. Within a script none stands for two. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ🅐🅰',
  b: 'вβʙьƀ🅑🅱',
  c: 'сϲᴄ🅒🅲',
  d: 'ԁᴅđ🅓🅳',
  e: 'еεᴇɛ℮ҽ🅔🅴',
  f: 'ꜰƒ🅕🅵',
  g: 'ɡɢց🅖🅶',
  h: 'нʜһհħ🅗🅷',
  i: 'іιıɪɩ🅘🅸',
  j: 'јᴊϳ🅙🅹',
  k: 'кκᴋ🅚🅺',
  l: 'ʟłӏ🅛🅻',
  m: 'мᴍ🅜🅼',
  n: 'ηɴոп🅝🅽',
  o: 'оοᴏօøσ🅞🅾',
  p: 'рρᴘ🅟🅿',
  q: 'ԛզ🅠🆀',
  r: 'ʀг🅡🆁',
  s: 'ѕꜱ🅢🆂',
  t: 'тτᴛŧ🅣🆃',
  u: 'υᴜսʋμ🅤🆄',
  v: 'νᴠѵ🅥🆅',
  w: 'ωԝᴡա🅦🆆',
  x: 'хχ🅧🆇',
  y: 'уγʏү🅨🆈',
  z: 'ζᴢ🅩🆉',
  ς: 'σ',
};

const letterByLookAlike: ReadonlyMap<number, number> = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    Array.from(others, (other) => [toCode(other), toCode(letter)] as const),
  ),
);

/** Digits and signs that are written for letters within words; the last two for either of two. */
export const standIns: ReadonlyMap<number, readonly [letter: number, other: number]> = new Map(
  [
    ['0', 'o'],
    ['3', 'e'],
    ['4', 'a'],
    ['5', 's'],
    ['7', 't'],
    ['8', 'b'],
    ['@', 'a'],
    ['$', 's'],
    ['€', 'e'],
    ['!', 'i'],
    ['1', 'i', 'l'],
    ['|', 'i', 'l'],
  ].map(([sign = '', letter = '', other = letter]) => [
    toCode(sign),
    [toCode(letter), toCode(other)],
  ]),
);

export function toCode(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const wordSign = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts that put no spaces between words: there a word may begin and end anywhere. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const knownSigns = new Uint8Array(0x1_00_00);

/** Whether a sign belongs to the word beside it. */
function isInWord(code: number): boolean {
  const known = knownSigns[code] ?? 0;
  if (known !== 0) {
    return known === 2;
  }
  const sign = String.fromCodePoint(code);
  const isOne = wordSign.test(sign) && !unspaced.test(sign);
  knownSigns[code] = isOne ? 2 : 1;
  return isOne;
}

export const startFlag = 1;
export const endFlag = 2;

/** A text as it is searched: one number for each sign. */
export type Signs = {
  readonly codes: Int32Array;
  /** Where a word may begin and end. */
  readonly flags: Uint8Array;
  /** The same signs with letters for those that stand for them; the same array where there are none. */
  readonly asLetters: Int32Array;
  readonly asOtherLetters: Int32Array;
};

/** The signs of a text that `foldText` has returned. */
export function toSigns(folded: string): Signs {
  const all = new Int32Array(folded.length);
  let length = 0;
  for (let at = 0; at < folded.length; length += 1) {
    const code = folded.codePointAt(at) ?? 0;
    all[length] = code < 128 ? code : (letterByLookAlike.get(code) ?? code);
    at += code > 0xff_ff ? 2 : 1;
  }
  const codes = all.subarray(0, length);
  return { codes, flags: toFlags(codes), ...replaceStandIns(codes) };
}

function toFlags(codes: Int32Array): Uint8Array {
  const flags = new Uint8Array(codes.length);
  let wasInWord = false;
  for (let index = 0; index < codes.length; index += 1) {
    const isNow = isInWord(codes[index] ?? 0);
    if (!isNow || !wasInWord) {
      flags[index] = startFlag;
      if (index > 0) {
        flags[index - 1] = (flags[index - 1] ?? 0) | endFlag;
      }
    }
    if (!isNow) {
      flags[index] = startFlag | endFlag;
    }
    wasInWord = isNow;
  }
  if (codes.length > 0) {
    flags[codes.length - 1] = (flags[codes.length - 1] ?? 0) | endFlag;
  }
  return flags;
}

/** A number stays a number: only in a word with a letter a digit stands for another. */
export function replaceStandIns(codes: Int32Array): Pick<Signs, 'asLetters' | 'asOtherLetters'> {
  let asLetters = codes;
  let asOtherLetters = codes;
  for (let start = 0; start < codes.length;) {
    const { end, hasLetter } = readWord(codes, start);
    for (let index = hasLetter ? start : end; index < end; index += 1) {
      const stand = standIns.get(codes[index] ?? 0);
      if (stand !== undefined) {
        asLetters = asLetters === codes ? codes.slice() : asLetters;
        asOtherLetters = asOtherLetters === codes ? codes.slice() : asOtherLetters;
        [asLetters[index], asOtherLetters[index]] = stand;
      }
    }
    start = Math.max(end, start + 1);
  }
  return { asLetters, asOtherLetters };
}

const dollar = toCode('$');

/** A word with the signs in it that may stand for letters. After a word they do not, but a dollar may. */
function readWord(codes: Int32Array, start: number) {
  let end = start;
  let hasLetter = false;
  for (let at = start; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    const isInside = isInWord(code);
    if (!isInside && !standIns.has(code)) {
      break;
    }
    hasLetter ||= isInside && !isDigit(code);
    end = isInside || code === dollar ? at + 1 : end;
  }
  return { end, hasLetter };
}
