/**
 * Pictures in Telegram's chats: what is made for a command, and what is sent from a history. Each is a row of the jobs
 * that are due, so that it outlives the server. A picture takes the place of a message of the bot, because editing can be
 * repeated and sending cannot: see docs/decisions/054.
 */
import { createHmac } from 'node:crypto';
import * as v from 'valibot';

import { defaultImagineStyle } from '#contract/images/imagine-styles';
import { defaultRatio } from '#contract/images/ratios';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository } from '#server/db/accounts';
import { type GenerationJob } from '#server/db/generation-jobs';
import { createTelegramPhotoRepository } from '#server/db/generations';
import { deriveKey } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { type UserLanguage } from '#server/lib/languages';
import { inboxRules, limits } from '#server/lib/limits';
import { type Requester } from '#server/lib/requester';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { createLinks } from '#server/services/links';
import { type Outbox } from '#server/services/outbox';
import { promptNeeds } from '#server/upstream/images/engines';
import {
  type createImages,
  type JobRecipe,
  type ListedGeneration,
  toFailureRefusal,
  toRecipe,
} from '#services/images';

import { pictureMessageTexts } from './picture-message-texts.ts';
import {
  createPictureSender,
  type Delivery,
  openRow,
  type PictureRef,
  readDelivery,
  type SendablePicture,
  toDraftId,
  toPictureFile,
  type Voice,
} from './picture-messages.ts';

type Images = ReturnType<typeof createImages>;
type Provider = keyof Images['engines'];

type Tools = Pick<Images, 'engines' | 'generationJobs' | 'generations' | 'models' | 'pictures'> & {
  readonly dueJobs: DueJobs;
  readonly limiter: Limiter;
  readonly outbox: Pick<Outbox, 'send'>;
  readonly memberCommands: { readonly rights: { readonly botId: number } };
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly userLanguages: {
    readonly readLanguage: (telegramId: number) => Promise<UserLanguage>;
  };
};

type Needs = Pick<
  Dependencies,
  'chatActions' | 'database' | 'telegram' | 'clock' | 'env' | 'languages' | 'log'
>;

const kind = 'picture_delivery';
const overKind = 'picture_delivered';
/** A draft is shown for half a minute, and a job of another process may end unheard. */
const lookEveryMs = 20_000;

/** What is typed of a picture; what is not, is undefined. */
export type TypedPrompt = {
  readonly prompt: string;
  readonly negativePrompt?: string | undefined;
  readonly ratio?: string | undefined;
  readonly seed?: string | undefined;
};

type PictureRequest = { readonly provider: Provider; readonly recipe: JobRecipe };

type NewPicture = PictureRequest & {
  /** Of the update: the same when it is handled again. */
  readonly key: string;
  readonly chatId: number;
  readonly telegramId: number;
  readonly topicId: number | undefined;
  readonly replyTo: number | undefined;
};

type SentPicture = {
  /** Of what is sent: the same one is sent once. */
  readonly id: string;
  readonly telegramId: number;
  readonly chatId: number;
  readonly generationId: string;
  readonly as: 'photo' | 'file' | 'both';
  /** Which of the pictures that were made together; all when absent. */
  readonly index?: number | undefined;
  /** Whether the file says what it was made from. */
  readonly keepsRecipe: boolean;
};

/** What tells a picture from a later one: its line, or its draft. */
type ShownBy = { readonly lineId: number } | { readonly draftId: number };

export type TelegramPictures = ReturnType<typeof createTelegramPictures>;

export function createTelegramPictures(deps: Needs, tools: Tools) {
  const { clock, env, chatActions } = deps;
  const { dueJobs, generationJobs, generations, limiter } = tools;
  const accounts = createAccountRepository(deps.database.db);
  const key = deriveKey(env.secretKeys[0], 'nori pictures in chats');
  const photos = createPhotos(deps, tools);
  const find = createFinder(tools, photos);
  const { isOver, run } = createDeliverer(deps, tools, find);
  dueJobs.handle(kind, run);

  /** Who has no account has no history, and the limits of visitors beside those of users. */
  async function toRequester(telegramId: number): Promise<Requester> {
    const hasAccount = (await accounts.find(telegramId)) !== undefined;
    return { telegramId: hasAccount ? telegramId : undefined, address: `telegram ${telegramId}` };
  }

  /** Returns what waits under this ID now: of two at the same time, one is added. */
  async function add(
    rowId: string,
    { chatId, telegramId }: Pick<NewPicture, 'chatId' | 'telegramId'>,
    delivery: Delivery,
  ): Promise<Delivery | undefined> {
    const body = JSON.stringify(delivery);
    await dueJobs.add({ id: rowId, kind, chatId, telegramId, body, dueAt: clock() });
    return readDelivery(await dueJobs.find(rowId));
  }

  return {
    ...createRequests(tools),

    /**
     * Begins to make a picture for a user, and has it delivered where they have asked for it. Resolves to false when
     * one of theirs is still under way there. Throws what `GenerationJobs.begin` throws.
     */
    async start(picture: NewPicture): Promise<boolean> {
      const { chatId, telegramId, topicId, replyTo, provider, recipe } = picture;
      const rowId = toSlot(chatId, telegramId);
      // The numbers of updates can be guessed.
      const jobKey = createHmac('sha256', key).update(picture.key).digest('base64url').slice(0, 32);
      if (await isOver(jobKey)) {
        return true;
      }
      const waiting = readDelivery(await dueJobs.find(rowId));
      if (waiting !== undefined) {
        return waiting.id === jobKey;
      }
      const requester = await toRequester(telegramId);
      // A server that was killed here may have begun it; what it chose then counts.
      if ((await generationJobs.findAny(jobKey)) === undefined) {
        if (requester.telegramId === undefined) {
          await limiter.take(limits.generations, telegramId);
        }
        await generationJobs.begin({ key: jobKey, provider, recipe }, requester);
      }
      const added = await add(rowId, picture, {
        id: jobKey,
        chatId,
        source: { jobKey },
        as: chatId > 0 ? 'both' : 'photo',
        keepsRecipe: true,
        topicId,
        replyTo,
        items: [],
      });
      if (added !== undefined && added.id !== jobKey) {
        await generationJobs.cancel(jobKey, requester);
        return false;
      }
      return true;
    },

    /**
     * Sends a picture of a user's history to a chat, once for each ID. Resolves when that is sure to happen. Throws
     * `generation_not_found`, also for that of another user, and `service_not_set_up` without a bot.
     */
    async deliver({ id, telegramId, chatId, generationId, ...how }: SentPicture): Promise<void> {
      if (chatActions === undefined) {
        throw new AppError('service_not_set_up');
      }
      const found = await generations.findById(generationId);
      if (found?.telegramId !== telegramId) {
        throw new AppError('generation_not_found');
      }
      const delivered = `${telegramId}:${id}`;
      if (!(await isOver(delivered))) {
        const delivery = { ...how, chatId, id: delivered, source: { generationId }, items: [] };
        await add(`picture:${delivered}`, { chatId, telegramId }, delivery);
      }
    },

    /** Whether what has this ID was sent, or cannot be. */
    isDelivered: (telegramId: number, id: string): Promise<boolean> =>
      isOver(`${telegramId}:${id}`),

    /** Stops the picture that is made for a user in a chat. Resolves to false when it is not made any more. */
    async stop(chatId: number, telegramId: number, by: ShownBy): Promise<boolean> {
      const rowId = toSlot(chatId, telegramId);
      const delivery = readDelivery(await dueJobs.find(rowId));
      const jobKey = delivery && isShownBy(delivery, by) ? readJobKey(delivery) : undefined;
      if (jobKey === undefined || !isUnfinished(await generationJobs.findAny(jobKey))) {
        return false;
      }
      await generationJobs.cancel(jobKey, await toRequester(telegramId));
      await dueJobs.hasten(rowId);
      return true;
    },

    /** By what IDs Telegram has pictures of histories as photos. */
    photos,
    /** What a button is about; undefined when it is not there any more. */
    find,
    /** A picture as a file, with the recipe that it has. Throws `picture_gone`. */
    readFile: async (picture: SendablePicture) => toPictureFile(picture, await picture.read(0)),
  };
}

const createPhotos = ({ database }: Needs, { memberCommands }: Pick<Tools, 'memberCommands'>) =>
  createTelegramPhotoRepository(database.db, memberCommands.rights.botId);

const toSlot = (chatId: number, telegramId: number) => `picture:${chatId}:${telegramId}`;

const isShownBy = ({ id, lineId }: Delivery, by: ShownBy): boolean =>
  'lineId' in by ? lineId === by.lineId : toDraftId(id) === by.draftId;

const readJobKey = ({ source }: Delivery): string | undefined =>
  'jobKey' in source ? source.jobKey : undefined;

const isUnfinished = (made: GenerationJob | undefined): made is GenerationJob =>
  made?.state === 'queued' || made?.state === 'running';

const toOverId = (id: string) => `${overKind}:${id}`;

/** What is said instead of a picture that there will not be. */
function sayFailure(made: GenerationJob | undefined, { texts, say }: Voice): string | undefined {
  if (made?.state === 'cancelled') {
    return texts.stopped;
  }
  return made?.failure && texts.failed(toFailureRefusal(made.failure).sayIn(say));
}

/** Carries deliveries out, step by step: what a step has come to is saved before the next. */
function createDeliverer(deps: Needs, tools: Tools, find: ReturnType<typeof createFinder>) {
  const { clock, log, chatActions } = deps;
  const { dueJobs, generationJobs } = tools;
  const speak = createSpeaker(deps, tools);
  const send = createPictureSender(chatActions, tools);
  const watched = new Set<string>();

  // What was delivered is remembered until then.
  dueJobs.handle(overKind, () => Promise.resolve(true));
  const isOver = async (id: string) => (await dueJobs.find(toOverId(id))) !== undefined;

  /** Kept for as long as an update may be handled again. */
  async function close({ chatId, telegramId }: DueJob, id: string): Promise<true> {
    const dueAt = clock() + inboxRules.openForMs;
    const over = { id: toOverId(id), kind: overKind, chatId, telegramId, body: '{}', dueAt };
    await dueJobs.add(over);
    return true;
  }

  /** When the job ends, and before: another process may make it, and a draft has to be shown again. */
  async function lookAgain(row: ReturnType<typeof openRow>, jobKey: string): Promise<true> {
    await dueJobs.addAgain({ ...row.job, body: row.body(), dueAt: clock() + lookEveryMs });
    if (!watched.has(jobKey)) {
      watched.add(jobKey);
      generationJobs
        .waitForEnd(jobKey)
        .then(() => dueJobs.hasten(row.job.id))
        .catch((error: unknown) => log.warn({ err: error }, 'Could not wait for a picture'))
        .finally(() => watched.delete(jobKey));
    }
    return true;
  }

  async function run(job: DueJob): Promise<boolean> {
    const row = openRow(job, dueJobs);
    const { id, source } = row.read();
    if (await isOver(id)) {
      return true;
    }
    const voice = await speak(job);
    const end = async (text: string) => (await send.sayEnd(row, text)) && close(job, id);
    const made = 'jobKey' in source ? await generationJobs.findAny(source.jobKey) : undefined;
    if (isUnfinished(made)) {
      await send.showProgress(row, made, voice);
      return lookAgain(row, made.key);
    }
    const failure = sayFailure(made, voice);
    if (failure !== undefined) {
      return end(failure);
    }
    const picture = await find(source);
    const sent = picture === undefined ? 'gone' : await send.sendAll(row, picture, voice);
    if (sent === 'later') {
      return false;
    }
    return sent === 'done' || sent === 'nowhere' ? close(job, id) : end(voice.texts[sent]);
  }

  return {
    isOver,
    /** Resolves to whether nothing is left to do. */
    run: async (job: DueJob): Promise<boolean> => {
      try {
        return await run(job);
      } catch (error) {
        if (error instanceof AppError && error.code === 'telegram_unavailable') {
          return false;
        }
        throw error;
      }
    },
  };
}

/** Speaks the language of the chat that a job is about. */
function createSpeaker(
  { languages, env, telegram }: Needs,
  { chats, userLanguages }: Pick<Tools, 'chats' | 'userLanguages'>,
) {
  return async ({ chatId }: Pick<DueJob, 'chatId'>): Promise<Voice> => {
    const language =
      chatId < 0
        ? { language: await chats.readLanguage(chatId), isChosen: false }
        : await userLanguages.readLanguage(chatId);
    const say = languages.textsIn(language.language);
    const me = (await telegram?.self()) ?? { username: '' };
    return {
      say,
      texts: say(pictureMessageTexts),
      links: createLinks(env.publicUrl, me, language),
    };
  };
}

/** Finds pictures with what they were made from. */
function createFinder(
  {
    generationJobs,
    generations,
    pictures,
  }: Pick<Tools, 'generationJobs' | 'generations' | 'pictures'>,
  photos: ReturnType<typeof createPhotos>,
) {
  async function readSaved(id: string): Promise<Buffer> {
    const found = await pictures.read(id, 'original');
    if (found === undefined) {
      throw new AppError('picture_gone');
    }
    return found.bytes;
  }

  /** The job knows more of the recipe than the history, while it is kept. */
  const toSaved = (saved: ListedGeneration, job: GenerationJob | undefined): SendablePicture => ({
    owner: saved.telegramId,
    recipe:
      job?.owner === saved.telegramId ? { ...job.recipe, seed: job.seed } : toSavedRecipe(saved),
    provider: saved.provider,
    engine: job?.engine,
    ref: { generationId: saved.id },
    count: saved.pictureIds.length,
    read: (index) => readSaved(saved.pictureIds[index] ?? saved.pictureIds[0]),
    keepPhoto: (index, fileId) =>
      photos.keep(saved.pictureIds[index] ?? saved.pictureIds[0], fileId),
  });

  const toMade = (job: GenerationJob): SendablePicture => ({
    owner: job.owner,
    recipe: { ...job.recipe, seed: job.seed },
    provider: job.provider,
    engine: job.engine,
    ref: { jobKey: job.key },
    count: job.pictureIds.length,
    read: (index) => generationJobs.read(job.pictureIds[index] ?? ''),
    // It is in no history, from which alone it could be shared.
    keepPhoto: () => Promise.resolve(),
  });

  return async (ref: PictureRef): Promise<SendablePicture | undefined> => {
    if ('generationId' in ref) {
      const saved = await generations.findById(ref.generationId);
      const job =
        saved?.jobKey === undefined ? undefined : await generationJobs.findAny(saved.jobKey);
      return saved && toSaved(saved, job);
    }
    const job = await generationJobs.findAny(ref.jobKey);
    if (job === undefined || job.pictureIds.length === 0) {
      return undefined;
    }
    const saved =
      job.owner === undefined ? undefined : await generations.findByKey(job.owner, job.key);
    return saved === undefined ? toMade(job) : toSaved(saved, job);
  };
}

const weights = v.fallback(v.record(v.string(), v.number()), {});

function toSavedRecipe(saved: ListedGeneration): JobRecipe {
  const { prompt, negativePrompt, modelId, style, seed, nsfw, ratio, loras } = saved;
  return toRecipe({
    prompt,
    negativePrompt,
    modelId,
    style,
    seed,
    nsfw,
    ratio,
    loras: v.parse(weights, JSON.parse(loras)),
  });
}

const listedModel = v.object({
  node: v.object({
    type: v.string(),
    isNsfw: v.optional(v.boolean(), false),
    latestAvailableVersion: v.object({ id: v.string() }),
  }),
});
/** A page has some that are no LoRAs. */
const modelsPerPage = 20;

/** Chooses who makes a picture that was typed, and with what. */
function createRequests({ engines, models }: Pick<Tools, 'engines' | 'models'>) {
  const isProvider = (name: string): name is Provider => Object.hasOwn(engines, name);

  /** The first one that has a service; sketches where none has. */
  function chooseProvider(): Provider {
    const found = Object.entries(engines).find(([, { name }]) => name !== 'sketch')?.[0] ?? '';
    return isProvider(found) ? found : 'pixai';
  }

  /** The one that the form in Nori begins with. */
  async function findFirstModel(): Promise<string> {
    const { edges } = await models.list({ first: modelsPerPage });
    const listed = edges.map((edge) => v.safeParse(listedModel, edge));
    const usable = listed.find(
      ({ success, output }) => success && !/lora/i.test(output.node.type) && !output.node.isNsfw,
    );
    return usable?.success === true ? usable.output.node.latestAvailableVersion.id : '';
  }

  return {
    /** Throws `model_service_failed`. */
    toRequest: async (typed: TypedPrompt): Promise<PictureRequest> => {
      const { prompt, negativePrompt = '', ratio = defaultRatio, seed = '' } = typed;
      const provider = chooseProvider();
      if (promptNeeds[provider] === 'options') {
        return { provider, recipe: toRecipe({ prompt: typeOptions(typed), ratio }) };
      }
      const what = { prompt, negativePrompt, ratio, seed };
      return promptNeeds[provider] === 'style'
        ? { provider, recipe: toRecipe({ ...what, style: defaultImagineStyle }) }
        : { provider, recipe: toRecipe({ ...what, modelId: await findFirstModel() }) };
    },

    /** The same once more, with another seed; undefined when nothing makes such pictures any more. */
    toRequestAgain: ({ provider, recipe }: SendablePicture): PictureRequest | undefined =>
      isProvider(provider)
        ? {
            provider,
            recipe: { ...recipe, prompt: recipe.prompt.replace(/ --seed \d+/, ''), seed: '' },
          }
        : undefined,
  };
}

function typeOptions({ prompt, negativePrompt = '', ratio, seed = '' }: TypedPrompt): string {
  return [
    prompt,
    ...(ratio === undefined ? [] : [`--ar ${ratio}`]),
    ...(negativePrompt === '' ? [] : [`--no ${negativePrompt}`]),
    ...(seed === '' ? [] : [`--seed ${seed}`]),
  ].join(' ');
}
