/** Two people who make pictures by Imagine Art and MidJourney, and what stands in their histories. */
import * as v from 'valibot';

import { listGenerationUrls } from '#contract/endpoints/generations';
import { listImagineHistory } from '#contract/endpoints/imagine';
import { listMidjourneyHistory } from '#contract/endpoints/midjourney';
import { type ImageEngine } from '#server/upstream/images/image-engine';

import { createHandEngine } from './hand-engine.ts';
import { standInPicture } from './image-services.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { keyOf } from './pictures.ts';
import { createTestServer, openTestDatabase, type Reply, type TestServer } from './test-server.ts';

export const [ann, bob] = [111_222_333, 444_555_666];
export const garden = { prompt: 'a secret garden', job_key: keyOf('garden') };
export const shrine = {
  prompt: 'a shrine in the snow',
  style: 'realistic',
  aspect_ratio: '3:2',
  seed: 4711,
  job_key: keyOf('shrine'),
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
const itemsOf = ({ body }: Reply) => v.parse(items, body);
export const madeOf = ({ body }: Reply) => v.parse(v.looseObject({ id: v.string() }), body);

export const gardens = async (server: TestServer, token: string) =>
  itemsOf(await server.call(listMidjourneyHistory, {}, { token }));
export const shrines = async (server: TestServer, token: string, user_id = String(ann)) =>
  itemsOf(await server.call(listImagineHistory, { user_id }, { token }));
export const linksOf = async (server: TestServer, token: string) =>
  itemsOf(await server.call(listGenerationUrls, {}, { token }));
