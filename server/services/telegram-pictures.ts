/**
 * Pictures in Telegram's chats: what is made for a command, and what is sent from the history. Each is a row of the jobs
 * that are due, so that it outlives the server. A picture takes the place of a message of the bot, because editing can be
 * repeated and sending cannot: see docs/decisions/054.
 */
import { createHash, createHmac } from 'node:crypto';
import * as v from 'valibot';

import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type GenerationJob } from '#server/db/generation-jobs';
import { deriveKey } from '#server/lib/derived-keys';
import { AppError, Unfinished } from '#server/lib/errors';
import { type Say, type UserLanguage } from '#server/lib/languages';
import { inboxRules } from '#server/lib/limits';
import { detectPictureType } from '#server/lib/picture-type';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { createLinks, type Links } from '#server/services/links';
import { type Outbox } from '#server/services/outbox';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';
import { buttonData, type MessageButton } from '#server/upstream/telegram/messages';
import {
  type createImages,
  type JobRecipe,
  type ListedGeneration,
  toFailureRefusal,
} from '#services/images';

import { pictureMessageTexts } from './picture-message-texts.ts';

type Images = ReturnType<typeof createImages>;

type Tools = Pick<Images, 'engines' | 'generationJobs' | 'generations' | 'pictures'> & {
  readonly dueJobs: DueJobs;
  readonly outbox: Pick<Outbox, 'send'>;
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly userLanguages: {
    readonly readLanguage: (telegramId: number) => Promise<UserLanguage>;
  };
};

type Needs = Pick<Dependencies, 'chatActions' | 'telegram' | 'clock' | 'env' | 'languages' | 'log'>;

const kind = 'picture_delivery';
const overKind = 'picture_delivered';
/** A draft is shown for half a minute, and jobs of other processes may end unheard. */
const lookEveryMs = 20_000;
const maxTitleLength = 200;
const maxPromptLength = 800;

const item = v.object({
  as: v.picklist(['photo', 'file']),
  /** Which of the pictures that were made together. */
  index: v.number(),
  /** What it takes the place of. */
  messageId: v.optional(v.number()),
  /** Telegram may have put it there. */
  isTried: v.optional(v.boolean()),
  isDone: v.optional(v.boolean()),
});
type Item = v.InferOutput<typeof item>;

const deliveryBody = v.object({
  /** Of what is delivered once. */
  id: v.string(),
  source: v.union([v.object({ jobKey: v.string() }), v.object({ generationId: v.string() })]),
  as: v.picklist(['photo', 'file', 'both']),
  keepsRecipe: v.boolean(),
  topicId: v.optional(v.number()),
  replyTo: v.optional(v.number()),
  /** The message that says how far it is. */
  lineId: v.optional(v.number()),
  shown: v.optional(v.string()),
  hasNoDrafts: v.optional(v.boolean()),
  items: v.array(item),
});
type Delivery = v.InferOutput<typeof deliveryBody>;

/** What a button under a picture is about: a generation, or a job whose picture is in no history. */
export type PictureRef = { readonly generationId: string } | { readonly jobKey: string };

/** A picture that can be sent. */
export type SendablePicture = {
  readonly owner: number | undefined;
  readonly recipe: Pick<JobRecipe, 'prompt' | 'ratio' | 'seed' | 'nsfw'>;
  readonly provider: string;
  readonly engine: string | undefined;
  readonly ref: PictureRef;
  readonly count: number;
  /** Throws `picture_gone`. */
  readonly read: (index: number) => Promise<Buffer>;
};

type NewPicture = {
  /** Of the update: the same when it is handled again. */
  readonly key: string;
  readonly chatId: number;
  readonly telegramId: number;
  readonly topicId: number | undefined;
  readonly replyTo: number | undefined;
  readonly provider: keyof Images['engines'];
  readonly recipe: JobRecipe;
};

type SentPicture = {
  /** Of what is sent: the same one is sent once. */
  readonly id: string;
  readonly telegramId: number;
  readonly chatId: number;
  readonly generationId: string;
  readonly as: 'photo' | 'file' | 'both';
  /** Whether the file says what it was made from. */
  readonly keepsRecipe: boolean;
};

export type TelegramPictures = ReturnType<typeof createTelegramPictures>;

export function createTelegramPictures(deps: Needs, tools: Tools) {
  const { clock, env, chatActions } = deps;
  const { dueJobs, generationJobs, generations } = tools;
  const key = deriveKey(env.secretKeys[0], 'nori pictures in chats');
  const deliver = createDeliverer(deps, tools);
  dueJobs.handle(kind, deliver.run);
  dueJobs.handle(overKind, () => Promise.resolve(true));

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
    /**
     * Begins to make a picture for a user, and has it delivered where they have asked for it. Resolves to false when
     * one of theirs is still under way there. Throws what `GenerationJobs.begin` throws.
     */
    async start(picture: NewPicture): Promise<boolean> {
      const { chatId, telegramId, topicId, replyTo, provider, recipe } = picture;
      const rowId = toSlot(chatId, telegramId);
      // What updates are called can be guessed.
      const jobKey = createHmac('sha256', key).update(picture.key).digest('base64url').slice(0, 32);
      if (await deliver.isOver(jobKey)) {
        return true;
      }
      const waiting = readDelivery(await dueJobs.find(rowId));
      if (waiting !== undefined) {
        return waiting.id === jobKey;
      }
      const requester = { telegramId, address: '' };
      await generationJobs.begin({ key: jobKey, provider, recipe }, requester);
      const as = chatId > 0 ? 'both' : 'photo';
      const delivery = {
        id: jobKey,
        source: { jobKey },
        as,
        keepsRecipe: true,
        items: [],
      } as const;
      const added = await add(rowId, picture, { ...delivery, items: [], topicId, replyTo });
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
      if (!(await deliver.isOver(delivered))) {
        const delivery = { ...how, id: delivered, source: { generationId }, items: [] };
        await add(`picture:${delivered}`, { chatId, telegramId }, delivery);
      }
    },

    /** Stops the picture that is made for a user in a chat. `isIt` tells it from a later one. Resolves to whether it was. */
    async stop(
      chatId: number,
      telegramId: number,
      isIt: (delivery: {
        readonly lineId: number | undefined;
        readonly draftId: number;
      }) => boolean,
    ): Promise<boolean> {
      const rowId = toSlot(chatId, telegramId);
      const delivery = readDelivery(await dueJobs.find(rowId));
      if (delivery === undefined || !('jobKey' in delivery.source)) {
        return false;
      }
      const { id, lineId } = delivery;
      if (!isIt({ lineId, draftId: toDraftId(id) })) {
        return false;
      }
      await generationJobs.cancel(delivery.source.jobKey, { telegramId, address: '' });
      await dueJobs.hasten(rowId);
      return true;
    },

    /** What a button is about; undefined when it is not there any more. */
    find: deliver.find,
    /** A picture as a file, with the recipe that it has. Throws `picture_gone`. */
    readFile: async (picture: SendablePicture, index = 0) =>
      toFile(picture, await picture.read(index)),
    toRef: parseRef,
  };
}

const toSlot = (chatId: number, telegramId: number) => `picture:${chatId}:${telegramId}`;

function readDelivery(job: Pick<DueJob, 'body'> | undefined): Delivery | undefined {
  const parsed = job && v.safeParse(deliveryBody, JSON.parse(job.body));
  return parsed?.success === true ? parsed.output : undefined;
}

/** Telegram wants a number for each draft, which is not 0. */
const toDraftId = (id: string): number =>
  (createHash('sha256').update(id).digest().readUInt32BE() >>> 1) + 1;

/** Carries deliveries out, step by step: what a step has come to is saved before the next. */
function createDeliverer(deps: Needs, tools: Tools) {
  const { clock, log } = deps;
  const { dueJobs, generationJobs } = tools;
  const find = createFinder(tools);
  const speak = createSpeaker(deps, tools);
  const send = createSender(deps, tools);
  const watched = new Set<string>();

  const toOverId = (id: string) => `${overKind}:${id}`;
  const isOver = async (id: string) => (await dueJobs.find(toOverId(id))) !== undefined;

  /** Kept for as long as an update may be handled again. */
  async function close({ chatId, telegramId }: DueJob, id: string): Promise<true> {
    const dueAt = clock() + inboxRules.openForMs;
    await dueJobs.add({
      id: toOverId(id),
      kind: overKind,
      chatId,
      telegramId,
      body: '{}',
      dueAt,
    });
    return true;
  }

  /** The row is looked at when the job ends, and before, as another process may make it. */
  async function lookAgain(row: Row, jobKey: string): Promise<true> {
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
    if (made?.state === 'queued' || made?.state === 'running') {
      await send.showProgress(row, made, voice);
      return lookAgain(row, made.key);
    }
    if (made?.state === 'cancelled') {
      return end(voice.texts.stopped);
    }
    if (made?.failure !== undefined) {
      return end(voice.texts.failed(toFailureRefusal(made.failure).sayIn(voice.say)));
    }
    const picture = await find(source);
    if (picture === undefined) {
      return end(voice.texts.gone);
    }
    const why = await send.pictures(row, picture, voice);
    switch (why) {
      case 'done':
      case 'nowhere':
        return close(job, id);
      case 'later':
        return false;
      default:
        return end(voice.texts[why]);
    }
  }

  return {
    find,
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

type Row = ReturnType<typeof openRow>;

/** A row whose steps are saved one after the other. Throws `Unfinished` when another process has it by now. */
function openRow(job: DueJob, { changeBody }: Pick<DueJobs, 'changeBody'>) {
  let body = job.body;
  const read = () => v.parse(deliveryBody, JSON.parse(body));

  async function save(changes: Partial<Delivery>): Promise<void> {
    const becomes = JSON.stringify({ ...read(), ...changes });
    if (becomes === body) {
      return;
    }
    if (!(await changeBody({ id: job.id, body }, becomes))) {
      throw new Unfinished();
    }
    body = becomes;
  }

  return {
    job,
    body: () => body,
    read,
    save,
    saveItem: (place: number, changes: Partial<Item>) =>
      save({
        items: read().items.map((one, index) => (index === place ? { ...one, ...changes } : one)),
      }),
  };
}

/** Finds pictures with what is said of them. */
function createFinder({ generationJobs, generations, pictures }: Tools) {
  async function readSaved(id: string): Promise<Buffer> {
    const found = await pictures.read(id, 'original');
    if (found === undefined) {
      throw new AppError('picture_gone');
    }
    return found.bytes;
  }

  const toSaved = (saved: ListedGeneration, engine: string | undefined): SendablePicture => ({
    owner: saved.telegramId,
    recipe: saved,
    provider: saved.provider,
    engine,
    ref: { generationId: saved.id },
    count: saved.pictureIds.length,
    read: (index) => readSaved(saved.pictureIds[index] ?? saved.pictureIds[0]),
  });

  const toMade = ({ pictureIds, seed, ...job }: GenerationJob): SendablePicture => ({
    owner: job.owner,
    recipe: { ...job.recipe, seed },
    provider: job.provider,
    engine: job.engine,
    ref: { jobKey: job.key },
    count: pictureIds.length,
    read: (index) => generationJobs.read(pictureIds[index] ?? ''),
  });

  return async (ref: PictureRef): Promise<SendablePicture | undefined> => {
    if ('generationId' in ref) {
      const saved = await generations.findById(ref.generationId);
      const job =
        saved?.jobKey === undefined ? undefined : await generationJobs.findAny(saved.jobKey);
      return saved && toSaved(saved, job?.engine);
    }
    const job = await generationJobs.findAny(ref.jobKey);
    if (job?.owner === undefined || job.pictureIds.length === 0) {
      return undefined;
    }
    const saved = await generations.findByKey(job.owner, job.key);
    return saved === undefined ? toMade(job) : toSaved(saved, job.engine);
  };
}

type Voice = {
  readonly say: Say;
  readonly texts: typeof pictureMessageTexts;
  readonly links: Links;
};

/** Speaks the language of the chat a job is about. */
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

/** What keeps a picture from a chat: one of our texts, a chat that is gone, or Telegram for now. */
type Sent = 'done' | 'later' | 'nowhere' | 'noRight' | 'notShown' | 'gone';

/** Calls Telegram for deliveries. Each call can be repeated. */
function createSender({ chatActions }: Needs, { outbox, pictures }: Tools) {
  const call = <T>(
    { chatId }: DueJob,
    make: (api: ChatActions, chatId: number) => Promise<ActionOutcome<T>>,
  ) =>
    outbox.send<T>(chatId, (id) =>
      chatActions === undefined
        ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
        : make(chatActions, id),
    );

  /** Resolves with the ID of the message, or why there is none. */
  async function sendLine(
    { job, read }: Row,
    text: string,
    buttons: readonly (readonly MessageButton[])[] = [],
  ) {
    const { topicId, replyTo } = read();
    return call(job, (api, chatId) => api.send({ chatId, topicId, replyTo, text, buttons }));
  }

  const editLine = (
    { job }: Row,
    messageId: number,
    { text, buttons = [] }: Pick<PictureLine, 'text'> & Partial<PictureLine>,
  ) => call(job, (api, chatId) => api.edit({ chatId, messageId, text, buttons }));

  /** Resolves to whether the draft shows it. */
  async function showDraft(row: Row, text: string): Promise<boolean> {
    const { id, topicId, hasNoDrafts = false } = row.read();
    if (row.job.chatId < 0 || hasNoDrafts) {
      return false;
    }
    const draftId = toDraftId(id);
    const outcome = await call(row.job, (api, chatId) =>
      api.draft({ chatId, topicId, draftId, text }),
    );
    if (outcome.kind === 'refused') {
      await row.save({ hasNoDrafts: true });
    }
    return outcome.kind !== 'refused';
  }

  async function placeItem(row: Row, place: number, title: string): Promise<number | Sent> {
    const { items, lineId } = row.read();
    const known = items[place]?.messageId ?? (place === 0 ? lineId : undefined);
    if (known !== undefined) {
      return known;
    }
    const outcome = await sendLine(row, title);
    if (outcome.kind !== 'done') {
      return toSent(outcome);
    }
    const { messageId } = outcome.result;
    await row.saveItem(place, { messageId });
    return messageId;
  }

  type Shown = { readonly picture: SendablePicture; readonly voice: Voice };

  async function sendItem(row: Row, place: number, shown: Shown): Promise<Sent> {
    const { picture, voice } = shown;
    const { title, text, buttons } = describePicture(row, place, shown);
    const bytes = await picture.read(row.read().items[place]?.index ?? 0);
    const messageId = await placeItem(row, place, title);
    if (typeof messageId === 'string') {
      return messageId;
    }
    const { as = 'photo', isTried = false } = row.read().items[place] ?? {};
    await row.saveItem(place, { messageId, isTried: true });
    const file = await (as === 'file'
      ? toDocument(picture, bytes, row.read().keepsRecipe)
      : toPhoto(picture, bytes));
    const outcome = await call(row.job, (api, chatId) =>
      api.editToPicture({ chatId, messageId, text, buttons, file }),
    );
    if (outcome.kind === 'done') {
      await row.saveItem(place, { isDone: true });
      return 'done';
    }
    if (outcome.kind !== 'refused') {
      return 'later';
    }
    if (outcome.why === 'unchanged' || (outcome.why === 'message gone' && isTried)) {
      // It was put there before, and somebody may have deleted it since.
      await row.saveItem(place, { isDone: true });
      return 'done';
    }
    if (outcome.why === 'message gone') {
      await row.save({ lineId: undefined });
      await row.saveItem(place, { messageId: undefined, isTried: undefined });
      return sendItem(row, place, { picture, voice });
    }
    if (as === 'photo' && (outcome.why === 'file lost' || outcome.why === 'other')) {
      await row.saveItem(place, { as: 'file' });
      return sendItem(row, place, { picture, voice });
    }
    return toSent(outcome);
  }

  async function toPhoto({ recipe, ...picture }: SendablePicture, bytes: Buffer) {
    const photo = await pictures.toPhoto(bytes);
    return {
      kind: 'photo',
      name: `${toName(picture)}.jpg`,
      bytes: photo,
      hasSpoiler: recipe.nsfw,
    } as const;
  }

  const toDocument = async (picture: SendablePicture, bytes: Buffer, keepsRecipe: boolean) =>
    toFile(picture, keepsRecipe ? bytes : await pictures.toPlain(bytes));

  return {
    /** Says how far a picture is, by a draft where there are any, else by a line. */
    showProgress: async (row: Row, { recipe, state, owner = 0 }: GenerationJob, voice: Voice) => {
      const { texts } = voice;
      const title = cut(recipe.prompt, maxTitleLength);
      const text = state === 'queued' ? texts.waiting(title) : texts.painting(title);
      if (await showDraft(row, text)) {
        return;
      }
      const { lineId, shown } = row.read();
      const data = buttonData(stopVerb, String(owner));
      const buttons = [[{ text: texts.buttons.cancel, data }]];
      if (lineId === undefined) {
        const outcome = await sendLine(row, text, buttons);
        if (outcome.kind === 'done') {
          await row.save({ lineId: outcome.result.messageId, shown: text });
        }
      } else if (shown !== text) {
        await editLine(row, lineId, { text, buttons });
        await row.save({ shown: text });
      }
    },

    /** Says what has become of it in the place of the picture. Resolves to false when Telegram has to be asked again. */
    sayEnd: async (row: Row, text: string): Promise<boolean> => {
      const { lineId, items } = row.read();
      const messageId = items.find(({ isDone }) => isDone !== true)?.messageId ?? lineId;
      const outcome = await (messageId === undefined
        ? sendLine(row, text)
        : editLine(row, messageId, { text }));
      return outcome.kind !== 'later';
    },

    /** Sends what is not sent yet. */
    pictures: async (row: Row, picture: SendablePicture, voice: Voice): Promise<Sent> => {
      if (row.read().items.length === 0) {
        await row.save({ items: listItems(row.read().as, picture.count) });
      }
      for (const [place, { isDone = false }] of row.read().items.entries()) {
        const sent = isDone
          ? 'done'
          : await sendOrSayGone(() => sendItem(row, place, { picture, voice }));
        if (sent !== 'done') {
          return sent;
        }
      }
      return 'done';
    },
  };
}

async function sendOrSayGone(send: () => Promise<Sent>): Promise<Sent> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof AppError && error.code === 'picture_gone') {
      return 'gone';
    }
    if (error instanceof AppError && error.code === 'picture_unreadable') {
      return 'notShown';
    }
    throw error;
  }
}

function toSent(outcome: Exclude<ActionOutcome<unknown>, { readonly kind: 'done' }>): Sent {
  if (outcome.kind !== 'refused') {
    return 'later';
  }
  switch (outcome.why) {
    case 'not in chat':
    case 'unknown person':
      return 'nowhere';
    case 'no right':
      return 'noRight';
    default:
      return 'notShown';
  }
}

function listItems(as: Delivery['as'], count: number): Item[] {
  const all = [...Array(count).keys()];
  const kinds = as === 'both' ? (['photo', 'file'] as const) : [as];
  return kinds.flatMap((one) => all.map((index) => ({ as: one, index })));
}

/** Verbs of the buttons. */
export const [stopVerb, againVerb, fileVerb] = ['picstop', 'picagain', 'picfile'] as const;

type PictureLine = {
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly (readonly MessageButton[])[];
};

/** What stands below a picture, and what announces it. The first one of a delivery has the buttons. */
function describePicture(
  row: Row,
  place: number,
  {
    picture,
    voice: { texts, links },
  }: { readonly picture: SendablePicture; readonly voice: Voice },
): PictureLine {
  const { prompt, ratio, seed } = picture.recipe;
  const title = texts.ready(cut(prompt, maxTitleLength));
  if (place > 0) {
    return { title, text: '', buttons: [] };
  }
  const engine = picture.engine === 'sketch' ? texts.sketch : picture.engine;
  const facts = [ratio, seed === '' ? undefined : texts.seed(seed), engine];
  const isSaved = 'generationId' in picture.ref;
  const text = [
    cut(prompt, maxPromptLength),
    facts.filter((fact) => fact !== undefined && fact !== '').join(' · '),
    ...(isSaved ? [] : [texts.unsaved]),
  ].join('\n');
  return { title, text, buttons: listButtons(row, picture.ref, { texts, links }) };
}

function listButtons(
  { job, read }: Row,
  ref: PictureRef,
  { texts: { buttons }, links }: Pick<Voice, 'texts' | 'links'>,
): readonly (readonly MessageButton[])[] {
  const inGroup = job.chatId < 0;
  const written = writeRef(ref);
  const own = [
    { text: buttons.again, data: buttonData(againVerb, written) },
    ...(read().as === 'photo' ? [{ text: buttons.file, data: buttonData(fileVerb, written) }] : []),
  ];
  if ('jobKey' in ref) {
    return [own];
  }
  const remix = links.toPicture('remix', ref.generationId, inGroup);
  const open = links.toPicture('picture', ref.generationId, inGroup);
  return [
    [...own, ...(remix === undefined ? [] : [{ text: buttons.remix, ...remix }])],
    ...(open === undefined ? [] : [[{ text: buttons.open, ...open }]]),
    ...(links.hasInline ? [[{ text: buttons.share, inline: `picture ${ref.generationId}` }]] : []),
  ];
}

const writeRef = (ref: PictureRef) => ('jobKey' in ref ? `j${ref.jobKey}` : `g${ref.generationId}`);

function parseRef(data: string): PictureRef | undefined {
  const id = data.slice(1);
  const isId = /^[\w-]{1,40}$/.test(id);
  if (!isId || !/^[gj]/.test(data)) {
    return undefined;
  }
  return data.startsWith('g') ? { generationId: id } : { jobKey: id };
}

function toFile(picture: Pick<SendablePicture, 'ref'>, bytes: Buffer) {
  const type = detectPictureType(bytes) ?? 'image/png';
  const ending = type.replace('image/', '').replace('jpeg', 'jpg');
  return { kind: 'document', name: `${toName(picture)}.${ending}`, bytes } as const;
}

const toName = ({ ref }: Pick<SendablePicture, 'ref'>) =>
  `nori-${'jobKey' in ref ? ref.jobKey.slice(0, 16) : ref.generationId}`;

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
