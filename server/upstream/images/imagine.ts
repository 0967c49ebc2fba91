/** Imagine Art (Vyro) as an engine: one question, answered with the picture itself. */
import * as v from 'valibot';

import { imagineRatios, imagineSeed } from '#contract/images/imagine-styles';
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { type PictureRecipe } from '#server/lib/picture-recipe';
import { ask, jsonOf, type Reply } from '#server/upstream/ask';

import { type ImageEngine } from './image-engine.ts';
import { refusalOf } from './image-errors.ts';
import { throwImageError } from './patience.ts';
import { pictureIn } from './remote-picture.ts';

const secondMs = 1000;
/** Just below the time after which the platform itself gives a request up. */
const longestMs = 290 * secondMs;
/** The service names no number; more at once only wait there. */
const atOnce = 4;

export type ImagineSettings = {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  /** For one picture, in milliseconds. */
  readonly timeoutMs?: number;
};

/** What it says when it makes none. Its sentences may repeat the prompt, and stay here. */
const refusal = v.object({
  error: v.optional(v.nullable(v.unknown())),
  message: v.optional(v.nullable(v.unknown())),
});

export function connectImagine({
  apiKey,
  apiRoot,
  timeoutMs = longestMs,
}: ImagineSettings): ImageEngine {
  return {
    name: 'imagine',
    abilities: {
      seedMax: BigInt(imagineSeed.max),
      concurrency: atOnce,
      deadlineMs: timeoutMs + secondMs,
      isFree: false,
      ratios: {
        names: imagineRatios,
        reason: `Imagine Art makes pictures in ${listed(imagineRatios)} only.`,
      },
    },

    // Once, and to its end: there is no task to ask for, and what was asked for costs.
    make: async (recipe) => {
      const reply = await ask({
        url: `${apiRoot}/image/generations`,
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}` },
        body: formOf(recipe),
        timeoutMs,
        maxBytes: pictureLimits.bytes,
      }).catch(throwImageError);
      return { files: [readAnswer(reply)], seed: recipe.seed };
    },
  };
}

function formOf({ prompt, style, ratio, seed }: PictureRecipe): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ prompt, style, aspect_ratio: ratio, seed })) {
    form.set(name, value);
  }
  return form;
}

function readAnswer(reply: Reply): Buffer {
  if (reply.status === 404) {
    // Another server: there is nothing here that could be gone.
    throw new AppError('image_service_unavailable');
  }
  if (reply.status >= 400 && reply.status < 500 && speaksOfCredit(reply)) {
    throw new AppError('out_of_credit');
  }
  if (reply.status >= 300 && reply.status < 400) {
    throw refusalOf(502);
  }
  return pictureIn(reply);
}

function speaksOfCredit(reply: Reply): boolean {
  const parsed = v.safeParse(refusal, jsonOf(reply));
  const said = parsed.success ? JSON.stringify(parsed.output) : '';
  return /\b(?:credits?|balance|out of tokens|insufficient)\b/i.test(said);
}

/** As one says it: "1:1, 3:2 and 4:3". */
function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}
