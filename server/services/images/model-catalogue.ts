/**
 * The built-in models and LoRAs, shown while no image service is connected. They are fictional, a few
 * hundred, the same at every start, and named after no real person.
 */
import { createHash } from 'node:crypto';

/** First part of a name, and the prompt of its covers. */
const subjects = [
  { word: 'Tide', prompt: 'sea, waves, soft light', tags: ['landscape', 'water'] },
  { word: 'Cedar', prompt: 'forest, tall trees, mist', tags: ['landscape', 'nature'] },
  { word: 'Lantern', prompt: 'night city street, lanterns, rain', tags: ['city', 'night'] },
  { word: 'Plum', prompt: 'cherry blossom, petals, pink sky', tags: ['nature', 'spring'] },
  { word: 'Ember', prompt: 'fire, ember, dark mountains', tags: ['fantasy', 'dramatic'] },
  { word: 'Frost', prompt: 'snow, winter, frozen lake', tags: ['landscape', 'winter'] },
  { word: 'Orbit', prompt: 'galaxy, stars, space, planets', tags: ['space', 'science fiction'] },
  { word: 'Neon', prompt: 'neon cyber city, skyscrapers', tags: ['city', 'science fiction'] },
  { word: 'Dune', prompt: 'desert dunes, sunset', tags: ['landscape', 'warm'] },
  { word: 'Meadow', prompt: 'meadow, day, blue sky, clouds', tags: ['nature', 'bright'] },
  { word: 'Harbour', prompt: 'harbour, lake, dusk, boats', tags: ['water', 'evening'] },
  { word: 'Velvet', prompt: 'soft pastel dawn, clouds', tags: ['pastel', 'portrait'] },
  { word: 'Paper', prompt: 'paper sky, calm morning', tags: ['illustration', 'pastel'] },
  { word: 'Moss', prompt: 'green forest, moss, fireflies', tags: ['nature', 'fantasy'] },
  { word: 'Comet', prompt: 'night sky, comet, moon, stars', tags: ['space', 'night'] },
  { word: 'Copper', prompt: 'city towers, sunset, copper sky', tags: ['city', 'warm'] },
] as const;

/** Second part of a base model's name. */
const crafts = [
  'pool',
  'light',
  'field',
  'song',
  'works',
  'glass',
  'drift',
  'bloom',
  'haven',
] as const;

/** Second part of a LoRA's name. */
const additions = [
  { name: 'Ink Wash', words: ['ink wash', 'monochrome brush'], tags: ['style'] },
  { name: 'Gouache', words: ['gouache painting'], tags: ['style'] },
  { name: 'Line Art', words: ['clean line art', 'flat colour'], tags: ['style'] },
  { name: 'Film Grain', words: ['film grain', 'analog photo'], tags: ['photo'] },
  { name: 'Stained Glass', words: ['stained glass'], tags: ['style'] },
  { name: 'Rim Light', words: ['rim light', 'backlit'], tags: ['lighting'] },
  { name: 'Long Coat', words: ['long coat', 'scarf'], tags: ['clothing'] },
  { name: 'School Festival', words: ['school festival', 'food stalls'], tags: ['scene'] },
  { name: 'Tea House', words: ['tea house', 'tatami room'], tags: ['scene'] },
  { name: 'Pixel Art', words: ['pixel art'], tags: ['style', 'retro'] },
  { name: 'Woodblock', words: ['woodblock print'], tags: ['style', 'retro'] },
  { name: 'Mecha Suit', words: ['mecha suit', 'armour plates'], tags: ['science fiction'] },
] as const;

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
  readonly cover: { readonly prompt: string; readonly width: number; readonly height: number };
};

/** Pixels of a cover. */
const shapes = [
  { width: 768, height: 1024 },
  { width: 832, height: 1216 },
  { width: 1024, height: 1024 },
  { width: 1024, height: 1024 },
  { width: 1152, height: 896 },
  { width: 896, height: 1152 },
] as const;

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
  readonly prompt: string;
  readonly tags: readonly string[];
  readonly triggerWords: readonly string[];
};

function toModel({ title, type, prompt, tags, triggerWords }: ModelPlan): CatalogueModel {
  const numbers = hashNumbers(`${title}|${type}`);
  const shape = shapes[Math.floor(numbers.at(0) * shapes.length) % shapes.length] ?? shapes[0];
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
    cover: { prompt: `${prompt}, ${title}`, ...shape },
  };
}

function planModels(): readonly ModelPlan[] {
  const models = subjects.flatMap(({ word, prompt, tags }, row) =>
    crafts.map((craft, column) => {
      const { model: type, suffix } = families[(row + column) % families.length] ?? families[0];
      const title = [`${word}${craft}`, suffix].filter(Boolean).join(' ');
      return { title, type, prompt, tags, triggerWords: [] };
    }),
  );
  const loras = subjects.flatMap(({ word, prompt, tags }, row) =>
    additions.map((addition, column) => {
      const { lora: type } = families[(row + 2 * column) % families.length] ?? families[0];
      return {
        title: `${word} ${addition.name}`,
        type,
        prompt,
        tags: [...new Set([...tags, ...addition.tags])],
        triggerWords: [`${word.toLowerCase()}style`, ...addition.words],
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
