/** Reads a prompt: the palette, the place, and what all parts of a picture share. */
import { brightness, type Canvas, type Colour, parseColour, createCanvas } from './drawing.ts';
import { type Chance, chanceFrom, createNoise, type Noise } from './random.ts';

type Palette = {
  readonly name: PaletteName;
  /** The sky from top to bottom: `zenith`, `sky`, `horizon`. */
  readonly zenith: Colour;
  readonly sky: Colour;
  readonly horizon: Colour;
  /** Sun, moon and the things they shine on. */
  readonly light: Colour;
  /** The land, far away and near. */
  readonly far: Colour;
  readonly near: Colour;
  /** Windows, petals, sparks. */
  readonly accent: Colour;
};

/** zenith, sky, horizon, light, far, near, accent */
const colours = {
  dusk: ['#31285f', '#93508c', '#ff9c74', '#ffe5b8', '#875680', '#1d1738', '#ffcf76'],
  dawn: ['#7eaed6', '#f0c4c6', '#ffe4c2', '#fff7e4', '#b499b6', '#3d3455', '#ff8ba1'],
  day: ['#3c82c4', '#8cc1e6', '#e0f1f4', '#fffdf4', '#8bb0c2', '#21465a', '#f6c24e'],
  night: ['#070a20', '#152456', '#375190', '#e9efff', '#29406f', '#060915', '#a4d3ff'],
  forest: ['#98c4ad', '#cce2c0', '#f3f0d4', '#fffbe4', '#7ba488', '#132f29', '#e9b14c'],
  blossom: ['#a5c2e6', '#f2cbdd', '#fdeaf0', '#fffaf8', '#c59bbd', '#4b2b4e', '#ff9abd'],
  snow: ['#6b8cb3', '#b5c8de', '#edf2f7', '#ffffff', '#a5bad4', '#2f4669', '#f3bba2'],
  ember: ['#200f1f', '#6d202b', '#e5642f', '#ffd98e', '#7b3034', '#150a11', '#ffb24a'],
  neon: ['#0f0732', '#3d1270', '#bd2d8e', '#86f6ff', '#4b1c8a', '#09041e', '#31edcf'],
  autumn: ['#6f94b8', '#e2c79b', '#fbe3b4', '#fff4d6', '#c07a4a', '#4a1f1b', '#f08a3c'],
  lagoon: ['#0c5c86', '#36a8b4', '#c4f1e0', '#fffbe0', '#4c9aa5', '#0c3a4c', '#ff8d6b'],
  dune: ['#5b7fa6', '#e9c39c', '#ffdba6', '#fff3d2', '#d99a64', '#5d2c2c', '#ffe9a8'],
  mono: ['#3b3d45', '#84868d', '#d8d6d0', '#fbf8f0', '#9a999a', '#1d1e22', '#e0dccf'],
} as const;

export type PaletteName = keyof typeof colours;

/** Beginnings of words. The palette that most words of a prompt match wins, then the first one. */
const moods: readonly [Mood, ...Mood[]] = [
  ['blossom', 'sakura cherry blossom petal pink rose spring kimono cute'],
  ['neon', 'neon cyber punk hologram vaporwave synthwave futur robot mecha'],
  ['night', 'night star moon galaxy space cosmic midnight planet nebula witch'],
  ['ember', 'fire flame lava volcan dragon demon war inferno ember red'],
  ['snow', 'snow ice icy winter frost arctic glacier silver white'],
  ['forest', 'forest tree wood green elf fairy nature jungle meadow moss'],
  ['dusk', 'sunset dusk evening twilight purple violet romantic'],
  ['dawn', 'dawn morning sunrise pastel soft dream gentle baby'],
  ['lagoon', 'sea ocean beach wave underwater mermaid island teal turquoise fish'],
  ['day', 'day sky blue cloud summer sunny bright'],
  ['autumn', 'autumn fall maple orange leaf leaves harvest fox cozy'],
  ['dune', 'desert dune sand egypt camel savanna gold western'],
  ['mono', 'monochrome grayscale greyscale ink noir charcoal pencil black'],
];
type Mood = readonly [name: PaletteName, words: string];

/** The colours of a palette as `#rrggbb`. */
export type Swatches = Readonly<Record<Exclude<keyof Palette, 'name'>, string>>;

export function getSwatches(name: PaletteName): Swatches {
  const [zenith, sky, horizon, light, far, near, accent] = colours[name];
  return { zenith, sky, horizon, light, far, near, accent };
}

function pickPalette(prompt: string, chance: Chance): Palette {
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  let [name] = chance.pick(moods);
  let maxMatches = 0;
  for (const [mood, starts] of moods) {
    const isMatch = (word: string) => starts.split(' ').some((start) => word.startsWith(start));
    const matches = words.filter(isMatch).length;
    if (matches > maxMatches) {
      name = mood;
      maxMatches = matches;
    }
  }

  const { zenith, sky, horizon, light, far, near, accent } = getSwatches(name);
  return {
    name,
    zenith: parseColour(zenith),
    sky: parseColour(sky),
    horizon: parseColour(horizon),
    light: parseColour(light),
    far: parseColour(far),
    near: parseColour(near),
    accent: parseColour(accent),
  };
}

/** All that the pixels depend on. */
export type SketchInput = {
  readonly prompt: string;
  readonly seed: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Any other text that makes the picture differ, such as a model's ID. */
  readonly variant?: string;
  /** A style of Imagine Art, which decides the colour grading. */
  readonly style?: string;
};

const places = ['ridges', 'water', 'city', 'dunes', 'space'] as const;
type Place = (typeof places)[number];

export type Scene = {
  readonly canvas: Canvas;
  readonly prompt: string;
  readonly chance: Chance;
  readonly noise: Noise;
  readonly palette: Palette;
  readonly place: Place;
  readonly isDark: boolean;
  /** The shorter side of the canvas, in pixels; all sizes are shares of it. */
  readonly size: number;
  /** The row where sky meets land. */
  readonly horizon: number;
  /** Sun or moon. */
  readonly light: { readonly x: number; readonly y: number; readonly radius: number };
};

const placeWords: Record<Place, RegExp> = {
  city: /\b(?:city|cities|town|street|skyline|building|skyscraper|urban|tokyo|downtown|cyber|neon|rooftop)/i,
  water:
    /\b(?:sea|ocean|lake|river|water|beach|wave|island|ship|boat|lagoon|harbou?r|mermaid|reflection)/i,
  dunes: /\b(?:desert|dune|sand|savanna|hill|meadow|field|valley|grass|farm)/i,
  space: /\b(?:space|planet|galaxy|nebula|cosmic|cosmos|orbit|astronaut|universe|alien|saturn)/i,
  ridges: /\b(?:mountain|ridge|forest|tree|wood|snow|peak|cliff|castle|dragon|fog|mist)/i,
};

export function createScene({ prompt, seed, width, height, variant = '' }: SketchInput): Scene {
  const words = prompt.normalize('NFKC').trim();
  const chance = chanceFrom(JSON.stringify([words, seed, width, height, variant]));
  const palette = pickPalette(words, chance);
  const anyPlace = chance.pick(['ridges', 'water', 'dunes', 'ridges', 'water'] as const);
  const place = places.find((name) => placeWords[name].test(words)) ?? anyPlace;
  const size = Math.min(width, height);
  const horizon = Math.round(height * pickHorizon(place, chance));
  return {
    canvas: createCanvas(width, height),
    prompt: words,
    chance,
    noise: createNoise(chance),
    palette,
    place,
    isDark: brightness(palette.zenith) < 72,
    size,
    horizon,
    light: {
      x: width * chance.between(0.24, 0.76),
      y: horizon * chance.between(0.3, 0.78),
      radius: size * chance.between(0.055, 0.115),
    },
  };
}

/** The share of the height that is sky. */
function pickHorizon(place: Place, chance: Chance): number {
  if (place === 'space') {
    return 1;
  }
  return place === 'water' ? chance.between(0.56, 0.66) : chance.between(0.66, 0.78);
}
