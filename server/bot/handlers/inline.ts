/** What the bot finds in any chat by a keyword, and what it shows to those who press a button there. */
import { type User } from 'grammy/types';

import { type ContentBody } from '#contract/chats/contents';
import { type Note, readListed, toTriggerKey } from '#contract/chats/values';
import { commandTable } from '#contract/commands/index';
import { type InlineId } from '#contract/commands/inline';
import { inlineTexts } from '#contract/commands/inline-texts';
import { type Language } from '#contract/languages';
import { type BotTools, buttonData } from '#server/bot/command';
import { inlineBotTexts } from '#server/bot/inline-texts';
import { writeWithPeople } from '#server/bot/rich-text';
import { serviceAnswers } from '#server/bot/service-texts';
import { wholeChatId } from '#server/db/chat-values';
import { calculate, formatNumber, maxFormulaLength } from '#server/lib/calculator';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { personalRules } from '#server/lib/limits';
import { lookupTexts } from '#server/services/lookup-texts';
import { type WhisperTarget } from '#server/services/whispers';
import { type WikiHit } from '#server/upstream/reference';
import { type InlineAnswer, type InlineResult } from '#server/upstream/telegram/inline';
import { type ListedGeneration } from '#services/images';
import { type Entry, type EntryKind } from '#services/lookups';

import { describeEntry, sayFacts } from './lookups.ts';
import { writePage } from './services.ts';

/** What is asked for by a keyword. */
export type InlineRequest = {
  readonly from: User;
  /** What follows the keyword. */
  readonly words: string;
  /** Which results are wanted; empty for the first. */
  readonly offset: string;
  readonly say: Say;
  readonly language: Language;
};

/** A result whose ID is made of what it says, unless it has one. It counts for the keyword, or for that of the question. */
export type FoundResult = Omit<InlineResult, 'id'> & {
  readonly id?: string;
  readonly keyword?: string;
};

type ButtonText = {
  [
    Name in keyof typeof inlineBotTexts.buttons
  ]: (typeof inlineBotTexts.buttons)[Name] extends string ? Name : never;
}[keyof typeof inlineBotTexts.buttons];

/** `hint` stands above the results, or instead of them, and leads to `startParameter` in the private chat. */
export type InlineFound = Pick<InlineAnswer, 'nextOffset'> & {
  readonly results: readonly FoundResult[];
  /** The same for everybody who asks. */
  readonly isShared?: boolean;
  readonly cacheS?: number;
  readonly hint?: { readonly text: string; readonly startParameter?: string };
};

/** Throws `nothing_found`, and what the services throw. */
export type InlineHandler = (
  request: InlineRequest,
  tools: BotTools,
) => Promise<InlineFound> | InlineFound;

/** The start parameter that explains the keywords. */
export const inlinePayload = 'inline';

/** How a keyword is used, as it is typed. */
export function toUsage(id: InlineId, username: string): string {
  const [line = ''] = commandTable[id].usage;
  return (typeof line === 'string' ? line : line[1]).replace('@bot', `@${username}`);
}

/** A line for each keyword. */
export function listUsage(
  ids: readonly InlineId[],
  { username }: Pick<BotTools, 'username'>,
  say: Say,
): string {
  return ids
    .map((id) => `${toUsage(id, username)} – ${say(inlineTexts)[id].description}`)
    .join('\n');
}

/** As many as a page of results has. */
export const maxResults = 20;
/** What is found is the same for so long. */
const sharedS = 300;
const ownS = 10;

/** No results, and why. */
export function sayNothing(say: Say, why: ButtonText, startParameter?: string): InlineFound {
  const text = say(inlineBotTexts).buttons[why];
  return {
    results: [],
    cacheS: ownS,
    hint: startParameter === undefined ? { text } : { text, startParameter },
  };
}

/** The page of a list at an offset, and the offset of the next. */
function takePage<T>(all: readonly T[], offset: string) {
  const start = /^\d{1,6}$/.test(offset) ? Number(offset) : 0;
  const end = start + maxResults;
  return {
    page: all.slice(start, end),
    nextOffset: end < all.length ? String(end) : undefined,
  };
}

const problems = {
  'not understood': 'notUnderstood',
  'division by zero': 'divisionByZero',
  'too large': 'tooLarge',
  'no number': 'noNumber',
} as const;

export const calc: InlineHandler = ({ words, say }): InlineFound => {
  if (words === '') {
    return sayNothing(say, 'goOn');
  }
  const calculated = calculate(words);
  if ('value' in calculated) {
    const result = formatNumber(calculated.value);
    const text = `${words} = ${result}`;
    return {
      results: [{ title: result, description: words, text }],
      isShared: true,
      cacheS: sharedS,
    };
  }
  const { problem } = calculated;
  return problem === 'too long'
    ? {
        results: [],
        cacheS: ownS,
        hint: { text: say(inlineBotTexts).buttons.tooLong(maxFormulaLength) },
      }
    : sayNothing(say, problems[problem]);
};

export const nowplaying: InlineHandler = async ({ from, say }, { services }) => {
  try {
    const playing = await services.nowPlaying.read(from.id);
    if (playing === undefined || !playing.isPlaying) {
      return { ...sayNothing(say, 'nothingPlays'), cacheS: 0 };
    }
    const { track, artist, album, albumArtUrl, url } = playing;
    const song = [artist, track].filter((part) => part !== '').join(' – ');
    const text = [song, album].filter((line) => line !== '').join('\n');
    return {
      results: [
        {
          title: track || song,
          description: artist,
          text,
          thumbnailUrl: albumArtUrl === '' ? undefined : albumArtUrl,
          buttons: url === undefined ? [] : [[{ text: say(lookupTexts).listen, url }]],
        },
      ],
      // The next song may have begun.
      cacheS: 0,
    };
  } catch (error) {
    if (
      error instanceof AppError &&
      (error.code === 'not_linked' || error.code === 'connection_lost')
    ) {
      return { ...sayNothing(say, 'linkSpotify', 'link'), cacheS: 0 };
    }
    throw error;
  }
};

const minQueryLength = 2;

/** Finds at AniList; each page of results is one question to it. */
const lookUp =
  (kind: EntryKind): InlineHandler =>
  async ({ words, offset, say }, { services }) => {
    if (words.length < minQueryLength) {
      return sayNothing(say, 'goOn');
    }
    const page = /^\d{1,2}$/.test(offset) ? Number(offset) : 1;
    const { entries, hasMore } = await services.lookups.search(kind, words, { page });
    if (entries.length === 0) {
      throw new AppError('nothing_found');
    }
    return {
      results: entries.map((entry) => toEntryResult(entry, say)),
      nextOffset: hasMore ? String(page + 1) : undefined,
      isShared: true,
      cacheS: sharedS,
    };
  };

const toEntryResult = (entry: Entry, say: Say): FoundResult => ({
  title: entry.title,
  description: sayFacts(entry, say),
  ...describeEntry(entry, say),
  thumbnailUrl: entry.picture,
  hasPreview: true,
});

export const anime = lookUp('anime');
export const manga = lookUp('manga');
export const character = lookUp('character');

/** The page that fits best with its beginning, and others that may be meant. */
export const wiki: InlineHandler = async ({ words, say, language }, { services }) => {
  if (words.length < minQueryLength) {
    return sayNothing(say, 'goOn');
  }
  const { hit, others, extract, isAmbiguous } = await services.reference.readPage(words, language);
  const beginning = isAmbiguous || extract === '' ? hit.description : extract;
  const results = [
    toPageResult(hit, beginning, say),
    ...others.map((page) => toPageResult(page, page.description, say)),
  ];
  return { results, isShared: true, cacheS: sharedS };
};

const toPageResult = (
  { title, description, thumbnail, url }: Omit<WikiHit, 'key'>,
  body: string | undefined,
  say: Say,
): FoundResult => ({
  title,
  description,
  ...writePage(title, body ?? '', say),
  thumbnailUrl: thumbnail,
  buttons: [[{ text: say(serviceAnswers).wiki.read, url }]],
});

type FoundNote = {
  readonly chatId: number;
  readonly chatName: string;
  readonly key: string;
  readonly note: Note;
};

/** The notes of the groups that a person manages. A protected one cannot be sent so, as it could be forwarded then. */
async function listNotes(
  telegramId: number,
  { services: { chats, chatValues } }: BotTools,
): Promise<readonly FoundNote[]> {
  const managed = await chats.list(telegramId);
  const found = await Promise.all(
    managed.map(async ({ chatId, name: chatName }) => {
      const values = (await chatValues.readForBot(chatId)).get(wholeChatId) ?? [];
      return [...readListed(values, 'note')].map(([key, note]) => ({
        chatId,
        chatName,
        key,
        note,
      }));
    }),
  );
  return found.flat().filter(({ note }) => note.isProtected !== true);
}

export const note: InlineHandler = async ({ from, words, offset, say }, tools) => {
  const all = await listNotes(from.id, tools);
  if (all.length === 0) {
    return sayNothing(say, 'noNotes');
  }
  const wanted = toTriggerKey(words.replace(/^#/, ''));
  const matching = all
    .filter(({ key }) => key.includes(wanted))
    .toSorted((a, b) => Number(b.key === wanted) - Number(a.key === wanted));
  const { page, nextOffset } = takePage(matching, offset);
  const written = await Promise.all(page.map((found) => writeNote(found, from, tools)));
  const results = written.filter((result) => result !== undefined);
  return results.length === 0 && nextOffset === undefined
    ? sayNothing(say, 'nothingFound')
    : { results, nextOffset, cacheS: ownS };
};

/** Undefined where its content is gone, or cannot be sent so. */
async function writeNote(
  { chatId, chatName, key, note: { content } }: FoundNote,
  from: User,
  { services: { contents } }: BotTools,
): Promise<FoundResult | undefined> {
  const body: ContentBody | undefined = await contents.find(chatId, content);
  if (body === undefined) {
    return undefined;
  }
  const { text, entities, media, buttons } = await contents.write(chatId, body, { people: [from] });
  const medium = media === undefined ? undefined : toMedium(media, text);
  if (text === '' && medium === undefined) {
    return undefined;
  }
  return {
    title: `#${key}`,
    description: [chatName, text]
      .filter((part) => part !== '')
      .join(' · ')
      .slice(0, maxDescription),
    text,
    entities,
    medium,
    buttons: buttons.map((row) =>
      row.flatMap((button) => ('url' in button ? [{ text: button.text, url: button.url }] : [])),
    ),
  };
}

const maxDescription = 200;

/** A sticker has no room for a text, which is what matters then. */
function toMedium(
  { kind, fileId }: { readonly kind: string; readonly fileId: string },
  text: string,
): InlineResult['medium'] {
  const sendable = sendableKinds.find((one) => one === kind);
  return sendable === undefined || (sendable === 'sticker' && text !== '')
    ? undefined
    : { kind: sendable, fileId };
}

const sendableKinds = [
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'document',
  'sticker',
] as const;

/** The pictures of a history that can be shown to all, the newest first. */
export const picture: InlineHandler = async ({ from, words, offset, say }, tools) => {
  const all = await listPictures(from.id, tools);
  if (all.length === 0) {
    return sayNothing(say, 'noPictures');
  }
  const named = all.find(({ id }) => id === words);
  const typed = words.toLowerCase().split(/\s+/);
  const found =
    named === undefined
      ? all.filter(({ prompt }) => typed.every((word) => prompt.toLowerCase().includes(word)))
      : [named];
  const { page, nextOffset } = takePage(found, offset);
  return page.length === 0
    ? sayNothing(say, 'nothingFound')
    : { results: await toPictureResults(page, tools), nextOffset, cacheS: ownS };
};

/** Without those for adults: Telegram cannot hide one that is sent so. */
export const listPictures = async (
  telegramId: number,
  { services: { generations } }: BotTools,
): Promise<readonly ListedGeneration[]> =>
  (await generations.list(telegramId)).filter(({ nsfw }) => !nsfw);

/** By the photo that Telegram has already, else by links that are valid for a day, from which it loads them. */
export async function toPictureResults(
  page: readonly ListedGeneration[],
  { services: { mediaLinks, telegramPictures } }: BotTools,
): Promise<readonly FoundResult[]> {
  const fileIds = await telegramPictures.photos.find(page.map(({ pictureIds: [id] }) => id));
  return page.map(({ prompt, pictureIds: [id], width, height }) => ({
    keyword: commandTable['inline-picture'].names[0],
    title: Array.from(prompt).slice(0, maxTitle).join(''),
    text: '',
    medium: toPhoto(fileIds.get(id)),
    picture: {
      url: mediaLinks.signRendition({ id, variant: 'photo' }),
      smallUrl: mediaLinks.signRendition({ id, variant: 'preview' }),
      width,
      height,
    },
  }));
}

const toPhoto = (fileId: string | undefined) =>
  fileId === undefined ? undefined : ({ kind: 'photo', fileId } as const);

const maxTitle = 100;

export const whisperVerb = 'whisper';

export const whisper: InlineHandler = async ({ from, words, say }, { services }) => {
  const texts = say(inlineBotTexts);
  const [word = '', text = ''] = /^(\S+)\s+(\S[\s\S]*)$/.exec(words)?.slice(1) ?? [];
  const to = readTarget(word);
  if (to === undefined) {
    return { ...sayNothing(say, 'whisperTo'), cacheS: 0 };
  }
  if (Array.from(text).length > personalRules.maxWhisper) {
    const hint = { text: texts.buttons.tooLong(personalRules.maxWhisper) };
    return { results: [], cacheS: 0, hint };
  }
  const name = await nameTarget(to, services.memberCommands);
  const id = await services.whispers.write(from.id, to, text);
  const sent = writeWithPeople((mention) =>
    texts.whisper.message(
      'username' in to ? `@${to.username}` : mention({ telegramId: to.telegramId, name }),
    ),
  );
  return {
    results: [
      {
        id,
        title: texts.whisper.title(name),
        description: text,
        ...sent,
        buttons: [[{ text: texts.whisper.read, data: buttonData(whisperVerb, id) }]],
      },
    ],
    cacheS: 0,
  };
};

function readTarget(word: string): WhisperTarget | undefined {
  const [, username] = /^@([a-z]\w{3,31})$/i.exec(word) ?? [];
  if (username !== undefined) {
    return { username };
  }
  return /^\d{5,15}$/.test(word) ? { telegramId: Number(word) } : undefined;
}

/** As people are called who were seen in a group; else their ID. */
async function nameTarget(
  to: WhisperTarget,
  { seenPeople }: BotTools['services']['memberCommands'],
): Promise<string> {
  if ('username' in to) {
    return `@${to.username}`;
  }
  const [name] = (await seenPeople.findNames([to.telegramId])).values();
  return name ?? String(to.telegramId);
}

/** What is shown to the one who has pressed the button of a whisper. */
export async function readWhisper(
  { id, from, say }: { readonly id: string; readonly from: User; readonly say: Say },
  { services }: BotTools,
): Promise<string> {
  const texts = say(inlineBotTexts).whisper;
  const reader = { telegramId: from.id, username: from.username };
  const read = await services.whispers.read(id, reader);
  if (read.kind === 'text') {
    return read.text;
  }
  return read.kind === 'gone'
    ? texts.gone
    : texts.notYours(await nameTarget(read.target, services.memberCommands));
}
