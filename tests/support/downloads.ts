/** Pictures to be downloaded by the server: its own, and those of a host on this machine that passes for one of the internet. */
import { type LookupAddress } from 'node:dns';
import * as v from 'valibot';
import { expect } from 'vitest';

import { downloadMidjourney, generateMidjourney } from '#contract/endpoints/midjourney';
import { isPublicAddress } from '#server/upstream/allowlisted-fetch';

import { createHandEngine } from './hand-engine.ts';
import { standInPicture } from './image-services.ts';
import { startStandIn } from './stand-in.ts';
import { createTestServer } from './test-server.ts';

/** What that host is called. */
export const hostName = 'cdn.example.org';

/** A host with pictures on this machine, and a server that may, or may not, see it as one of the internet. */
export async function startWithHost({
  addresses = ['127.0.0.1'],
  isLocalAllowed = true,
  ...overrides
}: {
  readonly addresses?: readonly string[];
  readonly isLocalAllowed?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  readonly serviceTimeoutMs?: number;
} = {}) {
  const host = await startStandIn(() => ({
    headers: { 'Content-Type': 'image/png' },
    body: standInPicture,
  }));
  const { port } = new URL(host.url);
  const origin = `http://${hostName}:${port}`;
  const lookups: string[] = [];
  const server = await createTestServer({
    ...overrides,
    variables: { DOWNLOAD_ORIGINS: origin, ...overrides.variables },
    network: {
      lookup: async (asked): Promise<LookupAddress[]> => {
        lookups.push(asked);
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
      isAllowed: (address) =>
        (isLocalAllowed && address === '127.0.0.1') || isPublicAddress(address),
    },
  });
  const download = (url: string) => server.call(downloadMidjourney, { url });
  return { server, host, port, origin, lookups, download };
}

/** A server that has made four pictures, and the link to the first. */
export async function startWithPictures(variables: Readonly<Record<string, string>> = {}) {
  const hand = createHandEngine();
  const server = await createTestServer({ engines: { midjourney: hand.engine }, variables });
  const call = server.call(generateMidjourney, { prompt: 'a plum' });
  await expect.poll(hand.asked).toBe(1);
  hand.finish();
  const { s3_urls } = v.parse(v.looseObject({ s3_urls: v.array(v.string()) }), (await call).body);
  return { server, link: s3_urls[0] ?? '' };
}
