/** Numbers in words: English by hundreds and thousands, the languages of East Asia by ten thousands. */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

export function englishNumber(value: number): string {
  if (value < 20) {
    return small[value] ?? '';
  }
  if (value < 100) {
    return joined(tens[Math.floor(value / 10)] ?? '', value % 10);
  }
  if (value < 1000) {
    return joined(`${englishNumber(Math.floor(value / 100))} hundred`, value % 100);
  }
  return value < 1_000_000
    ? joined(`${englishNumber(Math.floor(value / 1000))} thousand`, value % 1000)
    : joined(`${englishNumber(Math.floor(value / 1_000_000))} million`, value % 1_000_000);
}

function joined(start: string, rest: number): string {
  return rest === 0 ? start : `${start} ${englishNumber(rest)}`;
}

export type NumberWords = {
  /** Zero to nine. */
  readonly digits: readonly string[];
  /** Nothing, ten, hundred, thousand. */
  readonly places: readonly string[];
  readonly tenThousand: string;
  /** Whether ten is said without a one before it. */
  readonly dropsOne: boolean;
};

/** Up to a hundred million. */
export function eastAsianNumber(value: number, words: NumberWords): string {
  if (value === 0) {
    return words.digits[0] ?? '';
  }
  const [high, low] = [Math.floor(value / 10_000), value % 10_000];
  return high === 0
    ? upToThousands(low, words)
    : `${upToThousands(high, words)}${words.tenThousand}${low === 0 ? '' : upToThousands(low, words)}`;
}

function upToThousands(value: number, { digits, places, dropsOne }: NumberWords): string {
  const all = String(value).split('');
  return all
    .map((text, index) => {
      const digit = Number(text);
      const place = places[all.length - 1 - index] ?? '';
      const isSilentOne = digit === 1 && place !== '' && dropsOne;
      return digit === 0 ? '' : `${isSilentOne ? '' : (digits[digit] ?? '')}${place}`;
    })
    .join('');
}

export const japaneseNumbers: NumberWords = {
  digits: ['ゼロ', 'いち', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はち', 'きゅう'],
  places: ['', 'じゅう', 'ひゃく', 'せん'],
  tenThousand: 'まん',
  dropsOne: true,
};

export const chineseNumbers: NumberWords = {
  digits: '零一二三四五六七八九'.split(''),
  places: ['', '十', '百', '千'],
  tenThousand: '万',
  dropsOne: false,
};

export const koreanNumbers: NumberWords = {
  digits: '영일이삼사오육칠팔구'.split(''),
  places: ['', '십', '백', '천'],
  tenThousand: '만',
  dropsOne: true,
};
