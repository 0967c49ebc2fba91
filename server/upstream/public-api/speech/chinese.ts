/** Reads Chinese: Pinyin of a dictionary, and each syllable with the melody of its tone. */
import { pinyin } from 'pinyin-pro';

import { spoken, type Spoken } from './utterance.ts';

const initials = new Map(
  Object.entries({
    b: 'b',
    p: 'p',
    m: 'm',
    f: 'f',
    d: 'd',
    t: 't',
    n: 'n',
    l: 'l',
    g: 'g',
    k: 'k',
    h: 'h',
    j: 'dx',
    q: 'tx',
    x: 'x',
    zh: 'jr',
    ch: 'cr',
    sh: 'sh',
    r: 'zh',
    z: 'ts',
    c: 'tsh',
    s: 's',
  }),
);
const finals = new Map(
  Object.entries({
    a: 'a',
    ai: 'a ih',
    ao: 'a uh',
    an: 'a n',
    ang: 'aa ng',
    e: 'ee',
    ei: 'e ih',
    en: 'ax n',
    eng: 'ee ng',
    er: 'er',
    i: 'i',
    ia: 'j a',
    ie: 'j eh',
    iao: 'j a uh',
    iu: 'j o uh',
    ian: 'j eh n',
    in: 'i n',
    iang: 'j aa ng',
    ing: 'i ng',
    iong: 'j o ng',
    o: 'w o',
    ou: 'o uh',
    ong: 'o ng',
    u: 'u',
    ua: 'w a',
    uo: 'w o',
    uai: 'w a ih',
    ui: 'w e ih',
    uan: 'w a n',
    un: 'w ax n',
    uang: 'w aa ng',
    ueng: 'w ee ng',
    ü: 'y',
    üe: 'y eh',
    üan: 'y eh n',
    ün: 'y n',
    ê: 'eh',
  }),
);
/** Start and end of the pitch; the third tone is told in two halves. */
const tones = [
  [0.92, 0.86],
  [1.24, 1.24],
  [0.92, 1.26],
  [0.84, 0.72],
  [1.34, 0.78],
] as const;

/** Chinese characters. */
export function readChinese(text: string): readonly Spoken[] | undefined {
  const syllables = pinyin(text, { toneType: 'num', type: 'array', v: true, nonZh: 'removed' });
  const said = syllables.flatMap((syllable, index) => {
    const tone = Number(/\d$/.exec(syllable)?.[0] ?? 0);
    const nextTone = Number(/\d$/.exec(syllables[index + 1] ?? '')?.[0] ?? 0);
    // Of two third tones in a row the first is said as a second one.
    return readSyllable(syllable.replace(/\d$/, ''), tone === 3 && nextTone === 3 ? 2 : tone) ?? [];
  });
  return said.length === 0 ? undefined : said;
}

/** A syllable of Pinyin without its tone; undefined for what is none. */
function readSyllable(written: string, tone: number): readonly Spoken[] | undefined {
  const [, initial = '', rest = ''] =
    /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcs])?(.+)$/.exec(withoutGlides(written)) ?? [];
  const isFront = ['j', 'q', 'x'].includes(initial) && rest.startsWith('u');
  const final = isFront ? rest.replace('u', 'ü') : rest.replace('v', 'ü');
  const sounds = vowelsOf(initial, final);
  if (sounds === undefined) {
    return undefined;
  }
  const [start, end] = tones[tone] ?? tones[0];
  const onset = spoken(initials.get(initial) ?? '', { pitch: [start, start] });
  const names = sounds.split(' ');
  const length = tone === 0 ? 0.65 : tone === 3 ? 1.2 : 1;
  const at = (part: number) => start + (end - start) * part;
  return [
    ...onset,
    ...names.map((sound, index) => ({
      sound,
      length,
      pitch: [at(index / names.length), at((index + 1) / names.length)] as const,
    })),
  ];
}

/** y and w only say that a syllable begins with its vowel. */
function withoutGlides(written: string): string {
  return written
    .replace(/^yu/, 'v')
    .replace(/^yi/, 'i')
    .replace(/^you$/, 'iu')
    .replace(/^y/, 'i')
    .replace(/^wu/, 'u')
    .replace(/^wei$/, 'ui')
    .replace(/^wen$/, 'un')
    .replace(/^w/, 'u');
}

function vowelsOf(initial: string, final: string): string | undefined {
  const isBuzzing = final === 'i' && /^(?:zh|ch|sh|[rzcs])$/.test(initial);
  return isBuzzing ? 'ir' : finals.get(final);
}
