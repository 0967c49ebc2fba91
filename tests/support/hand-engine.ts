/** An engine that is worked by hand, to see what happens while a picture is being made. */
import { readJob } from '#contract/endpoints/images';
import { type ImageEngine } from '#server/upstream/images/image-engine';

import { standInPicture, getPending } from './image-services.ts';
import { createTestServer } from './test-server.ts';

/** An engine that makes pictures when it is told to, and counts how often it was asked. */
export function createHandEngine(abilities: Partial<ImageEngine['abilities']> = {}) {
  const waiting: { finish: () => void; fail: (error: Error) => void }[] = [];
  let asked = 0;
  const engine: ImageEngine = {
    name: 'sketch',
    abilities: {
      seedMax: 10n ** 18n,
      concurrency: 100,
      deadlineMs: 60_000,
      isFree: true,
      ...abilities,
    },
    make: ({ seed }) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.push({ finish: () => resolve({ files: [standInPicture], seed }), fail: reject });
      }),
  };
  return {
    engine,
    asked: () => asked,
    finish: () => waiting.shift()?.finish(),
    fail: (error: Error) => waiting.shift()?.fail(error),
  };
}

/** A server with such an engine. */
export async function startByHand(abilities?: Partial<ImageEngine['abilities']>) {
  const hand = createHandEngine(abilities);
  const server = await createTestServer({ engines: { pixai: hand.engine } });
  const stateOf = async (key: string = getPending().job_key, token?: string) =>
    (await server.call(readJob, { job_key: key }, { token })).body;
  return { server, hand, stateOf };
}
