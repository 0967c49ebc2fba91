/** Making pictures, asking what became of one, and help with its prompt. */
import { type Hono } from 'hono';

import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { cancelJob, generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import { enhancePrompt } from '#contract/endpoints/prompts';
import { type RatioName } from '#contract/images/ratios';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on, onFile } from '#server/http/on';
import { getRequester } from '#server/http/requests';
import { detectPictureType } from '#server/lib/picture-type';
import { type Services } from '#server/services/services';

import { recipeOf } from './recipe.ts';

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
  { generationJobs: jobs, mediaLinks, enhancement, engines }: Services,
): void {
  async function make({ job_key: key, ratio, nsfw, ...wish }: Wish, c: AppContext) {
    const recipe = recipeOf({
      prompt: wish.prompt,
      negativePrompt: wish.negative_prompt,
      modelId: wish.model_id,
      loras: wish.loras ?? {},
      seed: wish.seed,
      ratio,
      nsfw,
    });
    const { pictureIds, seed, engine } = await jobs.make(
      { key, provider: 'pixai', recipe },
      getRequester(c),
    );
    const bytes = await jobs.read(pictureIds[0]);
    return {
      bytes,
      type: detectPictureType(bytes) ?? 'application/octet-stream',
      headers: { 'X-Nori-Seed': seed, 'X-Nori-Engine': engine },
    };
  }

  onFile(app, generate, make);
  onFile(app, generateWithLoras, make);

  on(app, readJob, async ({ job_key }, c) => {
    const { state, seed, engine, failure, pictureIds } = await jobs.find(job_key, getRequester(c));
    const links = pictureIds.map((id) => mediaLinks.sign(`/media/${id}/made`));
    return {
      state,
      engine,
      ...(state === 'done' ? { seed } : {}),
      ...(links.length === 0 ? {} : { image_url: links[0], image_urls: links }),
      ...(failure === undefined ? {} : { detail: failure.detail }),
    };
  });

  on(app, cancelJob, ({ job_key }, c) => jobs.cancel(job_key, getRequester(c)));

  on(app, readImageAbilities, () => ({
    providers: Object.fromEntries(
      Object.entries(engines).map(([provider, { name, abilities }]) => [
        provider,
        {
          engine: name,
          pictures: abilities.pictures ?? 1,
          ...(abilities.ratios && {
            ratios: [...abilities.ratios.names],
            ratios_reason: abilities.ratios.reason,
          }),
        },
      ]),
    ),
  }));

  on(app, enhancePrompt, ({ userPrompt, protect }, c) =>
    enhancement.enhance(userPrompt, getRequester(c), protect ?? []),
  );
}
