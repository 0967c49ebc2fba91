/** The engine of each provider. A new provider is a new entry, which the compiler asks for. */
import { imagineSeed } from '#contract/images/imagine-styles';
import { type ProviderId } from '#contract/images/providers';

import { connectA1111, connectA1111Models } from './a1111.ts';
import { type ImageEngine, type ModelService } from './image-engine.ts';
import { connectImagine, type ImagineSettings } from './imagine.ts';
import { connectMidjourney, type MidjourneySettings } from './midjourney.ts';
import { connectPixai, connectPixaiModels } from './pixai.ts';
import { createSketchEngine } from './sketch/index.ts';

/** The services that the operator has set up; undefined where there is none. */
export type EngineSettings = {
  readonly pixaiApiKey: string | undefined;
  readonly pixaiApiRoot: string | undefined;
  readonly a1111Url: string | undefined;
  readonly a1111Auth: string | undefined;
  readonly imagine: ImagineSettings | undefined;
  readonly midjourney: MidjourneySettings | undefined;
};

/** Each entry returns an engine, without sending a request. Providers without engine show styles only. */
const engines = {
  /** A service with a key comes before the operator's own graphics card. */
  pixai: ({ pixaiApiKey, pixaiApiRoot, a1111Url, a1111Auth }) => {
    if (pixaiApiKey !== undefined) {
      return connectPixai({ apiKey: pixaiApiKey, apiRoot: pixaiApiRoot });
    }
    return a1111Url === undefined
      ? createSketchEngine()
      : connectA1111({ url: a1111Url, auth: a1111Auth });
  },
  kusa: undefined,
  'imagine-art': ({ imagine }) =>
    imagine ? connectImagine(imagine) : createSketchEngine({ seedMax: BigInt(imagineSeed.max) }),
  midjourney: ({ midjourney }) =>
    midjourney ? connectMidjourney(midjourney) : createSketchEngine({ pictures: 4 }),
} as const satisfies Record<ProviderId, ((settings: EngineSettings) => ImageEngine) | undefined>;

type EngineId = {
  [Id in ProviderId]: (typeof engines)[Id] extends undefined ? never : Id;
}[ProviderId];

export type Engines = Readonly<Record<EngineId, ImageEngine>>;

export function connectEngines(settings: EngineSettings): Engines {
  return {
    pixai: engines.pixai(settings),
    'imagine-art': engines['imagine-art'](settings),
    midjourney: engines.midjourney(settings),
  };
}

/** The model list of the service that makes Pix-AI's pictures; undefined where sketches are made. */
export function connectModels({
  pixaiApiKey,
  pixaiApiRoot,
  a1111Url,
  a1111Auth,
}: EngineSettings): ModelService | undefined {
  if (pixaiApiKey !== undefined) {
    return connectPixaiModels({ apiKey: pixaiApiKey, apiRoot: pixaiApiRoot });
  }
  return a1111Url === undefined
    ? undefined
    : connectA1111Models({ url: a1111Url, auth: a1111Auth });
}
