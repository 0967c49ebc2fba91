/** Imagine Art (Vyro) as an engine: one request, whose reply is the picture. */
import * as v from 'valibot';

import { imagineRatios, imagineSeed } from '#contract/images/imagine-styles';
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { joinList } from '#server/lib/languages';
import { ownSoftware, type PictureRecipe } from '#server/lib/picture-recipe';
import { fetchReply, readJson, type FetchReply } from '#server/upstream/fetch-json';

import { type ImageEngine } from './image-engine.ts';
import { throwImageError, toRefusal } from './image-errors.ts';
import { readPicture } from './remote-picture.ts';
import { imageServiceTexts } from './texts.ts';

const secondMs = 1000;
/** Node.js itself ends a request after 300 seconds. */
const maxGenerationMs = 290 * secondMs;
/** The service documents no limit. */
const maxRequests = 4;

export type ImagineSettings = {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  /** Milliseconds for one picture. */
  readonly timeoutMs?: number;
};

const errorReply = v.object({
  error: v.optional(v.nullable(v.unknown())),
  message: v.optional(v.nullable(v.unknown())),
});

export function connectImagine({
  apiKey,
  apiRoot,
  timeoutMs = maxGenerationMs,
}: ImagineSettings): ImageEngine {
  return {
    name: 'imagine',
    abilities: {
      seedMax: BigInt(imagineSeed.max),
      concurrency: maxRequests,
      deadlineMs: timeoutMs + secondMs,
      isFree: false,
      ratios: {
        names: imagineRatios,
        reason: (say) =>
          say(imageServiceTexts).imagineRatios(
            joinList(imagineRatios.slice(0, -1), say),
            imagineRatios.at(-1) ?? '',
          ),
      },
    },

    origin: { software: ownSoftware.imagine, usesSeed: true, usesScale: false },

    // Never repeated or aborted: the picture may cost money, and no task ID could find it again.
    make: async (recipe) => {
      const reply = await fetchReply({
        service: 'imagine',
        url: `${apiRoot}/image/generations`,
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}` },
        body: toForm(recipe),
        timeoutMs,
        maxBytes: pictureLimits.bytes,
      }).catch(throwImageError);
      return { files: [readReply(reply)], seed: recipe.seed };
    },
  };
}

function toForm({ prompt, style, ratio, seed }: PictureRecipe): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ prompt, style, aspect_ratio: ratio, seed })) {
    form.set(name, value);
  }
  return form;
}

function readReply(reply: FetchReply): Buffer {
  if (reply.status === 404) {
    // Another server, or a wrong address.
    throw new AppError('image_service_unavailable');
  }
  if (reply.status >= 400 && reply.status < 500 && mentionsCredit(reply)) {
    throw new AppError('out_of_credit');
  }
  if (reply.status >= 300 && reply.status < 400) {
    throw toRefusal(502);
  }
  return readPicture(reply);
}

function mentionsCredit(reply: FetchReply): boolean {
  const parsed = v.safeParse(errorReply, readJson(reply));
  const text = parsed.success ? JSON.stringify(parsed.output) : '';
  return /\b(?:credits?|balance|out of tokens|insufficient)\b/i.test(text);
}
