/** The public API as a page calls it: runs entries of the table, and fetches what answers link to. */
import * as v from 'valibot';
import { expect } from 'vitest';

import { publicEndpoints } from '#contract/playground/endpoints';
import {
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';

import { createTestServer, type TestServer } from './test-server.ts';

const base = 'https://nori.example.org';

export function startPublicServer(variables: Readonly<Record<string, string>> = {}) {
  return createTestServer({ variables: { PUBLIC_URL: base, ...variables } });
}

export function entry(id: string): PublicEndpoint {
  const found = publicEndpoints.find((one) => one.id === id);
  if (!found) {
    throw new Error(`The table has no ${id}`);
  }
  return found;
}

/** Where an entry is called with these values. */
export function getAddress(id: string, values: Values = {}): string {
  return `/public-api${requestPath(entry(id), values)}`;
}

/** Runs an entry as the playground does. */
export function run(server: TestServer, id: string, values: Values = {}) {
  return server.request(getAddress(id, values));
}

/** The file behind a link of an answer, fetched from this server. */
export async function fileAt(server: TestServer, link: string, init?: RequestInit) {
  expect(link.startsWith(`${base}/public-api/files/`)).toBe(true);
  const response = await server.app.request(link.slice(base.length), init);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The links that the Preview tab shows. */
export function pictureLinks(body: unknown): readonly string[] {
  const answer = v.parse(
    v.union([
      v.object({ result: v.string() }),
      v.object({ images: v.array(v.object({ stream_url: v.string() })) }),
    ]),
    body,
  );
  return 'result' in answer ? [answer.result] : answer.images.map(({ stream_url }) => stream_url);
}
