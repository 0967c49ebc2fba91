/** Servers whose image engines a test controls: one that finishes on demand, and those on stand-ins. */
import { type LookupAddress } from 'node:dns';
import { setImmediate as breathe } from 'node:timers/promises';
import * as v from 'valibot';
import { onTestFinished, expect } from 'vitest';

import { readJob } from '#contract/endpoints/images';
import { downloadMidjourney, generateMidjourney } from '#contract/endpoints/midjourney';
import { currentRequestId } from '#server/lib/request-context';
import { isPublicAddress } from '#server/upstream/allowlisted-fetch';
import { type ImageEngine } from '#server/upstream/images/image-engine';
import { connectMidjourney } from '#server/upstream/images/midjourney';
import { connectPixai } from '#server/upstream/images/pixai';

import { startImagineService, startMidjourneyService } from './hub-services.ts';
import { standInPicture, getPending, startPixai } from './image-services.ts';
import { startStandIn } from './stand-in.ts';
import { createTestServer } from './test-server.ts';

/** An engine that makes pictures when it is told to, and counts how often it was asked. */
export function createHandEngine(
  abilities: Partial<ImageEngine['abilities']> = {},
  origin?: NonNullable<ImageEngine['origin']>,
) {
  const waiting: {
    finish: () => void;
    fail: (error: Error) => void;
    submit: (taskId: string) => Promise<void>;
  }[] = [];
  let asked = 0;
  const requestIds: string[] = [];
  const engine: ImageEngine = {
    name: 'sketch',
    abilities: {
      seedMax: 10n ** 18n,
      concurrency: 100,
      deadlineMs: 60_000,
      isFree: true,
      ...abilities,
    },
    ...(origin && { origin }),
    make: ({ seed }, { onSubmitted }) =>
      new Promise((resolve, reject) => {
        asked += 1;
        requestIds.push(currentRequestId());
        waiting.push({
          finish: () => resolve({ files: [standInPicture], seed }),
          fail: reject,
          submit: onSubmitted,
        });
      }),
  };
  return {
    engine,
    asked: () => asked,
    /** How many pictures it is to finish. */
    waiting: () => waiting.length,
    /** For which requests it was asked. */
    requestIds: () => requestIds,
    finish: () => waiting.shift()?.finish(),
    fail: (error: Error) => waiting.shift()?.fail(error),
    /** The service has given the task of the next picture an ID. */
    submit: async (taskId: string) => waiting[0]?.submit(taskId),
  };
}

/** A server with such an engine. */
export async function startByHand(abilities?: Partial<ImageEngine['abilities']>) {
  const hand = createHandEngine(abilities);
  const server = await createTestServer({ engines: { pixai: hand.engine } });
  const readState = async (key: string = getPending().job_key, token?: string) =>
    (await server.call(readJob, { job_key: key }, { token })).body;
  return { server, hand, readState };
}

/** A server whose waits for PixAI take no time but are written down. */
export async function startWithPixai(timeoutMs = 20_000) {
  const pixai = await startPixai();
  const waits: number[] = [];
  const engine = connectPixai({
    apiKey: pixai.apiKey,
    apiRoot: pixai.url,
    timeoutMs,
    deadlineMs: 20_000,
    sleep: async (ms, signal) => {
      waits.push(ms);
      await breathe();
      signal.throwIfAborted();
    },
  });
  const server = await createTestServer({ engines: { pixai: engine } });
  return {
    server,
    pixai,
    waits,
    job: async () => (await server.call(readJob, { job_key: getPending().job_key })).body,
  };
}

export async function startImagine() {
  const imagine = await startImagineService();
  onTestFinished(imagine.close);
  return imagine;
}

export async function startMidjourney() {
  const midjourney = await startMidjourneyService();
  onTestFinished(midjourney.close);
  return midjourney;
}

/** An engine on it whose waits take no time. */
export function engineOn(
  { url, secret }: { readonly url: string; readonly secret: string },
  timeoutMs = 20_000,
) {
  return connectMidjourney({
    url: `${url}/mj`,
    secret,
    timeoutMs,
    deadlineMs: 20_000,
    sleep: async (_ms, signal) => {
      await breathe();
      signal.throwIfAborted();
    },
  });
}

/** A server whose MidJourney is the stand-in. */
export async function startWithMidjourney(timeoutMs?: number) {
  const midjourney = await startMidjourney();
  const server = await createTestServer({
    engines: { midjourney: engineOn(midjourney, timeoutMs) },
  });
  return { server, midjourney };
}

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
  // As MidJourney's own server does, it refuses requests that do not say who asks.
  const host = await startStandIn(({ headers }) =>
    headers['user-agent'] === undefined
      ? { status: 403, body: 'error code: 1010' }
      : { headers: { 'Content-Type': 'image/png' }, body: standInPicture },
  );
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
