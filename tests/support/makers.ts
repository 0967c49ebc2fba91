/** Imagine Art and MidJourney by their stand-ins, which close when the test is over. */
import { setImmediate as breathe } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

import { connectMidjourney } from '#server/upstream/images/midjourney';

import { startImagineService, startMidjourneyService } from './hub-services.ts';
import { createTestServer } from './test-server.ts';

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
