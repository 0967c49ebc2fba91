/** Making pictures, asking what became of one, and help with its prompt. */
import { type Hono } from 'hono';

import { cancelJob, generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import { enhancePrompt } from '#contract/endpoints/prompts';
import { guidanceScale } from '#contract/images/limits';
import { type RatioName, sizeOfRatio } from '#contract/images/ratios';
import { type AppContext, type AppEnv } from '#server/lib/app-env';
import { on, onFile } from '#server/lib/on';
import { pictureTypeOf } from '#server/lib/picture-type';
import { type Asker } from '#server/services/generation-jobs';
import { type Services } from '#server/services/services';

type Wish = {
  readonly prompt: string;
  readonly model_id: string;
  readonly negative_prompt: string;
  readonly seed: string;
  readonly nsfw: boolean;
  readonly ratio: RatioName;
  readonly job_key?: string | undefined;
  readonly loras?: Readonly<Record<string, number>>;
};

export function addImageRoutes(
  app: Hono<AppEnv>,
  { generationJobs: jobs, mediaLinks, enhancement }: Services,
): void {
  async function make({ job_key: key, ratio, nsfw, ...wish }: Wish, c: AppContext) {
    const recipe = {
      prompt: wish.prompt,
      negativePrompt: wish.negative_prompt,
      modelId: wish.model_id,
      loras: wish.loras ?? {},
      seed: wish.seed,
      scale: guidanceScale,
      ratio,
      nsfw,
      ...pixelsOf(ratio),
    };
    const { bytes, seed, engine } = await jobs.make({ key, provider: 'pixai', recipe }, askerOf(c));
    return {
      bytes,
      type: pictureTypeOf(bytes) ?? 'application/octet-stream',
      headers: { 'X-Nori-Seed': seed, 'X-Nori-Engine': engine },
    };
  }

  onFile(app, generate, make);
  onFile(app, generateWithLoras, make);

  on(app, readJob, async ({ job_key }, c) => {
    const { state, seed, engine, failure, pictureId } = await jobs.find(job_key, askerOf(c));
    return {
      state,
      engine,
      ...(state === 'done' ? { seed } : {}),
      ...(pictureId === undefined
        ? {}
        : { image_url: mediaLinks.sign(`/media/${pictureId}/made`) }),
      ...(failure === undefined ? {} : { detail: failure.detail }),
    };
  });

  on(app, cancelJob, ({ job_key }, c) => jobs.cancel(job_key, askerOf(c)));

  on(app, enhancePrompt, ({ userPrompt, protect }, c) =>
    enhancement.enhance(userPrompt, askerOf(c), protect ?? []),
  );
}

function askerOf(c: AppContext): Asker {
  return { telegramId: c.get('person')?.telegramId, address: c.get('address') };
}

function pixelsOf(ratio: RatioName) {
  const { width, height } = sizeOfRatio(ratio);
  return { width, height };
}
