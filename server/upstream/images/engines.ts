/** The engine of each provider. A new provider is a new entry, which the compiler asks for. */
import { imagineSeed } from '#contract/images/imagine-styles';
import { type ProviderId } from '#contract/images/providers';

import { connectA1111, connectA1111Models } from './a1111.ts';
import { type ImageEngine, type ModelService } from './image-engine.ts';
import { connectImagine, type ImagineSettings } from './imagine.ts';
import { connectMidjourney, type MidjourneySettings } from './midjourney.ts';
import { connectPixai, connectPixaiModels } from './pixai.ts';
import { createSketchEngine, type PaintSketch } from './sketch/index.ts';

/** The services that the operator has set up; undefined where there is none. */
export type EngineSettings = {
  /** Where this server is reached from the internet. */
  readonly publicUrl: string | undefined;
  readonly pixaiApiKey: string | undefined;
  readonly pixaiApiRoot: string | undefined;
  readonly a1111Url: string | undefined;
  readonly a1111Auth: string | undefined;
  readonly imagine: ImagineSettings | undefined;
  readonly midjourney: MidjourneySettings | undefined;
};

/** Kusa shows styles and makes no pictures. */
type EngineProvider = Exclude<ProviderId, 'kusa'>;

export type Engines = Readonly<Record<EngineProvider, ImageEngine>>;

/** What a typed prompt needs besides: a model or a style, or its options as part of it, which the engine reads there. */
export const promptNeeds = {
  pixai: 'model',
  'imagine-art': 'style',
  midjourney: 'options',
} as const satisfies Readonly<Record<EngineProvider, string>>;

/**
 * Sends no request. A provider without a service gets sketches with its abilities. `paint` paints
 * them; tests replace it.
 */
export function connectEngines(settings: EngineSettings, paint?: PaintSketch): Engines {
  const { imagine, midjourney } = settings;
  return {
    pixai: connectPixaiOrA1111(settings) ?? createSketchEngine({ paint }),
    'imagine-art': imagine
      ? connectImagine(imagine)
      : createSketchEngine({ seedMax: BigInt(imagineSeed.max), paint }),
    midjourney: midjourney
      ? connectMidjourney(midjourney)
      : createSketchEngine({ pictures: 4, paint }),
  };
}

/** A service with a key comes before the operator's own graphics card; undefined without both. */
function connectPixaiOrA1111({
  publicUrl,
  pixaiApiKey,
  pixaiApiRoot,
  a1111Url,
  a1111Auth,
}: EngineSettings): ImageEngine | undefined {
  if (pixaiApiKey !== undefined) {
    const hasPublicLinks = publicUrl?.startsWith('https:') === true;
    return connectPixai({ apiKey: pixaiApiKey, apiRoot: pixaiApiRoot, hasPublicLinks });
  }
  return a1111Url === undefined ? undefined : connectA1111({ url: a1111Url, auth: a1111Auth });
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
