/** Which engine makes the pictures of which provider. A new provider is a new entry, which the compiler asks for. */
import { imagineSeed } from '#contract/images/imagine-styles';
import { type ProviderId } from '#contract/images/providers';
import { type Env } from '#server/app/env';

import { connectA1111Models } from './a1111-models.ts';
import { connectA1111 } from './a1111.ts';
import { type ImageEngine } from './image-engine.ts';
import { connectImagine } from './imagine.ts';
import { connectMidjourney } from './midjourney.ts';
import { connectModelService, type ModelService } from './model-service.ts';
import { connectPixai } from './pixai.ts';
import { createSketchEngine } from './sketch/index.ts';

type Maker = {
  /** Asks nothing yet. Without a service, sketches in that provider's manner. */
  readonly connect: (env: Env) => ImageEngine;
  /** A member's pictures are kept as soon as they are made; otherwise the device sends those to keep. */
  readonly keepsPictures: boolean;
};

const makers = {
  pixai: { connect: connectPixaiOrCard, keepsPictures: false },
  // Shows styles, and makes nothing.
  kusa: undefined,
  'imagine-art': {
    connect: ({ imagine }) =>
      imagine ? connectImagine(imagine) : createSketchEngine({ seedMax: BigInt(imagineSeed.max) }),
    keepsPictures: true,
  },
  midjourney: {
    connect: ({ midjourney }) =>
      midjourney ? connectMidjourney(midjourney) : createSketchEngine({ pictures: 4 }),
    keepsPictures: true,
  },
} as const satisfies Record<ProviderId, Maker | undefined>;

type MakerId = { [Id in ProviderId]: (typeof makers)[Id] extends Maker ? Id : never }[ProviderId];

export type Engines = Readonly<Record<MakerId, ImageEngine>>;

export function connectEngines(env: Env): Engines {
  return {
    pixai: makers.pixai.connect(env),
    'imagine-art': makers['imagine-art'].connect(env),
    midjourney: makers.midjourney.connect(env),
  };
}

/** Who lists the models that pictures can be made with: whoever makes them. Nobody where that is a sketch. */
export function connectModels({
  pixaiApiKey,
  pixaiApiRoot,
  a1111Url,
  a1111Auth,
}: Env): ModelService | undefined {
  if (pixaiApiKey !== undefined) {
    return connectModelService({
      apiKey: pixaiApiKey,
      apiRoot: pixaiApiRoot ?? 'https://api.pixai.art',
    });
  }
  return a1111Url === undefined
    ? undefined
    : connectA1111Models({ url: a1111Url, auth: a1111Auth });
}

/** Whether the server keeps what this provider makes for members, without being told to. */
export function keepsPictures(provider: string): boolean {
  return Object.entries(makers).some(([id, maker]) => id === provider && maker?.keepsPictures);
}

/** The service with a key first, then one's own graphics card. */
function connectPixaiOrCard({ pixaiApiKey, pixaiApiRoot, a1111Url, a1111Auth }: Env): ImageEngine {
  if (pixaiApiKey !== undefined) {
    return connectPixai({ apiKey: pixaiApiKey, apiRoot: pixaiApiRoot });
  }
  return a1111Url === undefined
    ? createSketchEngine()
    : connectA1111({ url: a1111Url, auth: a1111Auth });
}
