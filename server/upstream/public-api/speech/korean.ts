/** Reads Korean: takes each block of Hangul apart, and joins the sounds as they are said in a row. */
import { spoken, type Spoken } from './utterance.ts';

const first = 0xac00;
const last = 0xd7a3;
const medialCount = 21;
const finalCount = 28;

/** In the order of Unicode; an empty one is silent. */
const initials = 'g kk n d tt tap m b pp s s - dx tt_ tx k t p h'.split(' ');
/** After these a soft consonant has a voice. */
const voicedEnds = new Set<string>(['', 'n', 'm', 'ng', 'l']);
const betweenVowels = new Map([
  ['tt_', 'dx'],
  ['g', 'g'],
  ['d', 'd'],
  ['b', 'b'],
  ['dx', 'jh'],
]);
/** What soft consonants are at the start of a word: without voice. */
const atStart = new Map([
  ['g', 'k'],
  ['d', 't'],
  ['b', 'p'],
  ['dx', 'ch'],
  ['tt_', 'dx'],
]);
const medials = [
  'a',
  'eh',
  'j a',
  'j eh',
  'eo',
  'e',
  'j eo',
  'j e',
  'o',
  'w a',
  'w eh',
  'w e',
  'j o',
  'u',
  'w eo',
  'w e',
  'w i',
  'j u',
  'w_',
  'w_ i',
  'i',
] as const;
/** What a final consonant is by itself, and what it gives to a vowel after it. */
const finals = [
  ['', ''],
  ['k', 'g'],
  ['k', 'kk'],
  ['k', 's'],
  ['n', 'n'],
  ['n', 'jh'],
  ['n', 'n'],
  ['t', 'd'],
  ['l', 'tap'],
  ['k', 'g'],
  ['m', 'm'],
  ['l', 'b'],
  ['l', 's'],
  ['l', 't'],
  ['p', 'p'],
  ['l', 'tap'],
  ['m', 'm'],
  ['p', 'b'],
  ['p', 's'],
  ['t', 's'],
  ['t', 's'],
  ['ng', 'ng'],
  ['t', 'jh'],
  ['t', 'tx'],
  ['k', 'k'],
  ['t', 't'],
  ['p', 'p'],
  ['', ''],
] as const;
/** Stops before a nasal become nasals themselves. */
const nasals = new Map([
  ['k', 'ng'],
  ['t', 'n'],
  ['p', 'm'],
]);

type Block = { readonly initial: string; readonly medial: string; readonly final: number };

export function readKorean(text: string): readonly Spoken[] | undefined {
  const blocks = Array.from(text, blockOf).filter((block) => block !== undefined);
  if (blocks.length === 0) {
    return undefined;
  }
  return blocks.flatMap((block, index) => {
    const before = blocks[index - 1];
    const after = blocks[index + 1];
    const pitch = index === 0 ? ([0.95, 1.02] as const) : ([1.06, 1.0] as const);
    return spoken(`${onset(block, before)} ${block.medial} ${coda(block, after)}`, {
      pitch,
      length: 0.95,
    });
  });
}

function blockOf(letter: string): Block | undefined {
  const code = letter.codePointAt(0) ?? 0;
  if (code < first || code > last) {
    return undefined;
  }
  const number = code - first;
  const perInitial = medialCount * finalCount;
  return {
    initial: initials[Math.floor(number / perInitial)] ?? '-',
    medial: medials[Math.floor((number % perInitial) / finalCount)] ?? 'a',
    final: number % finalCount,
  };
}

function onset({ initial, medial }: Block, before: Block | undefined): string {
  if (initial === '-') {
    // A final consonant moves over to the vowel.
    return before ? (finals[before.final]?.[1] ?? '') : '';
  }
  if (initial === 's' && medial.startsWith('i')) {
    return 'x';
  }
  const isVoiced = before !== undefined && voicedEnds.has(finals[before.final]?.[0] ?? '');
  const changed = (isVoiced ? betweenVowels : atStart).get(initial);
  return changed ?? initial;
}

function coda({ final }: Block, after: Block | undefined): string {
  const [alone] = finals[final] ?? ['', ''];
  if (alone === '' || (after?.initial === '-' && alone !== 'ng')) {
    return '';
  }
  if (after && (after.initial === 'n' || after.initial === 'm')) {
    return nasals.get(alone) ?? alone;
  }
  // It is only shut, and not let go.
  return ['k', 't', 'p'].includes(alone) ? 'q' : alone;
}
