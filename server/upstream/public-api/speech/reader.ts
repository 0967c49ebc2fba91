/** Turns a text into sounds: each script by its own reader, numbers and pauses by the language of the text. */
import { type SpeechLanguage } from '#contract/playground/speech';

import { readEnglish } from './english.ts';
import { readJapanese, toKana } from './japanese.ts';
import { readKorean } from './korean.ts';
import {
  chineseNumbers,
  eastAsianNumber,
  englishNumber,
  japaneseNumbers,
  koreanNumbers,
} from './numbers.ts';
import { spoken, type Spoken } from './utterance.ts';

export type Reading = {
  readonly sounds: readonly Spoken[];
  /** Words and characters that could not be read. */
  readonly unread: readonly string[];
};

const numberWords = { ja: japaneseNumbers, zh: chineseNumbers, ko: koreanNumbers } as const;
/** Longer numbers are read digit by digit. */
const longestNumber = 8;

const han = /\p{Script=Han}/u;
const pieces =
  /(?<latin>[\p{Script=Latin}'’]+)|(?<hangul>\p{Script=Hangul}+)|(?<kana>[\p{Script=Hiragana}\p{Script=Katakana}ー]+)|(?<han>\p{Script=Han}+)|(?<stop>[.!?。！？…\n]+)|(?<comma>[,;:、，；：]+)|(?<letters>[\p{L}\p{N}]+)/gu;

type Reader = (text: string) => readonly Spoken[] | undefined;

export async function readText(text: string, language: SpeechLanguage): Promise<Reading> {
  const ready = language === 'ja' ? toKana(text.normalize('NFKC')) : undefined;
  const prepared = (ready?.kana ?? text.normalize('NFKC')).replaceAll(
    /\d+/g,
    (digits) => ` ${inWords(digits, language)} `,
  );
  // The dictionary takes thirty megabytes: only servers that speak Chinese have it.
  const readChinese = han.test(prepared) ? (await import('./chinese.ts')).readChinese : undefined;
  const unread: string[] = [...(ready?.unread ?? [])];
  const sounds = [...prepared.matchAll(pieces)].flatMap(({ 0: piece, groups = {} }) => {
    const read = readPiece({ piece, groups, readChinese });
    if (read === undefined) {
      unread.push(piece);
    }
    return read ?? [];
  });
  return { sounds, unread: [...new Set(unread)] };
}

function readPiece({
  piece,
  groups,
  readChinese,
}: {
  readonly piece: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly readChinese: Reader | undefined;
}): readonly Spoken[] | undefined {
  if (groups['stop'] !== undefined) {
    return spoken('period');
  }
  if (groups['comma'] !== undefined) {
    return spoken('comma');
  }
  if (groups['latin'] !== undefined) {
    return readEnglish(piece);
  }
  if (groups['hangul'] !== undefined) {
    return readKorean(piece.normalize('NFC'));
  }
  if (groups['kana'] !== undefined) {
    return readJapanese(piece);
  }
  return groups['han'] === undefined ? undefined : readChinese?.(piece);
}

function inWords(digits: string, language: SpeechLanguage): string {
  const numbers = digits.length > longestNumber ? Array.from(digits, Number) : [Number(digits)];
  return numbers
    .map((value) =>
      language === 'en' ? englishNumber(value) : eastAsianNumber(value, numberWords[language]),
    )
    .join(' ');
}
