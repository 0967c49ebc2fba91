/** A person's pictures on the wire. */
import { type Hono } from 'hono';

import {
  deleteGeneration,
  listGenerations,
  listGenerationUrls,
  saveGeneration,
  updateGeneration,
} from '#contract/endpoints/generations';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { requireTelegramId } from '#server/http/requests';
import { type Services } from '#server/services/services';
import { type ListedGeneration } from '#services/images';

export function addGenerationRoutes(
  app: Hono<AppEnv>,
  { generations, pictures }: Pick<Services, 'generations' | 'pictures'>,
): void {
  on(app, saveGeneration, async (form, c) => {
    const { id, pictureIds } = await generations.save(
      requireTelegramId(c),
      Buffer.from(await form.image.arrayBuffer()),
      {
        provider: 'pixai',
        style: '',
        modelId: form.model_id,
        modelName: form.model_name ?? '',
        prompt: form.prompt,
        negativePrompt: form.negative_prompt ?? '',
        seed: form.seed ?? '',
        ratio: form.ratio ?? '',
        nsfw: form.nsfw === 'true',
        jobKey: form.job_key,
        tags: form.tags,
        loras: form.loras,
      },
    );
    return {
      id,
      image_url: pictures.linkTo(pictureIds[0], 'original'),
      thumbnail_url: pictures.linkTo(pictureIds[0], 'thumbnail'),
    };
  });

  const toWire = (made: ListedGeneration) => ({
    id: made.id,
    image_url: pictures.linkTo(made.pictureIds[0], 'original'),
    thumbnail_url: pictures.linkTo(made.pictureIds[0], 'thumbnail'),
    width: made.width,
    height: made.height,
    prompt: made.prompt,
    negative_prompt: made.negativePrompt,
    model_id: made.modelId,
    model_name: made.modelName,
    seed: made.seed,
    ratio: made.ratio,
    nsfw: made.nsfw,
    status: 'completed',
    created_at: new Date(made.createdAt).toISOString(),
    tags: JSON.parse(made.tags) as unknown,
    loras: JSON.parse(made.loras) as unknown,
    job_key: made.jobKey,
  });

  on(app, listGenerations, async (_input, c) => ({
    generations: (await generations.list(requireTelegramId(c), 'pixai')).map(toWire),
  }));

  on(app, listGenerationUrls, async (_input, c) => ({
    urls: (await generations.list(requireTelegramId(c))).map((made) => ({
      _id: made.id,
      prompt: made.prompt,
      provider: made.provider,
      s3_urls: made.pictureIds.map((id) => pictures.linkTo(id, 'original')),
      created_at: new Date(made.createdAt).toISOString(),
    })),
  }));

  on(app, deleteGeneration, async ({ id }, c) => {
    await generations.remove(requireTelegramId(c), id);
  });

  on(app, updateGeneration, async ({ id, model_name }, c) => {
    await generations.rename(requireTelegramId(c), id, model_name);
    return { status: 'ok', updated: 1 };
  });
}
