/**
 * The built-in models and LoRAs, shown while no image service is connected. They are fictional, a few
 * hundred, the same at every start, and named after no real person.
 */
import { createHash } from 'node:crypto';

import { type Composition, type CoverRequest } from '#server/upstream/images/sketch/cover';
import { type Motif } from '#server/upstream/images/sketch/cover-shapes';
import { type PaletteName } from '#server/upstream/images/sketch/scene';

/** First part of a name, and the colours and the air of its covers. */
const subjects = [
  { word: 'Tide', palettes: ['lagoon', 'day'], motif: 'none', tags: ['landscape', 'water'] },
  { word: 'Cedar', palettes: ['forest', 'autumn'], motif: 'leaves', tags: ['landscape', 'nature'] },
  { word: 'Lantern', palettes: ['night', 'ember'], motif: 'rain', tags: ['city', 'night'] },
  { word: 'Plum', palettes: ['blossom', 'dusk'], motif: 'petals', tags: ['nature', 'spring'] },
  { word: 'Ember', palettes: ['ember', 'dusk'], motif: 'sparks', tags: ['fantasy', 'dramatic'] },
  { word: 'Frost', palettes: ['snow', 'night'], motif: 'flakes', tags: ['landscape', 'winter'] },
  {
    word: 'Orbit',
    palettes: ['night', 'neon'],
    motif: 'stars',
    tags: ['space', 'science fiction'],
  },
  { word: 'Neon', palettes: ['neon'], motif: 'rain', tags: ['city', 'science fiction'] },
  { word: 'Dune', palettes: ['dune', 'autumn'], motif: 'none', tags: ['landscape', 'warm'] },
  { word: 'Meadow', palettes: ['day', 'forest'], motif: 'leaves', tags: ['nature', 'bright'] },
  { word: 'Harbour', palettes: ['dusk', 'lagoon'], motif: 'none', tags: ['water', 'evening'] },
  { word: 'Velvet', palettes: ['dawn', 'blossom'], motif: 'petals', tags: ['pastel', 'portrait'] },
  { word: 'Paper', palettes: ['dawn', 'mono'], motif: 'none', tags: ['illustration', 'pastel'] },
  { word: 'Moss', palettes: ['forest', 'lagoon'], motif: 'sparks', tags: ['nature', 'fantasy'] },
  { word: 'Comet', palettes: ['night', 'dusk'], motif: 'stars', tags: ['space', 'night'] },
  { word: 'Copper', palettes: ['autumn', 'dune'], motif: 'none', tags: ['city', 'warm'] },
] as const satisfies readonly Subject[];

type Subject = {
  readonly word: string;
  readonly palettes: readonly [PaletteName, ...PaletteName[]];
  readonly motif: Motif;
  readonly tags: readonly string[];
};

/** What a name promises is what its covers show. */
type Compositions = readonly [Composition, ...Composition[]];

/** Second part of a base model's name. */
const crafts = [
  { word: 'pool', compositions: ['koi', 'wave'] },
  { word: 'light', compositions: ['sunburst', 'portrait'] },
  { word: 'field', compositions: ['field', 'mountains'] },
  { word: 'song', compositions: ['bird'] },
  { word: 'works', compositions: ['city', 'mecha'] },
  { word: 'glass', compositions: ['bottle', 'still-life'] },
  { word: 'drift', compositions: ['flow', 'wanderer'] },
  { word: 'bloom', compositions: ['botanical', 'portrait'] },
  { word: 'haven', compositions: ['harbour', 'tea-house'] },
] as const satisfies readonly { readonly word: string; readonly compositions: Compositions }[];

/** Second part of a LoRA's name. */
const additions = [
  {
    name: 'Ink Wash',
    words: ['ink wash', 'monochrome brush'],
    tags: ['style'],
    compositions: ['ink-wash'],
  },
  {
    name: 'Gouache',
    words: ['gouache painting'],
    tags: ['style'],
    compositions: ['still-life', 'harbour', 'field'],
  },
  {
    name: 'Line Art',
    words: ['clean line art', 'flat colour'],
    tags: ['style'],
    compositions: ['line-art'],
  },
  {
    name: 'Film Grain',
    words: ['film grain', 'analog photo'],
    tags: ['photo'],
    compositions: ['film'],
  },
  {
    name: 'Stained Glass',
    words: ['stained glass'],
    tags: ['style'],
    compositions: ['stained-glass'],
  },
  {
    name: 'Rim Light',
    words: ['rim light', 'backlit'],
    tags: ['lighting'],
    compositions: ['rim-light'],
  },
  {
    name: 'Long Coat',
    words: ['long coat', 'scarf'],
    tags: ['clothing'],
    compositions: ['wanderer'],
  },
  {
    name: 'School Festival',
    words: ['school festival', 'food stalls'],
    tags: ['scene'],
    compositions: ['festival'],
  },
  {
    name: 'Tea House',
    words: ['tea house', 'tatami room'],
    tags: ['scene'],
    compositions: ['tea-house'],
  },
  {
    name: 'Pixel Art',
    words: ['pixel art'],
    tags: ['style', 'retro'],
    compositions: ['pixels'],
  },
  {
    name: 'Woodblock',
    words: ['woodblock print'],
    tags: ['style', 'retro'],
    compositions: ['wave', 'sunburst', 'bird'],
  },
  {
    name: 'Mecha Suit',
    words: ['mecha suit', 'armour plates'],
    tags: ['science fiction'],
    compositions: ['mecha'],
  },
] as const satisfies readonly {
  readonly name: string;
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly compositions: Compositions;
}[];

/** Types of base models, and of the LoRAs for them. */
const families = [
  { model: 'SDXL_MODEL', lora: 'SDXL_LORA', suffix: 'XL' },
  { model: 'SD_V1_MODEL', lora: 'SD_V1_LORA', suffix: '' },
  { model: 'DIT7_MODEL', lora: 'DIT7_LORA', suffix: 'Flow' },
] as const;

export type CatalogueModel = {
  /** Decimal digits, like those of PixAI. */
  readonly id: string;
  readonly versionId: string;
  readonly title: string;
  readonly type: string;
  readonly isNsfw: boolean;
  readonly likedCount: number;
  readonly refCount: number;
  readonly commentCount: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Popularity divided by age. */
  readonly trend: number;
  readonly tags: readonly string[];
  /** Empty for base models. */
  readonly triggerWords: readonly string[];
  readonly cover: Omit<CoverRequest, 'seed'>;
};

/** Pixels of a cover. */
const shapes: readonly [Shape, ...Shape[]] = [
  { width: 768, height: 1024 },
  { width: 832, height: 1216 },
  { width: 1024, height: 1024 },
  { width: 1024, height: 1024 },
  { width: 1152, height: 896 },
  { width: 896, height: 1152 },
];
type Shape = Pick<CoverRequest, 'width' | 'height'>;

const dayMs = 24 * 60 * 60_000;
const newestAt = Date.UTC(2026, 10, 1);
const maxAgeDays = 900;
const idDigits = 15;
/** One model in so many is for adults only. */
const adultEvery = 17;

/** Numbers that depend on a name only. */
function hashNumbers(name: string) {
  const digest = createHash('sha256').update(name).digest();
  return {
    /** From 0 to 1. */
    at: (index: number) => digest.readUInt16BE((index * 2) % 30) / 0xff_ff,
    id: (start: string) =>
      start + String(digest.readBigUInt64BE(8) % 10n ** BigInt(idDigits)).padStart(idDigits, '0'),
    version: (start: string) =>
      start + String(digest.readBigUInt64BE(16) % 10n ** BigInt(idDigits)).padStart(idDigits, '0'),
  };
}

type ModelPlan = {
  readonly title: string;
  readonly type: string;
  readonly subject: Subject;
  readonly compositions: Compositions;
  readonly tags: readonly string[];
  readonly triggerWords: readonly string[];
};

function toModel({
  title,
  type,
  subject,
  compositions,
  tags,
  triggerWords,
}: ModelPlan): CatalogueModel {
  const numbers = hashNumbers(`${title}|${type}`);
  const pick = <T>(choices: readonly [T, ...T[]], index: number) =>
    choices[Math.floor(numbers.at(index) * choices.length) % choices.length] ?? choices[0];
  const ageDays = numbers.at(1) ** 1.6 * maxAgeDays;
  // Few models have many likes.
  const likedCount = Math.round(12 + 48_000 * numbers.at(2) ** 6);
  return {
    id: numbers.id('17'),
    versionId: numbers.version('18'),
    title,
    type,
    isNsfw: Math.floor(numbers.at(3) * 10_000) % adultEvery === 0,
    likedCount,
    refCount: Math.round(likedCount * (2 + 60 * numbers.at(4))),
    commentCount: Math.round(likedCount / 90),
    createdAt: Math.round(newestAt - ageDays * dayMs),
    trend: likedCount / (ageDays + 20),
    tags,
    triggerWords,
    cover: {
      composition: pick(compositions, 5),
      palette: pick(subject.palettes, 6),
      motif: subject.motif,
      ...pick(shapes, 0),
    },
  };
}

function planModels(): readonly ModelPlan[] {
  const models = subjects.flatMap((subject, row) =>
    crafts.map((craft, column) => {
      const { model: type, suffix } = families[(row + column) % families.length] ?? families[0];
      const title = [`${subject.word}${craft.word}`, suffix].filter(Boolean).join(' ');
      const { compositions } = craft;
      return { title, type, subject, compositions, tags: subject.tags, triggerWords: [] };
    }),
  );
  const loras = subjects.flatMap((subject, row) =>
    additions.map((addition, column) => {
      const { lora: type } = families[(row + 2 * column) % families.length] ?? families[0];
      return {
        title: `${subject.word} ${addition.name}`,
        type,
        subject,
        compositions: addition.compositions,
        tags: [...new Set([...subject.tags, ...addition.tags])],
        triggerWords: [`${subject.word.toLowerCase()}style`, ...addition.words],
      };
    }),
  );
  return [...models, ...loras];
}

export const catalogue: readonly CatalogueModel[] = planModels().map(toModel);

const byVersion = new Map(catalogue.map((model) => [model.versionId, model]));
const byId = new Map(catalogue.map((model) => [model.id, model]));

/** Finds a model by the ID of its version, which recipes use, or by its own ID. */
export function findModel(id: string): CatalogueModel | undefined {
  return byVersion.get(id) ?? byId.get(id);
}
