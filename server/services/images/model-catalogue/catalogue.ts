/**
 * The models and LoRAs that can be browsed while no image service is connected: fictional, a few
 * hundred of them, and the same ones at every start.
 */
import { createHash } from 'node:crypto';

import { additions, crafts, families, subjects } from './words.ts';

export type CatalogueModel = {
  /** Decimal digits, as the image service has them. */
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
  /** How much it is talked about just now. */
  readonly trend: number;
  readonly tags: readonly string[];
  /** Empty for base models. */
  readonly triggerWords: readonly string[];
  readonly cover: { readonly prompt: string; readonly width: number; readonly height: number };
};

/** Pixels of a cover; smaller copies keep its shape. */
const shapes = [
  { width: 768, height: 1024 },
  { width: 832, height: 1216 },
  { width: 1024, height: 1024 },
  { width: 1024, height: 1024 },
  { width: 1152, height: 896 },
  { width: 896, height: 1152 },
] as const;

const dayMs = 24 * 60 * 60_000;
/** The newest one; the others go back from there. */
const newestAt = Date.UTC(2026, 10, 1);
const yearsDays = 900;
const idDigits = 15;
/** One in so many is for adults only. */
const adultEvery = 17;

/** The same numbers for the same name: evenly spread over 0 to 1. */
function numbersOf(name: string) {
  const digest = createHash('sha256').update(name).digest();
  return {
    at: (index: number) => digest.readUInt16BE((index * 2) % 30) / 0xff_ff,
    id: (start: string) =>
      start + String(digest.readBigUInt64BE(8) % 10n ** BigInt(idDigits)).padStart(idDigits, '0'),
    version: (start: string) =>
      start + String(digest.readBigUInt64BE(16) % 10n ** BigInt(idDigits)).padStart(idDigits, '0'),
  };
}

type Plan = {
  readonly title: string;
  readonly type: string;
  readonly prompt: string;
  readonly tags: readonly string[];
  readonly triggerWords: readonly string[];
};

function modelOf({ title, type, prompt, tags, triggerWords }: Plan): CatalogueModel {
  const numbers = numbersOf(`${title}|${type}`);
  const shape = shapes[Math.floor(numbers.at(0) * shapes.length) % shapes.length] ?? shapes[0];
  const ageDays = numbers.at(1) ** 1.6 * yearsDays;
  // A few are liked by very many, most by few.
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

function plans(): readonly Plan[] {
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

export const catalogue: readonly CatalogueModel[] = plans().map(modelOf);

const byVersion = new Map(catalogue.map((model) => [model.versionId, model]));
const byId = new Map(catalogue.map((model) => [model.id, model]));

/** By the id of its version, which is what pictures are made with, or by its own. */
export function findModel(id: string): CatalogueModel | undefined {
  return byVersion.get(id) ?? byId.get(id);
}
