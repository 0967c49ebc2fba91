/** Pictures: making them with Pix-AI, jobs of all providers, and saved generations. */
import { type Hono } from 'hono';

import {
  deleteGeneration,
  listGenerations,
  listGenerationUrls,
  readLinkedRecipe,
  restoreGeneration,
  saveGeneration,
  uploadSource,
  updateGeneration,
} from '#contract/endpoints/generations';
import { readImageAbilities } from '#contract/endpoints/image-abilities';
import { cancelJob, generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import {
  notifyOfJob,
  readPictureLinks,
  readSentRecipe,
  sendPicture,
  sharePicture,
} from '#contract/endpoints/picture-sharing';
import { enhancePrompt } from '#contract/endpoints/prompts';
import { loraWeight, maxLoras, maxModelIdLength, maxPromptLength } from '#contract/images/limits';
import { type RatioName } from '#contract/images/ratios';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { ReceivedFile } from '#server/http/body';
import { on, onFile, onForm, onUser } from '#server/http/on';
import { getRequester, requireTelegramId, sayTranslated } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { sayEnglish } from '#server/lib/languages';
import { detectPictureType } from '#server/lib/picture-type';
import { type Services } from '#server/services/services';
import { type ListedGeneration, toFailureRefusal, toRecipe } from '#services/images';

type PixaiInput = {
  readonly prompt: string;
  readonly model_id: string;
  readonly negative_prompt: string;
  readonly seed: string;
  readonly nsfw: boolean;
  readonly ratio: RatioName;
  readonly job_key?: string | undefined;
  readonly loras?: Readonly<Record<string, number>>;
  readonly steps?: number | undefined;
  readonly sampler?: string | undefined;
  readonly source?: Parameters<Services['generations']['findSource']>[1] | undefined;
};

/** Making pictures with Pix-AI, jobs of all providers, and help with prompts. */
export function addImageRoutes(
  app: Hono<AppEnv>,
  {
    generationJobs: jobs,
    generationResults,
    generations,
    mediaLinks,
    enhancement,
    engines,
  }: Services,
): void {
  async function make({ job_key: key, ...input }: PixaiInput, c: AppContext) {
    const source =
      input.source && (await generations.findSource(requireTelegramId(c), input.source));
    const recipe = toRecipe({
      prompt: input.prompt,
      negativePrompt: input.negative_prompt,
      modelId: input.model_id,
      loras: input.loras ?? {},
      seed: input.seed,
      ratio: input.ratio,
      nsfw: input.nsfw,
      steps: input.steps,
      sampler: input.sampler,
      source,
    });
    const request = { key, provider: 'pixai', recipe } as const;
    const result = await generationResults.make(request, getRequester(c));
    const bytes = await generationResults.read(result);
    return {
      bytes,
      type: detectPictureType(bytes) ?? 'application/octet-stream',
      headers: {
        'X-Nori-Seed': result.seed,
        ...(result.engine === undefined ? {} : { 'X-Nori-Engine': result.engine }),
        ...(result.isSaved && {
          'X-Nori-Generation': result.id,
          'X-Nori-Image-Url': result.images[0],
          ...(result.thumbnails[0] !== undefined && {
            'X-Nori-Thumbnail-Url': result.thumbnails[0],
          }),
        }),
      },
    };
  }

  onFile(app, generate, make);
  onFile(app, generateWithLoras, make);

  on(app, readJob, async ({ job_key }, c) => {
    const job = await jobs.find(job_key, getRequester(c));
    const { state, seed, engine, failure, pictureIds } = job;
    const isUnfinished = state === 'queued' || state === 'running';
    const wait = isUnfinished ? await generationResults.readWait(job) : undefined;
    const links = pictureIds.map((id) => mediaLinks.sign({ id, variant: 'made' }));
    const refusal = failure && toFailureRefusal(failure);
    return {
      state,
      engine,
      ...(wait?.position === undefined ? {} : { queue_position: wait.position }),
      ...(wait?.expectedS === undefined ? {} : { expected_seconds: wait.expectedS }),
      ...(state === 'done' ? { seed } : {}),
      ...(links.length === 0 ? {} : { image_url: links[0], image_urls: links }),
      ...(refusal && {
        detail: refusal.detail,
        message: sayTranslated(c, (say) => refusal.sayIn(say)),
      }),
    };
  });

  on(app, cancelJob, ({ job_key }, c) => jobs.cancel(job_key, getRequester(c)));

  on(app, readImageAbilities, async (_input, c) => {
    const described = Object.entries(engines).map(
      async ([provider, engine]) => [provider, await describeEngine(provider, engine, c)] as const,
    );
    return { providers: Object.fromEntries(await Promise.all(described)) };
  });

  on(app, enhancePrompt, ({ userPrompt, protect }, c) =>
    enhancement.enhance(userPrompt, getRequester(c), protect ?? []),
  );
}

/** What a picture was made from, as it is told to who has its link. */
function toLinkedRecipe(
  { provider, weights, ...saved }: Awaited<ReturnType<Services['generations']['requireLinked']>>,
  telegramId: number,
) {
  return {
    provider,
    is_own: saved.telegramId === telegramId,
    prompt: saved.prompt,
    negative_prompt: saved.negativePrompt,
    model_id: saved.modelId,
    model_name: saved.modelName,
    style: saved.style,
    seed: saved.seed,
    ratio: saved.ratio,
    nsfw: saved.nsfw,
    loras: weights,
  };
}

type Engine = Services['engines'][keyof Services['engines']];

async function describeEngine(provider: string, engine: Engine, c: AppContext) {
  const { name, abilities } = engine;
  const samplers = (await engine.readSamplers?.()) ?? [];
  return {
    engine: name,
    pictures: abilities.pictures ?? 1,
    max_prompt_length: maxPromptLength,
    seed: { min: '0', max: String(abilities.seedMax) },
    ...(provider === 'pixai' && {
      max_model_id_length: maxModelIdLength,
      max_loras: maxLoras,
      lora_weight: {
        min: loraWeight.min / 100,
        max: abilities.loraWeightMax ?? loraWeight.max / 100,
      },
    }),
    ...(abilities.steps && { steps: abilities.steps }),
    ...(abilities.modes && { modes: [...abilities.modes] }),
    ...(samplers.length > 0 && { samplers: [...samplers] }),
    ...(abilities.ratios && {
      ratios: [...abilities.ratios.names],
      ratios_reason: abilities.ratios.reason(sayEnglish),
      ratios_reason_translated: sayTranslated(c, abilities.ratios.reason),
    }),
  };
}

/** Pictures that others are made from. */
export function addSourceRoutes(
  app: Hono<AppEnv>,
  { generations, uploads }: Pick<Services, 'generations' | 'uploads'>,
): void {
  onForm(app, uploadSource, {
    admit: (c) => admitUpload(uploads, c),
    handler: async (form, c) => {
      if (!(form.image instanceof ReceivedFile)) {
        throw new AppError('invalid_input');
      }
      const { id, width, height } = await generations.addSource(
        requireTelegramId(c),
        form.image.draft,
      );
      return { id, width, height };
    },
  });
}

function admitUpload(uploads: Services['uploads'], c: AppContext) {
  const declared = c.req.header('Content-Length');
  return uploads.begin({
    telegramId: requireTelegramId(c),
    bytes: declared === undefined ? undefined : Number(declared),
    signal: c.req.raw.signal,
  });
}

/** Saved generations of a user. */
export function addGenerationRoutes(
  app: Hono<AppEnv>,
  { generations, pictures, uploads }: Pick<Services, 'generations' | 'pictures' | 'uploads'>,
): void {
  const getLinks = ({ pictureIds: [first] }: ListedGeneration) => ({
    image_url: pictures.getLink(first, 'original'),
    thumbnail_url: pictures.getLink(first, 'thumbnail'),
  });

  const toItem = (saved: ListedGeneration) => ({
    id: saved.id,
    ...getLinks(saved),
    width: saved.width,
    height: saved.height,
    prompt: saved.prompt,
    negative_prompt: saved.negativePrompt,
    model_id: saved.modelId,
    model_name: saved.modelName,
    seed: saved.seed,
    ratio: saved.ratio,
    nsfw: saved.nsfw,
    status: 'completed',
    created_at: new Date(saved.createdAt).toISOString(),
    tags: JSON.parse(saved.tags) as unknown,
    loras: JSON.parse(saved.loras) as unknown,
    job_key: saved.jobKey,
  });

  onForm(app, saveGeneration, {
    admit: (c) => admitUpload(uploads, c),
    handler: async (form, c) => {
      if (!(form.image instanceof ReceivedFile)) {
        throw new AppError('invalid_input');
      }
      const saved = await generations.save(requireTelegramId(c), form.image.draft, {
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
      });
      return { id: saved.id, ...getLinks(saved) };
    },
  });

  onUser(app, listGenerations, async (_input, c) => ({
    generations: (await generations.list(requireTelegramId(c), 'pixai')).map(toItem),
  }));

  onUser(app, listGenerationUrls, async (_input, c) => ({
    urls: (await generations.list(requireTelegramId(c))).map((saved) => ({
      _id: saved.id,
      prompt: saved.prompt,
      provider: saved.provider,
      s3_urls: saved.pictureIds.map((id) => pictures.getLink(id, 'original')),
      created_at: new Date(saved.createdAt).toISOString(),
    })),
  }));

  onUser(app, deleteGeneration, async ({ id }, c) => {
    await generations.moveToBin(requireTelegramId(c), id);
  });

  onUser(app, readLinkedRecipe, async ({ link }, c) => {
    const telegramId = requireTelegramId(c);
    return toLinkedRecipe(await generations.requireLinked(link, telegramId), telegramId);
  });

  onUser(app, restoreGeneration, async ({ id }, c) => {
    await generations.restore(requireTelegramId(c), id);
  });

  onUser(app, updateGeneration, async ({ id, model_name }, c) => {
    await generations.rename(requireTelegramId(c), id, model_name);
    return { status: 'ok', updated: 1 };
  });
}

/** Pictures in Telegram: sent by the bot, shared to chats, posted as stories. */
export function addPictureSharingRoutes(
  app: Hono<AppEnv>,
  { pictureSharing, sentRecipes }: Pick<Services, 'pictureSharing' | 'sentRecipes'>,
): void {
  on(app, readSentRecipe, ({ link }) => sentRecipes.read(link));

  onUser(app, sendPicture, async ({ id, picture, as, without_recipe, request_key }, c) => ({
    state: await pictureSharing.send(requireTelegramId(c), {
      id,
      picture,
      as,
      withoutRecipe: without_recipe,
      requestKey: request_key,
    }),
  }));

  onUser(app, sharePicture, async (which, c) => {
    const { preparedMessageId, expiresAt } = await pictureSharing.prepare(
      requireTelegramId(c),
      which,
    );
    return {
      prepared_message_id: preparedMessageId,
      expires_at: new Date(expiresAt).toISOString(),
    };
  });

  onUser(app, readPictureLinks, async (which, c) => {
    const { photo, story } = await pictureSharing.readLinks(requireTelegramId(c), which);
    return { photo_url: photo, story_url: story };
  });

  onUser(app, notifyOfJob, async ({ job_key }, c) => ({
    state: await pictureSharing.notify(requireTelegramId(c), job_key),
  }));
}
