/** People who save pictures, for tests of what becomes of these. */
import sharp from 'sharp';
import * as v from 'valibot';

import {
  listGenerations,
  readSavedGeneration,
  type SavedGeneration,
  saveGeneration,
} from '#contract/endpoints/generations';

import { createMemoryStore } from './memory-store.ts';
import { createTestServer, type Reply, type TestServer } from './test-server.ts';

const ann = 111_222_333;
const bob = 444_555_666;

/** A key of the right length. */
export const keyOf = (text: string) => text.padEnd(32, '0');

export async function pngOf(width = 64, height = 48, color = '#0b7a5c'): Promise<Blob> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
}

/** A server with two people. */
export async function startWithPeople() {
  const objects = createMemoryStore();
  const server = await createTestServer({ objects });
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
      image: fields.image ?? (await pngOf()),
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
export function savedOf({ body }: Reply) {
  return v.parse(
    v.object({ id: v.string(), image_url: v.string(), thumbnail_url: v.string() }),
    body,
  );
}

export async function historyOf(server: TestServer, token: string): Promise<SavedGeneration[]> {
  const { body } = await server.call(listGenerations, {}, { token });
  const { generations } = v.parse(listGenerations.output, body);
  return generations.flatMap((item) => readSavedGeneration(item) ?? []);
}
