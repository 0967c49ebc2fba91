/**
 * Messages of the bot that become pictures: how far they are is a row, what stands below them is written here, and each
 * call to Telegram can be repeated.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';

import { type GenerationJob } from '#server/db/generation-jobs';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError, Unfinished } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { detectPictureType } from '#server/lib/picture-type';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Links } from '#server/services/links';
import { type Outbox } from '#server/services/outbox';
import {
  type ActionOutcome,
  type ActionRefusal,
  type ChatActions,
} from '#server/upstream/telegram/chat-actions';
import { buttonData, type MessageButton } from '#server/upstream/telegram/messages';
import { type JobRecipe } from '#services/images';

import { type pictureMessageTexts } from './picture-message-texts.ts';

/** Telegram takes 1024 characters below a picture. */
const maxPromptLength = 800;
const maxTitleLength = 200;

const item = v.object({
  as: v.picklist(['photo', 'file']),
  /** Which of the pictures that were made together. */
  index: v.number(),
  /** What it takes the place of. */
  messageId: v.optional(v.number()),
  /** Such a message was deleted in the chat, and this is the second. */
  isReplaced: v.optional(v.boolean()),
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
  /** Of the pictures that were made together, the only one; all when absent. */
  index: v.optional(v.number()),
  keepsRecipe: v.boolean(),
  /** Whose message IDs these are: they start anew when a group becomes a supergroup. */
  chatId: v.number(),
  topicId: v.optional(v.number()),
  replyTo: v.optional(v.number()),
  /** The message that says how far it is. */
  lineId: v.optional(v.number()),
  shown: v.optional(v.string()),
  hasNoDrafts: v.optional(v.boolean()),
  items: v.array(item),
});
export type Delivery = v.InferOutput<typeof deliveryBody>;

/** What a button under a picture is about: a generation, or a job whose picture is in no history. */
export type PictureRef = { readonly generationId: string } | { readonly jobKey: string };

/** A picture that can be sent. */
export type SendablePicture = {
  /** Undefined for a picture of who has no account. */
  readonly owner: number | undefined;
  /** With the seed that was used. */
  readonly recipe: JobRecipe;
  readonly provider: string;
  /** Unknown once the job is removed. */
  readonly engine: string | undefined;
  readonly ref: PictureRef;
  readonly count: number;
  /** Throws `picture_gone`. */
  readonly read: (index: number) => Promise<Buffer>;
  /** Keeps by what ID Telegram has it as a photo now. */
  readonly keepPhoto: (index: number, fileId: string) => Promise<void>;
};

/** Verbs of the buttons. */
export const pictureVerbs = {
  stop: 'picstop',
  again: 'picagain',
  file: 'picfile',
  make: 'picmake',
} as const;

export function readDelivery(job: Pick<DueJob, 'body'> | undefined): Delivery | undefined {
  const parsed = job && v.safeParse(deliveryBody, JSON.parse(job.body));
  return parsed?.success === true ? parsed.output : undefined;
}

/** Telegram wants a number for each draft, which is not 0. */
export const toDraftId = (id: string): number =>
  (createHash('sha256').update(id).digest().readUInt32BE() >>> 1) + 1;

type Row = ReturnType<typeof openRow>;

/** A row whose steps are saved one after the other. Throws `Unfinished` when another process has it by now. */
export function openRow(job: DueJob, { changeBody }: Pick<DueJobs, 'changeBody'>) {
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
    /** Forgets the messages of the group when it has become this supergroup. Resolves to whether it has. */
    moveTo: async (chatId: number): Promise<boolean> => {
      const { chatId: before, items } = read();
      if (before === chatId) {
        return false;
      }
      const unsent = items.map(({ as, index, isDone }) => ({ as, index, isDone }));
      const old = { lineId: undefined, shown: undefined, replyTo: undefined };
      await save({ ...old, chatId, items: unsent });
      return true;
    },
    saveItem: (place: number, changes: Partial<Item>) => {
      const { items } = read();
      const changed = items[place];
      return save({
        items: changed === undefined ? items : items.with(place, { ...changed, ...changes }),
      });
    },
  };
}

/** How the bot speaks in a chat. */
export type Voice = {
  readonly say: Say;
  readonly texts: typeof pictureMessageTexts;
  readonly links: Links;
};

/**
 * What has become of a picture that is sent: `nowhere` is a chat that is gone, or where what the bot writes is deleted at
 * once, the last three are texts of ours.
 */
type Sent = 'done' | 'later' | 'nowhere' | 'noRight' | 'notShown' | 'gone';

type Tools = {
  readonly outbox: Pick<Outbox, 'send'>;
  /** Throw `picture_unreadable`. */
  readonly pictures: {
    readonly toPhoto: (bytes: Buffer) => Promise<Buffer>;
    readonly toPlain: (bytes: Buffer) => Promise<Buffer>;
  };
};

type Line = {
  readonly text: string;
  readonly buttons?: readonly (readonly MessageButton[])[];
};

/** What comes of editing a message of the group that has become a supergroup. */
const leftBehind = { kind: 'refused', why: 'message gone', description: '' } as const;

type Call<T> = (api: ChatActions, chatId: number) => Promise<ActionOutcome<T>>;

/** Calls about the chat of a row, when it is the chat's turn. */
function createCalls(chatActions: ChatActions | undefined, outbox: Pick<Outbox, 'send'>) {
  const call = <T>(row: Row, make: Call<T>, isEdit = false) =>
    outbox.send<T>(row.read().chatId, async (chatId): Promise<ActionOutcome<T>> => {
      if (chatActions === undefined) {
        return { kind: 'later', retryAfterS: undefined };
      }
      const hasMoved = await row.moveTo(chatId);
      return hasMoved && isEdit ? leftBehind : make(chatActions, chatId);
    });

  return {
    sendLine: (row: Row, line: Line) =>
      call(row, (api, chatId) => {
        const { topicId, replyTo } = row.read();
        return api.send({ ...line, chatId, topicId, replyTo });
      }),

    edit: <T>(row: Row, make: Call<T>) => call(row, make, true),

    editLine: (row: Row, messageId: number, { text, buttons = [] }: Line) =>
      call(row, (api, chatId) => api.edit({ chatId, messageId, text, buttons }), true),

    /** Resolves to whether a draft shows the text, or will. */
    showDraft: async (row: Row, text: string): Promise<boolean> => {
      const { id, topicId, hasNoDrafts = false } = row.read();
      if (row.job.chatId < 0 || hasNoDrafts) {
        return false;
      }
      const draftId = toDraftId(id);
      const outcome = await call(row, (api, chatId) =>
        api.draft({ chatId, topicId, draftId, text }),
      );
      if (outcome.kind === 'refused') {
        await row.save({ hasNoDrafts: true });
      }
      return outcome.kind !== 'refused';
    },
  };
}

/** Calls Telegram for deliveries. */
export function createPictureSender(
  chatActions: ChatActions | undefined,
  { outbox, pictures }: Tools,
) {
  const calls = createCalls(chatActions, outbox);
  const { sendLine, editLine, showDraft } = calls;
  const sendItem = createItemSender(calls, pictures);

  return {
    /** Says how far a picture is, by a draft where there are any, else by a line. */
    showProgress: async (row: Row, job: GenerationJob, { texts }: Voice): Promise<void> => {
      const { recipe, state } = job;
      const title = cut(recipe.prompt, maxTitleLength);
      const text = state === 'queued' ? texts.waiting(title) : texts.painting(title);
      if (await showDraft(row, text)) {
        return;
      }
      const { lineId, shown } = row.read();
      const data = buttonData(pictureVerbs.stop, String(row.job.telegramId));
      const line = { text, buttons: [[{ text: texts.buttons.cancel, data }]] };
      if (lineId === undefined) {
        const outcome = await sendLine(row, line);
        if (outcome.kind === 'done') {
          await row.save({ lineId: outcome.result.messageId, shown: text });
        }
      } else if (shown !== text) {
        await editLine(row, lineId, line);
        await row.save({ shown: text });
      }
    },

    /** Says what has become of it in the place of the picture. Resolves to false when Telegram has to be asked again. */
    sayEnd: async (row: Row, text: string): Promise<boolean> => {
      const { lineId, items } = row.read();
      const messageId = items.find(({ isDone }) => isDone !== true)?.messageId ?? lineId;
      const outcome = await (messageId === undefined
        ? sendLine(row, { text })
        : editLine(row, messageId, { text }));
      return outcome.kind !== 'later';
    },

    /** Sends what is not sent yet. */
    sendAll: async (row: Row, picture: SendablePicture, voice: Voice): Promise<Sent> => {
      if (row.read().items.length === 0) {
        await row.save({ items: listItems(row.read(), picture.count) });
      }
      for (const place of row.read().items.keys()) {
        const { isDone = false } = row.read().items[place] ?? {};
        const sent = isDone ? 'done' : await sendItem(row, place, { picture, voice });
        if (sent !== 'done') {
          return sent;
        }
      }
      return 'done';
    },
  };
}

function listItems({ as, index }: Pick<Delivery, 'as' | 'index'>, count: number): Item[] {
  const all = index === undefined ? [...Array(count).keys()] : [index];
  const kinds = as === 'both' ? (['photo', 'file'] as const) : [as];
  return kinds.flatMap((kind) => all.map((place) => ({ as: kind, index: place })));
}

/** Each may have as many bytes as an upload. */
const maxFilesInMemory = 4;

type MessageId = { readonly messageId: number };
type Shown = { readonly picture: SendablePicture; readonly voice: Voice };

function createItemSender(
  { edit, sendLine }: ReturnType<typeof createCalls>,
  pictures: Tools['pictures'],
) {
  const inMemory = createKeyedSemaphore(maxFilesInMemory);

  /** Resolves with the message that becomes the picture. */
  async function placeItem(row: Row, place: number, text: string): Promise<number | Sent> {
    const { items, lineId } = row.read();
    const known = items[place]?.messageId ?? (place === 0 ? lineId : undefined);
    if (known !== undefined) {
      return known;
    }
    const outcome = await sendLine(row, { text });
    if (outcome.kind !== 'done') {
      return toSent(outcome);
    }
    const { messageId } = outcome.result;
    await row.saveItem(place, { messageId });
    return messageId;
  }

  async function makeFile(row: Row, place: number, picture: SendablePicture) {
    const { items, keepsRecipe } = row.read();
    const { index = 0, as = 'photo' } = items[place] ?? {};
    const bytes = await picture.read(index);
    if (as === 'file') {
      return toPictureFile(picture, keepsRecipe ? bytes : await pictures.toPlain(bytes));
    }
    return {
      kind: 'photo',
      name: `${toName(picture)}.jpg`,
      bytes: await pictures.toPhoto(bytes),
      hasSpoiler: picture.recipe.nsfw,
    } as const;
  }

  /** Reads the picture only when it is the chat's turn: it is not in memory while Telegram has the chat wait. */
  const putPicture = (row: Row, place: number, { messageId, ...shown }: Shown & MessageId) =>
    edit(row, async (api, chatId) => {
      const leave = await inMemory.acquire('all');
      try {
        const { title: _title, ...below } = describePicture(row, place, shown);
        const file = await makeFile(row, place, shown.picture);
        return await api.editToPicture({ ...below, chatId, messageId, file });
      } finally {
        leave();
      }
    });

  async function send(row: Row, place: number, shown: Shown): Promise<Sent> {
    const { title } = describePicture(row, place, shown);
    const messageId = await placeItem(row, place, title);
    if (typeof messageId === 'string') {
      return messageId;
    }
    const wasTried = row.read().items[place]?.isTried === true;
    await row.saveItem(place, { messageId, isTried: true });
    const outcome = await putPicture(row, place, { ...shown, messageId });
    if (outcome.kind === 'done' && outcome.result.fileId !== undefined) {
      const { index = 0 } = row.read().items[place] ?? {};
      await shown.picture.keepPhoto(index, outcome.result.fileId);
    }
    if (outcome.kind === 'done' || (wasTried && isThere(outcome))) {
      await row.saveItem(place, { isDone: true });
      return 'done';
    }
    const isRetry = outcome.kind === 'refused' && (await prepareRetry(row, place, outcome.why));
    return isRetry ? send(row, place, shown) : toSent(outcome);
  }

  return async (row: Row, place: number, shown: Shown): Promise<Sent> => {
    try {
      return await send(row, place, shown);
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      if (code === 'picture_gone' || code === 'picture_unreadable') {
        return code === 'picture_gone' ? 'gone' : 'notShown';
      }
      throw error;
    }
  };
}

/** What is no photo by Telegram's rules comes as the file alone. */
async function becomeFile(row: Row, place: number): Promise<void> {
  const { items } = row.read();
  for (const [other, { as, index }] of items.entries()) {
    if (as === 'file' && index === items[place]?.index) {
      await row.saveItem(other, { isDone: true });
    }
  }
  await row.saveItem(place, { as: 'file', isTried: undefined });
}

/** Prepares another try after a refusal. Resolves to false when there is nothing else to try. */
async function prepareRetry(row: Row, place: number, why: ActionRefusal): Promise<boolean> {
  const { as, isReplaced = false } = row.read().items[place] ?? {};
  if (why === 'message gone' && !isReplaced) {
    // It was deleted in the chat.
    await row.save({ lineId: undefined });
    await row.saveItem(place, { messageId: undefined, isTried: undefined, isReplaced: true });
    return true;
  }
  if (as === 'photo' && (why === 'file lost' || why === 'other')) {
    await becomeFile(row, place);
    return true;
  }
  return false;
}

type Refused = Exclude<ActionOutcome, { readonly kind: 'done' }>;

/** Whether what was tried before is there, or was until it was deleted in the chat. */
const isThere = (outcome: Refused): boolean =>
  outcome.kind === 'refused' && (outcome.why === 'unchanged' || outcome.why === 'message gone');

const nowhere: ReadonlySet<ActionRefusal> = new Set([
  'not in chat',
  'unknown person',
  'message gone',
]);

function toSent(outcome: Refused): Sent {
  if (outcome.kind !== 'refused') {
    return 'later';
  }
  if (nowhere.has(outcome.why)) {
    return 'nowhere';
  }
  return outcome.why === 'no right' ? 'noRight' : 'notShown';
}

/** What announces a picture, and what stands below it. The first one of a delivery has the buttons. */
function describePicture(row: Row, place: number, { picture, voice }: Shown) {
  const { prompt, ratio, seed } = picture.recipe;
  const { texts } = voice;
  const title = texts.ready(cut(prompt, maxTitleLength));
  if (place > 0) {
    return { title, text: '', buttons: [] };
  }
  const engine = picture.engine === 'sketch' ? texts.sketch : picture.engine;
  const facts = [ratio, seed === '' ? '' : texts.seed(seed), engine ?? ''];
  const text = [
    cut(prompt, maxPromptLength),
    facts.filter((fact) => fact !== '').join(' · '),
    'jobKey' in picture.ref ? texts.unsaved : '',
  ];
  return {
    title,
    text: text.filter((line) => line !== '').join('\n'),
    buttons: listButtons(row, picture, voice),
  };
}

function listButtons(
  { job, read }: Row,
  { ref, recipe }: SendablePicture,
  { texts: { buttons }, links }: Voice,
): readonly (readonly MessageButton[])[] {
  const inGroup = job.chatId < 0;
  const id = writePictureRef(ref);
  const again = { text: buttons.again, data: buttonData(pictureVerbs.again, id) };
  const file = { text: buttons.file, data: buttonData(pictureVerbs.file, id) };
  const own = read().as === 'photo' ? [again, file] : [again];
  if ('jobKey' in ref) {
    return [own];
  }
  const remix = links.toPicture('remix', ref.generationId, inGroup);
  const open = links.toPicture('picture', ref.generationId, inGroup);
  const rows = [
    [...own, ...(remix === undefined ? [] : [{ text: buttons.remix, ...remix }])],
    open === undefined ? [] : [{ text: buttons.open, ...open }],
    // What is sent by the bot's name cannot be hidden until it is pressed.
    links.hasInline && !recipe.nsfw
      ? [{ text: buttons.share, inline: `picture ${ref.generationId}` }]
      : [],
  ];
  return rows.filter((one) => one.length > 0);
}

const writePictureRef = (ref: PictureRef) =>
  'jobKey' in ref ? `j${ref.jobKey}` : `g${ref.generationId}`;

/** What the ID of a button means; undefined for one that is not ours. */
export function readPictureRef(data: string): PictureRef | undefined {
  const [, kind, id = ''] = /^([gj])([\w-]{1,40})$/.exec(data) ?? [];
  if (kind === undefined) {
    return undefined;
  }
  return kind === 'g' ? { generationId: id } : { jobKey: id };
}

export function toPictureFile(picture: Pick<SendablePicture, 'ref'>, bytes: Buffer) {
  const type = detectPictureType(bytes) ?? 'image/png';
  const ending = type.replace('image/', '').replace('jpeg', 'jpg');
  return { kind: 'document', name: `${toName(picture)}.${ending}`, bytes } as const;
}

const toName = ({ ref }: Pick<SendablePicture, 'ref'>) =>
  `nori-${'jobKey' in ref ? ref.jobKey.slice(0, 16) : ref.generationId}`;

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
