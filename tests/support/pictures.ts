/** Two people who save pictures or have them made by Imagine Art and MidJourney, and their histories. */
import sharp from 'sharp';
import * as v from 'valibot';

import {
  listGenerations,
  readSavedGeneration,
  type SavedGeneration,
  saveGeneration,
  listGenerationUrls,
} from '#contract/endpoints/generations';
import { listImagineHistory } from '#contract/endpoints/imagine';
import { listMidjourneyHistory } from '#contract/endpoints/midjourney';
import { stripMetadata } from '#server/lib/picture-metadata';
import { detectPictureType } from '#server/lib/picture-type';
import { type ImageEngine } from '#server/upstream/images/image-engine';

import { createHandEngine } from './image-engines.ts';
import { standInPicture } from './image-services.ts';
import {
  createMemoryStore,
  createTestServer,
  type Reply,
  type TestServer,
  type MemoryStore,
  openTestDatabase,
} from './test-server.ts';

export const [ann, bob] = [111_222_333, 444_555_666];

/** A key of the right length. */
export const toKey = (text: string) => text.padEnd(32, '0');

export async function makePng(width = 64, height = 48, color = '#0b7a5c'): Promise<Blob> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
}

/** A picture of a little more than this many kilobytes: noise, which no format makes smaller. */
export async function makeNoise(kilobytes: number): Promise<Blob> {
  const side = Math.ceil(Math.sqrt((kilobytes * 1000) / 3));
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width: side, height: side, channels: 3, background: '#888', noise } as const;
  const bytes = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
}

/** The file as the engine has made it, before its recipe was added. */
export const withoutRecipe = (bytes: ArrayBuffer | Buffer) => {
  // A copy: what is removed is overwritten in place.
  const file = Buffer.from(new Uint8Array(bytes).slice());
  return stripMetadata(file, detectPictureType(file) ?? 'image/png', { keepsRecipe: false });
};

/** What a sketch says of itself: the program, and what it was made from. */
export async function readOrigin(bytes: Buffer | undefined) {
  const { exif = Buffer.alloc(0) } = await sharp(bytes).metadata();
  const mark = Buffer.from('UNICODE\0');
  const at = exif.indexOf(mark);
  // The comment is the last part, in the byte order of the file.
  const comment = Buffer.from(exif.subarray(at + mark.length)).swap16();
  return {
    software: /Nori sketch[^\0]*/.exec(exif.toString('latin1'))?.[0],
    recipe: at === -1 ? undefined : comment.toString('utf16le'),
  };
}

/** A server with two people. */
export async function startWithPeople(variables: Readonly<Record<string, string>> = {}) {
  const objects = createMemoryStore();
  const server = await createTestServer({ objects, variables });
  const tokens = { ann: await server.signUp(ann), bob: await server.signUp(bob) };
  return { server, objects, tokens };
}

export async function save(
  server: TestServer,
  token: string,
  fields: {
    readonly image?: Blob;
    readonly job_key?: string;
    readonly prompt?: string;
    readonly negative_prompt?: string;
    readonly model_name?: string;
    readonly seed?: string;
    readonly nsfw?: 'true';
    readonly loras?: string;
    readonly tags?: string;
    /** Fields that the contract does not name are let through. */
    readonly remark?: string;
  } = {},
): Promise<Reply> {
  return server.call(
    saveGeneration,
    {
      model_id: '1983308862240288769',
      prompt: 'a lighthouse',
      image: fields.image ?? (await makePng()),
      negative_prompt: 'fog',
      seed: '1234567890123',
      ratio: '4:3',
      nsfw: 'false',
      model_name: 'Tidepool',
      loras: JSON.stringify({ '77': 0.7 }),
      tags: JSON.stringify(['pixai']),
      ...fields,
    },
    { token },
  );
}

/** What the server says of a picture that it has saved. */
export function readSaved({ body }: Reply) {
  return v.parse(
    v.object({ id: v.string(), image_url: v.string(), thumbnail_url: v.string() }),
    body,
  );
}

export async function readHistory(server: TestServer, token: string): Promise<SavedGeneration[]> {
  const { body } = await server.call(listGenerations, {}, { token });
  const { generations } = v.parse(listGenerations.output, body);
  return generations.flatMap((item) => readSavedGeneration(item) ?? []);
}

export const garden = { prompt: 'a secret garden', job_key: toKey('garden') };
export const shrine = {
  prompt: 'a shrine in the snow',
  style: 'realistic',
  aspect_ratio: '3:2',
  seed: 4711,
  job_key: toKey('shrine'),
} as const;

/** An engine that has its pictures at once, and counts how often it was asked. */
export function createQuickEngine(name: string, pictures: number) {
  let asked = 0;
  const engine: ImageEngine = {
    ...createHandEngine({ pictures }).engine,
    name,
    make: async ({ seed }) => {
      asked += 1;
      return { files: Array.from({ length: pictures }, () => standInPicture), seed };
    },
  };
  return { engine, asked: () => asked };
}

export async function startWithMakers(objects: MemoryStore = createMemoryStore()) {
  const imagine = createQuickEngine('imagine', 1);
  const midjourney = createQuickEngine('midjourney', 4);
  const engines = { 'imagine-art': imagine.engine, midjourney: midjourney.engine };
  const database = await openTestDatabase();
  const start = () => createTestServer({ objects, database, engines });
  const server = await start();
  const tokens = { ann: await server.signUp(ann), bob: await server.signUp(bob) };
  return { server, tokens, objects, imagine, midjourney, start };
}

const item = v.looseObject({
  id: v.optional(v.string()),
  _id: v.optional(v.string()),
  prompt: v.string(),
  s3_url: v.optional(v.string()),
  s3_urls: v.optional(v.array(v.string())),
});
const items = v.pipe(
  v.looseObject({
    generations: v.optional(v.array(item)),
    history: v.optional(v.array(item)),
    urls: v.optional(v.array(item)),
  }),
  v.transform(({ generations, history, urls }) => generations ?? history ?? urls ?? []),
);
const readItems = ({ body }: Reply) => v.parse(items, body);
export const readMade = ({ body }: Reply) => v.parse(v.looseObject({ id: v.string() }), body);

export const gardens = async (server: TestServer, token: string) =>
  readItems(await server.call(listMidjourneyHistory, {}, { token }));
export const shrines = async (server: TestServer, token: string, user_id = String(ann)) =>
  readItems(await server.call(listImagineHistory, { user_id }, { token }));
export const readLinks = async (server: TestServer, token: string) =>
  readItems(await server.call(listGenerationUrls, {}, { token }));
