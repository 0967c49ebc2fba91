/** Reads English words by the rules of its spelling, and the commonest exceptions from a list. */
import { entriesOf, exceptions, letterNames } from './english-words.ts';
import { isVowel } from './phonemes.ts';
import { spoken, type Spoken } from './utterance.ts';

/** The first rule that fits speaks; `$` at the end means the end of the word. */
const rules: readonly (readonly [RegExp, string])[] = entriesOf(String.raw`
  tion: sh ax n | sion: zh ax n | ture: ch er | ough: ax uh | augh: oh | eigh: e ih | igh: a ih
  tch: ch | dge: jh | sch: s k | ious: i ax s | ous$: ax s | ful$: f ax l | ness$: n ax s
  ment$: m ax n t | ing$: ih ng | ings$: ih ng z | ed$: d | es$: z | le$: ax l | air: eh r
  are$: eh r | ear: ih r | eer: ih r | ire: a ih r | ure: j uu r | oor: oh r | ore: oh r
  our: oh r | ar: aa r | or: oh r | er: er | ir: er | ur: er | ai: e ih | ay: e ih | au: oh
  aw: oh | ea: ii | ee: ii | ei: ii | ew: uu | ey$: i | ie$: a ih | ie: ii | oa: ax uh
  oe$: ax uh | oi: oh ih | oy: oh ih | oo: uu | ou: a uh | ow$: ax uh | ow: a uh | ue$: uu
  ui: uu | wh: w | ph: f | sh: sh | ch: ch | th: th | ng$: ng | nk: ng k | ck: k | qu: k w | gh: g
  wr: r | a(?=[bcdfgklmnpstvz]es?$): e ih | e(?=[bcdfgklmnpstvz]es?$): ii
  i(?=[bcdfgklmnpstvz]es?$): a ih | o(?=[bcdfgklmnpstvz]es?$): ax uh | u(?=[bcdfgklmnpstvz]es?$): uu
  y(?=[bcdfgklmnpstvz]es?$): a ih | al(?=[klmt]): oh l | a$: ax | o$: ax uh | i$: i | u$: uu | y$: i
  e$: | c(?=[eiy]): s | g(?=[eiy]): jh | y(?=[aeiou]): j | ([bcdfgklmnprstz])\1: = | a: ae | b: b
  c: k | d: d | e: eh | f: f | g: g | h: h | i: ih | j: jh | k: k | l: l | m: m | n: n | o: aa
  p: p | q: k | r: r | s: s | t: t | u: ah | v: v | w: w | x: k s | y: ih | z: z
`).map(([spelling, sounds]) => [new RegExp(`^${spelling.replace('$', '(?![a-z])')}`), sounds]);

/** A word of Latin letters. Accents are read as their letters. */
export function readEnglish(word: string): readonly Spoken[] | undefined {
  const letters = word
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
  if (letters === '') {
    return undefined;
  }
  const isAbbreviation = /^[A-Z]{2,4}$/.test(word) || !/[aeiouy]/.test(letters);
  return stress(
    spoken(exceptions.get(letters) ?? (isAbbreviation ? namesOf(letters) : bySpelling(letters))),
  );
}

function namesOf(letters: string): string {
  return Array.from(letters, (letter) => letterNames.get(letter) ?? '').join(' ');
}

function bySpelling(word: string): string {
  const parts: string[] = [];
  // What begins a word silently: knife, write, psalm.
  let rest = word.replace(/^kn/, 'n').replace(/^wr/, 'r').replace(/^ps/, 's');
  while (rest !== '') {
    const rule = rules.find(([spelling]) => spelling.test(rest));
    const length = rule ? (rule[0].exec(rest)?.[0].length ?? 1) : 1;
    // A doubled letter is said once.
    const isDoubled = rule?.[1] === '=';
    parts.push(isDoubled ? '' : (rule?.[1] ?? ''));
    rest = rest.slice(isDoubled ? 1 : Math.max(1, length));
  }
  return parts.join(' ');
}

/** The first full vowel of a word is the one that is heard most. */
function stress(word: readonly Spoken[]): readonly Spoken[] {
  const at = word.findIndex(({ sound }) => sound !== 'ax' && isVowel(sound));
  return word.map((one, index) =>
    index === at ? { ...one, length: 1.2, pitch: [1.12, 1.06] } : { ...one, length: 0.92 },
  );
}
