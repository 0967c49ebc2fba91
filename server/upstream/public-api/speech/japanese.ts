/** Reads Japanese: kana by their sounds, and the commonest words in kanji from a list. Other kanji are not read. */
import { entriesOf } from './english-words.ts';
import { spoken, type Spoken } from './utterance.ts';

const rows: Readonly<Record<string, string>> = {
  '': 'あいうえお',
  k: 'かきくけこ',
  s: 'さ-すせそ',
  t: 'た--てと',
  n: 'なにぬねの',
  h: 'は--へほ',
  m: 'まみむめも',
  tap: 'らりるれろ',
  g: 'がぎぐげご',
  z: 'ざ-ずぜぞ',
  d: 'だ--でど',
  b: 'ばびぶべぼ',
  p: 'ぱぴぷぺぽ',
};
const vowels = ['a', 'i', 'w_', 'e', 'o'] as const;

const kana = new Map<string, string>([
  ...Object.entries(rows).flatMap(([consonant, letters]) =>
    Array.from(
      letters,
      (letter, index) => [letter, `${consonant} ${vowels[index] ?? ''}`] as const,
    ),
  ),
  ...Object.entries({
    し: 'x i',
    ち: 'ch i',
    つ: 'ts w_',
    ひ: 'h i',
    ふ: 'f w_',
    じ: 'jh i',
    ぢ: 'jh i',
    づ: 'z w_',
    や: 'j a',
    ゆ: 'j w_',
    よ: 'j o',
    わ: 'w a',
    を: 'o',
    ん: 'n',
    っ: 'q',
    ゔ: 'b w_',
    ぁ: 'a',
    ぃ: 'i',
    ぅ: 'w_',
    ぇ: 'e',
    ぉ: 'o',
    ゃ: 'j a',
    ゅ: 'j w_',
    ょ: 'j o',
    ゎ: 'w a',
    ゐ: 'i',
    ゑ: 'e',
  }),
]);
const smallOnes = new Map([
  ['ゃ', 'j a'],
  ['ゅ', 'j w_'],
  ['ょ', 'j o'],
  ['ぁ', 'a'],
  ['ぃ', 'i'],
  ['ぅ', 'w_'],
  ['ぇ', 'e'],
  ['ぉ', 'o'],
]);

/** Longest first, as they are looked for in this order. */
const words = entriesOf(`
  今日は: こんにちわ | こんにちは: こんにちわ | こんばんは: こんばんわ | 日本語: にほんご | お早う: おはよう | 有難う: ありがとう | 世界: せかい
  日本: にほん | 東京: とうきょう | 今日: きょう | 明日: あした | 昨日: きのう | 今年: ことし | 先生: せんせい | 学生: がくせい | 学校: がっこう
  電話: でんわ | 電車: でんしゃ | 友達: ともだち | 元気: げんき | 天気: てんき | 名前: なまえ | 時間: じかん | 英語: えいご | 言葉: ことば
  音楽: おんがく | 映画: えいが | 漫画: まんが | 写真: しゃしん | 大丈夫: だいじょうぶ | 大好き: だいすき | 世の中: よのなか | 私: わたし | 僕: ぼく
  君: きみ | 彼女: かのじょ | 彼: かれ | 人: ひと | 猫: ねこ | 犬: いぬ | 花: はな | 海: うみ | 山: やま | 空: そら | 雨: あめ | 雪: ゆき
  月: つき | 日: ひ | 本: ほん | 水: みず | 火: ひ | 木: き | 朝: あさ | 夜: よる | 今: いま | 何: なに | 声: こえ | 話: はなし
  夢: ゆめ | 心: こころ | 愛: あい | 好き: すき | 見: み | 行: い | 来: き | 食べ: たべ | 飲: の | 言: い | 一: いち | 二: に
  三: さん | 四: よん | 五: ご | 六: ろく | 七: なな | 八: はち | 九: きゅう | 十: じゅう | 百: ひゃく | 千: せん | 万: まん | 円: えん
  年: ねん | 大: おお | 小: ちい | 中: なか | 上: うえ | 下: した
`).toSorted(([one], [other]) => other.length - one.length);

/** The kana of a text, and the characters in it that nothing is known about. */
export function toKana(text: string): {
  readonly kana: string;
  readonly unread: readonly string[];
} {
  const unread: string[] = [];
  let read = '';
  let rest = text;
  while (rest !== '') {
    const at = rest;
    const word = words.find(([written]) => at.startsWith(written));
    const [letter = ''] = at;
    if (word) {
      read += word[1];
    } else if (/\p{Script=Han}/u.test(letter)) {
      unread.push(letter);
    } else {
      read += letter;
    }
    rest = at.slice(word ? word[0].length : Math.max(1, letter.length));
  }
  return { kana: read, unread };
}

/** Hiragana and katakana. */
export function readJapanese(text: string): readonly Spoken[] | undefined {
  const moras = morasOf(toHiragana(text));
  if (moras.length === 0) {
    return undefined;
  }
  return moras.flatMap((mora, index) => {
    // The usual melody: low at the start, then high, then slowly down.
    const height = index === 0 ? 0.92 : Math.max(0.94, 1.16 - index * 0.025);
    return spoken(mora, { pitch: [height, height], length: mora === 'n' ? 1.3 : 0.9 });
  });
}

function toHiragana(text: string): string {
  return text.replaceAll(/[ァ-ヴ]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x60),
  );
}

function morasOf(text: string): readonly string[] {
  const letters = Array.from(text);
  return letters.flatMap((letter, index) => {
    const next = smallOnes.get(letters[index + 1] ?? '');
    if (letter === 'ー') {
      return [/\S+$/.exec(kana.get(letters[index - 1] ?? '') ?? '')?.[0] ?? []].flat();
    }
    const sounds = kana.get(letter)?.trim();
    // A small letter was said with the one before it.
    if (sounds === undefined || (index > 0 && smallOnes.has(letter))) {
      return [];
    }
    return [next === undefined ? sounds : joined(sounds, next)];
  });
}

/** Two letters as one mora: the vowel of the first gives way. */
function joined(sounds: string, next: string): string {
  const consonant = sounds.replace(/\S+$/, '').trim();
  const isSoftAlready = ['x', 'ch', 'jh'].includes(consonant);
  return `${consonant} ${isSoftAlready ? next.replace('j ', '') : next}`.trim();
}
