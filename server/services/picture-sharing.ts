/**
 * Pictures of a user in Telegram: the bot sends them to their own chat, tells them when one is ready, and prepares
 * messages with which they share one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';

import { maxPromptLength } from '#contract/images/limits';
import { formatOwnRecipe, type FoundRecipe } from '#contract/images/recipe-text';
import { type Dependencies } from '#server/app/dependencies';
import { type GenerationJob } from '#server/db/generation-jobs';
import { sentRecipeJob } from '#server/db/personal-records';
import { AppError } from '#server/lib/errors';
import { limits, sharingRules } from '#server/lib/limits';
import { type Telegram } from '#server/upstream/telegram/telegram';
import { hearsStart, type UserLanguageService } from '#services/accounts';
import { type createImages, toFailureRefusal } from '#services/images';

import { type DueJobs } from './due-jobs.ts';
import { type Limiter } from './limiter.ts';
import { messageTexts } from './message-texts.ts';
import { type Messages } from './messages.ts';
import { type TelegramPictures } from './telegram-pictures.ts';

type Env = Dependencies['env'];

/** What is sent is a job of the process that receives the bot's updates. */
export const canSendPictures = (env: Env): boolean => hearsStart(env);

/** Telegram loads pictures from the public address, and only by HTTPS. */
export const canSharePictures = (env: Env): boolean =>
  canSendPictures(env) && env.publicUrl?.startsWith('https:') === true;

type Tools = Pick<
  ReturnType<typeof createImages>,
  'generations' | 'generationJobs' | 'mediaLinks' | 'readRendition'
> & {
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly userLanguages: UserLanguageService;
  readonly dueJobs: DueJobs;
  readonly telegramPictures: Pick<TelegramPictures, 'deliver' | 'isDelivered' | 'photos'>;
};

export function createPictureSharing(deps: Dependencies, tools: Tools) {
  return {
    sentRecipes: createSentRecipes(deps, tools),
    pictureSharing: {
      ...createLinksAndMessages(deps, tools),
      send: createSending(deps, tools),
      notify: createNotifying(deps, tools),
    },
  };
}

const recipeKeptMs = 24 * 60 * 60_000;
const sentRecipe = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ program: v.string(), recipe: v.string() }),
);

const toRecipeJobId = (id: string) => `${sentRecipeJob}:${id}`;

/** Recipes of files that were sent to the bot, until Nori is opened with them. Their rows go after a day by themselves. */
function createSentRecipes(
  { clock }: Pick<Dependencies, 'clock'>,
  { dueJobs }: Pick<Tools, 'dueJobs'>,
) {
  return {
    /** Returns the ID; undefined for prompts that no form takes. */
    async keep(telegramId: number, recipe: FoundRecipe): Promise<string | undefined> {
      if (Math.max(recipe.prompt.length, recipe.negativePrompt.length) > maxPromptLength) {
        return undefined;
      }
      const id = randomUUID();
      await dueJobs.add({
        id: toRecipeJobId(id),
        kind: sentRecipeJob,
        chatId: telegramId,
        telegramId,
        body: JSON.stringify({ program: recipe.program, recipe: formatOwnRecipe(recipe) }),
        dueAt: clock() + recipeKeptMs,
      });
      return id;
    },

    /** Throws `not_found` after a day. */
    async read(id: string): Promise<v.InferOutput<typeof sentRecipe>> {
      const job = await dueJobs.find(toRecipeJobId(id));
      const found = v.safeParse(sentRecipe, job?.body);
      if (job === undefined || job.dueAt <= clock() || !found.success) {
        throw new AppError('not_found');
      }
      return found.output;
    },
  };
}

type OnePicture = { readonly id: string; readonly picture: number };

/** Throws `generation_not_found`, also for another user's, and for a picture that the generation does not have. */
async function readOwn(
  { generations }: Pick<Tools, 'generations'>,
  telegramId: number,
  { id, picture = 0 }: { readonly id: string; readonly picture?: number | undefined },
) {
  const generation = await generations.findById(id);
  const pictureId = generation?.pictureIds[picture];
  if (generation?.telegramId !== telegramId || pictureId === undefined) {
    throw new AppError('generation_not_found');
  }
  return { generation, pictureId };
}

function createLinksAndMessages({ telegram, env }: Dependencies, tools: Tools) {
  const { limiter, mediaLinks, readRendition } = tools;
  const { photos } = tools.telegramPictures;
  const sign = (id: string, variant: Parameters<typeof readRendition>[0]['variant']) =>
    mediaLinks.signRendition({ id, variant });

  /** Undefined where Telegram has no photo of it. */
  async function prepareKnown(bot: Telegram, telegramId: number, pictureId: string) {
    const fileId = (await photos.find([pictureId])).get(pictureId);
    if (fileId === undefined) {
      return undefined;
    }
    const prepared = await bot.prepareMessage(telegramId, { id: toResultId(pictureId), fileId });
    if (prepared === 'file lost') {
      await photos.forget(telegramId, [fileId]);
      return undefined;
    }
    return prepared;
  }

  /** Telegram loads it from the public address. */
  async function prepareLinked(
    bot: Telegram,
    telegramId: number,
    { pictureId, generation }: Awaited<ReturnType<typeof readOwn>>,
  ) {
    // Before Telegram asks for it: a picture that cannot be had is refused here, in words.
    await readRendition({ id: pictureId, variant: 'photo' });
    const prepared = await bot.prepareMessage(telegramId, {
      id: toResultId(pictureId),
      url: sign(pictureId, 'photo'),
      previewUrl: sign(pictureId, 'preview'),
      width: generation.width,
      height: generation.height,
    });
    if (prepared === 'file lost') {
      throw new AppError('telegram_refused');
    }
    return prepared;
  }

  return {
    /** Throws `service_not_set_up`, `generation_not_found`, `rate_limited`, `telegram_refused` or `telegram_unavailable`. */
    async prepare(telegramId: number, which: OnePicture) {
      const own = await readOwn(tools, telegramId, which);
      const bot = requireTelegram(telegram, canSharePictures(env));
      await limiter.take(limits.pictureShares, telegramId);
      const { id, expiration_date } =
        (await prepareKnown(bot, telegramId, own.pictureId)) ??
        (await prepareLinked(bot, telegramId, own));
      return { preparedMessageId: id, expiresAt: expiration_date * 1000 };
    },

    /** Throws `generation_not_found`. */
    async readLinks(telegramId: number, which: OnePicture) {
      const { pictureId } = await readOwn(tools, telegramId, which);
      return { photo: sign(pictureId, 'photo'), story: sign(pictureId, 'story') };
    },
  };
}

/** At most 64 bytes. */
const toResultId = (pictureId: string): string =>
  createHash('sha256').update(pictureId).digest('base64url');

function requireTelegram(telegram: Telegram | undefined, isPossible: boolean): Telegram {
  if (telegram === undefined || !isPossible) {
    throw new AppError('service_not_set_up');
  }
  return telegram;
}

type SendRequest = {
  readonly id: string;
  /** Which of its pictures, counted from 0; all when absent. */
  readonly picture: number | undefined;
  readonly as: 'photo' | 'file';
  readonly withoutRecipe: boolean;
  readonly requestKey: string;
};

/**
 * Returns the function that sends a picture once per request key. It returns `pending` when that takes long. It throws
 * `service_not_set_up`, `generation_not_found`, `rate_limited`, `bot_may_not_write` or `telegram_unavailable`.
 */
function createSending({ telegram, env, serviceTimeoutMs }: Dependencies, tools: Tools) {
  const { limiter, telegramPictures } = tools;
  const waitMs = serviceTimeoutMs ?? sharingRules.waitMs;

  /** Looks a few times: another process may do it. */
  async function waitUntilSent(telegramId: number, id: string): Promise<'sent' | 'pending'> {
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += sharingRules.lookEveryMs) {
      if (await telegramPictures.isDelivered(telegramId, id)) {
        return 'sent';
      }
      await sleep(sharingRules.lookEveryMs, undefined, { ref: false });
    }
    return 'pending';
  }

  return async (
    telegramId: number,
    { requestKey: id, withoutRecipe, as, picture, ...which }: SendRequest,
  ): Promise<'sent' | 'pending'> => {
    const { generation } = await readOwn(tools, telegramId, { ...which, picture });
    const bot = requireTelegram(telegram, canSendPictures(env));
    if (await telegramPictures.isDelivered(telegramId, id)) {
      return 'sent';
    }
    await limiter.take(limits.pictureSends, telegramId);
    if (!(await bot.mayWrite(telegramId))) {
      throw new AppError('bot_may_not_write');
    }
    await telegramPictures.deliver({
      id,
      telegramId,
      chatId: telegramId,
      generationId: generation.id,
      index: picture,
      as,
      keepsRecipe: !withoutRecipe,
    });
    return waitUntilSent(telegramId, id);
  };
}

const readyKind = 'picture_ready';
/** What the body of such a job becomes; before, it is the key of the job that makes the picture. */
const told = 'told';

const isUnfinished = ({ state }: Pick<GenerationJob, 'state'>) =>
  state === 'queued' || state === 'running';

/**
 * Returns the function that has the bot tell a user once that their job has ended. It throws `service_not_set_up`,
 * `job_not_found`, `rate_limited`, `bot_may_not_write` or `telegram_unavailable`.
 */
function createNotifying(deps: Dependencies, tools: Tools) {
  const { telegram, env, clock, log } = deps;
  const { dueJobs, limiter, generationJobs } = tools;
  const tell = createTelling(deps, tools);
  const toJobId = (key: string) => `${readyKind}:${key}`;
  const watched = new Set<string>();

  /** Its end wakes the job that tells of it; that also looks by itself, for ends in killed processes. */
  function watch(key: string): void {
    if (!watched.has(key)) {
      watched.add(key);
      generationJobs
        .waitForEnd(key)
        .then(() => dueJobs.hasten(toJobId(key)))
        .catch((error: unknown) => log.warn({ err: error }, 'Could not wait for a picture'))
        .finally(() => watched.delete(key));
    }
  }

  dueJobs.handle(readyKind, async (job) => {
    const { telegramId = job.chatId } = job;
    const key = (await dueJobs.find(job.id))?.body ?? told;
    const made = key === told ? undefined : await generationJobs.findAny(key);
    if (made?.owner !== telegramId) {
      return true;
    }
    if (isUnfinished(made)) {
      await dueJobs.addAgain({ ...job, dueAt: clock() + sharingRules.lookAgainMs });
      watch(key);
      return true;
    }
    const isTold = await tell(made, telegramId);
    if (isTold) {
      await dueJobs.changeBody(job, told);
    }
    return isTold;
  });

  return async (telegramId: number, key: string): Promise<'waiting' | 'ended'> => {
    const made = await generationJobs.findAny(key);
    if (made?.owner !== telegramId) {
      throw new AppError('job_not_found');
    }
    const bot = requireTelegram(telegram, canSendPictures(env));
    if (!isUnfinished(made)) {
      return 'ended';
    }
    await limiter.take(limits.pictureSends, telegramId);
    if (!(await bot.mayWrite(telegramId))) {
      throw new AppError('bot_may_not_write');
    }
    const where = { chatId: telegramId, telegramId };
    await dueJobs.add({ id: toJobId(key), kind: readyKind, ...where, body: key, dueAt: clock() });
    return 'waiting';
  };
}

/** Returns the function that tells a user how a job has ended. It resolves to false when Telegram does not answer. */
function createTelling({ languages }: Dependencies, tools: Tools) {
  const { generations, telegramPictures, messages, userLanguages } = tools;

  async function write({ failure }: GenerationJob, telegramId: number): Promise<boolean> {
    const { language } = await userLanguages.readLanguage(telegramId);
    const reason = failure && toFailureRefusal(failure).sayIn(languages.textsIn(language));
    try {
      await messages.send(telegramId, language, (say) => {
        const { pictureFailed, pictureInApp } = say(messageTexts);
        return { text: reason === undefined ? pictureInApp : pictureFailed(reason) };
      });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'telegram_unavailable') {
        return false;
      }
      throw error;
    }
  }

  return async (made: GenerationJob, telegramId: number): Promise<boolean> => {
    const { state, key } = made;
    if (state === 'cancelled') {
      return true;
    }
    const saved = state === 'done' ? await generations.findByKey(telegramId, key) : undefined;
    if (saved === undefined) {
      return write(made, telegramId);
    }
    await telegramPictures.deliver({
      id: `${readyKind}-${key}`,
      telegramId,
      chatId: telegramId,
      generationId: saved.id,
      index: undefined,
      as: 'photo',
      keepsRecipe: true,
    });
    return true;
  };
}
