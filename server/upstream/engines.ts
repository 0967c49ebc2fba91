/** Which engine makes the pictures of which provider. */
import { type Env } from '#server/env';

import { connectA1111 } from './a1111.ts';
import { type ImageEngine } from './image-engine.ts';
import { connectPixai } from './pixai.ts';
import { sketchEngine } from './sketch/sketch-engine.ts';

export type Engines = { readonly pixai: ImageEngine };

type Settings = Pick<Env, 'pixaiApiKey' | 'pixaiApiRoot' | 'a1111Url' | 'a1111Auth'>;

/** The service with a key first, then one's own graphics card, else sketches. Asks nothing yet. */
export function connectEngines(env: Settings): Engines {
  return { pixai: engineFor(env) };
}

function engineFor({ pixaiApiKey, pixaiApiRoot, a1111Url, a1111Auth }: Settings): ImageEngine {
  if (pixaiApiKey !== undefined) {
    return connectPixai({ apiKey: pixaiApiKey, apiRoot: pixaiApiRoot });
  }
  return a1111Url === undefined ? sketchEngine : connectA1111({ url: a1111Url, auth: a1111Auth });
}
