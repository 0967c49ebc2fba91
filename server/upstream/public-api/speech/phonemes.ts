/**
 * The sounds of speech as a throat makes them: where the mouth resonates (F1 to F3), how much voice, breath and
 * hiss there is, and how long it lasts. Values are the averages of phonetics textbooks for a grown-up's voice.
 */

/** What the mouth does for a while. */
export type Gesture = {
  /** Hertz; taken from the sound after it when absent. */
  readonly formants?: readonly [number, number, number];
  /** From 0 to 1 each: the vocal cords, breath through the mouth, hiss at a narrow place. */
  readonly voice: number;
  readonly breath: number;
  readonly hiss: number;
  /** Hertz of the hiss. */
  readonly hissHz: number;
  readonly ms: number;
};

type Sound = readonly Gesture[];

const silent = { voice: 0, breath: 0, hiss: 0, hissHz: 4000 } as const;

type Formants = readonly [number, number, number];

const vowel = (formants: Formants, ms = 95): Sound => [{ ...silent, formants, voice: 1, ms }];
const glide = (formants: Formants, ms = 45): Sound => [{ ...silent, formants, voice: 0.7, ms }];
const nasal = (f2: number, ms = 65): Sound => [
  { ...silent, formants: [260, f2, 2500], voice: 0.42, ms },
];
const fricative = (hissHz: number, hiss: number, voice = 0): Sound => [
  { ...silent, hiss, hissHz, voice, ms: voice > 0 ? 65 : 95 },
];

type Burst = {
  readonly hz: number;
  readonly voice?: number;
  /** Milliseconds of breath after the burst. */
  readonly breathMs?: number;
  readonly closureMs?: number;
};

/** The mouth shuts, bursts open, and breathes until the voice begins. */
const stop = ({ hz, voice = 0, breathMs = 0, closureMs = 55 }: Burst): Sound => [
  { ...silent, voice, ms: closureMs },
  { ...silent, voice, hiss: 0.75, hissHz: hz, ms: 12 },
  ...(breathMs > 0 ? [{ ...silent, breath: 0.5, ms: breathMs }] : []),
];

const affricate = (hissHz: number, voice = 0, breathMs = 0): Sound => [
  { ...silent, voice, ms: 45 },
  { ...silent, voice, hiss: 0.6, hissHz, ms: 55 },
  ...(breathMs > 0 ? [{ ...silent, breath: 0.4, ms: breathMs }] : []),
];

/** Names are ours: near to how the sounds are written in dictionaries, without special letters. */
const sounds = {
  a: vowel([740, 1280, 2550]),
  aa: vowel([720, 1090, 2440], 130),
  ae: vowel([680, 1720, 2450], 110),
  e: vowel([500, 1850, 2550]),
  eh: vowel([560, 1780, 2500], 85),
  i: vowel([290, 2280, 2980]),
  ii: vowel([280, 2320, 3000], 125),
  ih: vowel([400, 1980, 2560], 70),
  o: vowel([480, 880, 2400]),
  oh: vowel([570, 860, 2410], 115),
  u: vowel([330, 900, 2250]),
  uu: vowel([310, 880, 2240], 120),
  uh: vowel([440, 1050, 2240], 75),
  ah: vowel([620, 1200, 2450], 80),
  ax: vowel([500, 1480, 2480], 55),
  er: vowel([490, 1350, 1690], 115),
  y: vowel([290, 1850, 2250]),
  w_: vowel([340, 1320, 2350]),
  eo: vowel([560, 980, 2500]),
  ee: vowel([460, 1180, 2450]),
  ir: vowel([370, 1450, 2350]),
  j: glide([280, 2250, 2950]),
  w: glide([300, 720, 2200]),
  r: glide([330, 1150, 1580], 55),
  l: glide([360, 1050, 2750], 55),
  tap: glide([340, 1550, 2600], 24),
  m: nasal(1000),
  n: nasal(1550),
  ng: nasal(2050),
  f: fricative(7000, 0.28),
  v: fricative(6500, 0.12, 0.5),
  th: fricative(6800, 0.2),
  dh: fricative(6000, 0.08, 0.55),
  s: fricative(6600, 0.6),
  z: fricative(6400, 0.35, 0.4),
  sh: fricative(3100, 0.6),
  zh: fricative(2900, 0.35, 0.4),
  x: fricative(4300, 0.55),
  h: [{ ...silent, breath: 0.55, ms: 60 }],
  p: stop({ hz: 900, breathMs: 40 }),
  t: stop({ hz: 4300, breathMs: 40 }),
  k: stop({ hz: 2000, breathMs: 45 }),
  b: stop({ hz: 800, voice: 0.25 }),
  d: stop({ hz: 3800, voice: 0.25 }),
  g: stop({ hz: 1900, voice: 0.25 }),
  pp: stop({ hz: 900, closureMs: 95 }),
  tt: stop({ hz: 4300, closureMs: 95 }),
  kk: stop({ hz: 2000, closureMs: 95 }),
  ts: affricate(6400),
  tsh: affricate(6400, 0, 40),
  ch: affricate(3400, 0, 15),
  jh: affricate(3200, 0.25),
  tx: affricate(4200, 0, 45),
  dx: affricate(4200),
  cr: affricate(2800, 0, 45),
  jr: affricate(2800),
  /** A stop before another stop, or a long consonant. */
  q: [{ ...silent, ms: 85 }],
  comma: [{ ...silent, ms: 190 }],
  period: [{ ...silent, ms: 360 }],
} as const satisfies Readonly<Record<string, Sound>>;

const table = new Map<string, Sound>(Object.entries(sounds));

export function gesturesOf(name: string): Sound {
  const found = table.get(name);
  if (!found) {
    throw new Error(`There is no sound called ${name}`);
  }
  return found;
}

export function isPause(name: string): boolean {
  return name === 'comma' || name === 'period';
}

/** A sound with a voice that carries the melody. */
export function isVowel(name: string): boolean {
  const [first] = gesturesOf(name);
  return first?.voice === 1;
}
