/** A server with PixAI as its engine, on the stand-in. */
import { setImmediate as breathe } from 'node:timers/promises';

import { readJob } from '#contract/endpoints/images';
import { connectPixai } from '#server/upstream/images/pixai';

import { startPixai, getPending } from './image-services.ts';
import { createTestServer } from './test-server.ts';

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
