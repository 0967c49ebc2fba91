/** Looks up anime, manga and the people behind them at AniList, and sends pictures that are safe for all ages. */
import { type MessageEntity } from 'grammy/types';

import { commandTable } from '#contract/commands/index';
import { publicEndpoints } from '#contract/playground/endpoints';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type Press,
  type PressHandler,
  type Situation,
  takeLookup,
} from '#server/bot/command';
import { type RichText } from '#server/bot/rich-text';
import { AppError } from '#server/lib/errors';
import { joinList, type Say } from '#server/lib/languages';
import { durationTexts } from '#server/lib/limit-texts';
import { sayDuration } from '#server/lib/limits';
import { lookupTexts } from '#server/services/lookup-texts';
import { type MessageButton } from '#server/upstream/telegram/chat-actions';
import {
  type Entry,
  type EntryKind,
  findMeant,
  maxQueryLength,
  readSeason,
} from '#services/lookups';
import { refuse } from '#services/members';

import { sayDay } from './days.ts';

const source = 'AniList';
const sourceUrl = 'https://anilist.co';
/** Names that may be meant. */
const maxChoices = 5;
/** Characters of a button. */
const maxLabelLength = 60;
/** Telegram's limit for a text below a picture, less what counts twice. */
const maxCardLength = 1000;
const maxGenres = 6;

/** How buttons name what they show. */
const kindsByLetter = {
  a: 'anime',
  m: 'manga',
  c: 'character',
  p: 'staff',
  s: 'studio',
  /** The next episode of an anime. */
  n: 'anime',
} as const satisfies Readonly<Record<string, EntryKind>>;
type Letter = keyof typeof kindsByLetter;

/** Shows what fits, or asks which of several is meant. */
const lookUp =
  (letter: Letter): Handler =>
  async (request, tools) => {
    const query = readQuery(request);
    await takeLookup(request, tools);
    const { entries } = await tools.services.lookups.search(kindsByLetter[letter], query, {
      isFresh: letter === 'n',
    });
    const meant = findMeant(entries, query);
    if (meant !== undefined) {
      return writeAnswer(letter, meant, { ...request, now: tools.deps.clock() });
    }
    return askWhich(
      entries,
      { query, toData: ({ id }) => buttonData('media', `${letter}.${id}`) },
      request,
    );
  };

export const anime = lookUp('a');
export const manga = lookUp('m');
export const character = lookUp('c');
export const staff = lookUp('p');
export const studio = lookUp('s');
export const airing = lookUp('n');

/** What is typed after the command. Throws a refusal when that is nothing. */
function readQuery({ id, args }: Pick<CommandRequest, 'id' | 'args'>): string {
  const query = args.text.trim().slice(0, maxQueryLength).toWellFormed();
  if (query === '') {
    const example = commandTable[id].usage.find((line) => typeof line === 'string') ?? '';
    throw refuse((_texts, say) => say(lookupTexts).usage(example));
  }
  return query;
}

/** Asks which one is meant by a button for each. Throws a refusal when there is none. */
export function askWhich(
  entries: readonly Entry[],
  { query, toData }: { readonly query: string; readonly toData: (entry: Entry) => string },
  { say }: Pick<Situation, 'say'>,
): Answer {
  if (entries.length === 0) {
    throw new AppError('nothing_found', { detail: (saying) => saying(lookupTexts).none(query) });
  }
  return {
    text: say(lookupTexts).choose(query),
    buttons: entries
      .slice(0, maxChoices)
      .map((entry) => [{ text: toLabel(entry, say), data: toData(entry) }]),
  };
}

/** With what tells it from others of the same name. */
function toLabel({ title, format, year, works }: Entry, say: Say): string {
  const [known] = works;
  const more = [
    ...(format === undefined ? [] : [say(lookupTexts).formats[format]]),
    ...(year === undefined ? [] : [String(year)]),
    ...(format === undefined && known !== undefined ? [known] : []),
  ];
  const label = more.length === 0 ? title : `${title} (${joinList(more, say)})`;
  return shorten(label, maxLabelLength);
}

function shorten(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** One of several was chosen; the question becomes the answer. */
const pressMedia: PressHandler = async (press, tools) => {
  const [letter = '', id = ''] = press.data.split('.');
  if (!isLetter(letter)) {
    return { notice: press.say(lookupTexts).over };
  }
  await takeLookup(press, tools);
  const found = await tools.services.lookups.find(kindsByLetter[letter], Number(id), {
    isFresh: letter === 'n',
  });
  return found === undefined
    ? { notice: press.say(lookupTexts).over }
    : { edit: writeAnswer(letter, found, { ...press, now: tools.deps.clock() }) };
};

const isLetter = (text: string): text is Letter => Object.hasOwn(kindsByLetter, text);

type Reading = Pick<Situation, 'say' | 'language'> & { readonly now: number };

function writeAnswer(letter: Letter, entry: Entry, reading: Reading): Answer {
  return letter === 'n' ? writeNext(entry, reading) : writeCard(entry, reading);
}

const toPhoto = (url: string): NonNullable<Answer['media']> => ({
  kind: 'photo',
  // Telegram fetches it by its address.
  fileId: url,
  textWhenLost: '',
});

function toLinkRow(entry: Pick<Entry, 'url'>): readonly MessageButton[] {
  return [{ text: source, url: entry.url ?? sourceUrl, opens: 'link' }];
}

function writeCard(entry: Entry, { say }: Pick<Situation, 'say'>): Answer {
  return {
    text: describeEntry(entry, say),
    ...(entry.picture === undefined ? {} : { media: toPhoto(entry.picture) }),
    buttons: [toLinkRow(entry)],
  };
}

/** All that is shown of it: short enough to stand below a picture. It names AniList and links to it. */
export function describeEntry(entry: Entry, say: Say): RichText {
  const texts = say(lookupTexts);
  const { genres, works } = entry;
  const lines = [
    sayFacts(entry, say),
    ...(genres.length === 0 ? [] : [texts.genres(joinList(genres.slice(0, maxGenres), say))]),
    ...(works.length === 0 ? [] : [texts.works(joinList(works, say))]),
  ].filter((line) => line !== '');
  const head = shorten(entry.title, 200);
  const native = entry.nativeTitle === undefined ? [] : [shorten(entry.nativeTitle, 100)];
  const end = texts.source(source);
  const above = [head, ...native, ...lines].join('\n');
  const room = maxCardLength - above.length - end.length - 4;
  const about =
    entry.description === undefined || room < 40 ? [] : [shorten(entry.description, room)];
  const text = [shorten(above, maxCardLength - end.length - 2), ...about, end].join('\n\n');
  return {
    text,
    entities: [bold(0, head.length), ...linkLast(text, end, entry.url ?? sourceUrl)],
  };
}

const bold = (offset: number, length: number): MessageEntity => ({ type: 'bold', offset, length });

function linkLast(text: string, part: string, url: string): readonly MessageEntity[] {
  return [{ type: 'text_link', offset: text.length - part.length, length: part.length, url }];
}

/** What it is, in one line. */
export function sayFacts(entry: Entry, say: Say): string {
  const texts = say(lookupTexts);
  const { format, status, episodes, chapters, volumes, season, year, score, favourites } = entry;
  const facts = [
    format && texts.formats[format],
    episodes && texts.episodes(episodes),
    volumes && texts.volumes(volumes),
    chapters && texts.chapters(chapters),
    season && year !== undefined ? texts.seasons[season](String(year)) : year && String(year),
    status && texts.statuses[status],
    score && texts.score(score),
    ...entry.occupations,
    favourites && texts.liked(favourites),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return facts.join(' · ');
}

function writeNext(entry: Entry, { say, language, now }: Reading): Answer {
  const texts = say(lookupTexts);
  const { title, next, url } = entry;
  const isKnown = next !== undefined && next.at > now;
  const line = isKnown
    ? texts.airs(
        next.episode,
        sayWait(next.at - now, say),
        sayDay(next.at, language.language, now),
        sayTime(next.at),
      )
    : texts.noNext(title);
  const head = shorten(title, 200);
  const end = texts.source(source);
  const text = [`${head}\n${line}`, end].join('\n\n');
  const remind = { text: texts.remindMe, data: buttonData('airs', String(entry.id)) };
  return {
    text: { text, entities: [bold(0, head.length), ...linkLast(text, end, url ?? sourceUrl)] },
    ...(entry.picture === undefined ? {} : { media: toPhoto(entry.picture) }),
    buttons: [...(isKnown ? [[remind]] : []), toLinkRow(entry)],
  };
}

const dayMs = 86_400_000;

function sayWait(ms: number, say: Say): string {
  return ms < 2 * dayMs
    ? sayDuration(Math.ceil(ms / 1000), say)
    : say(durationTexts).days(Math.round(ms / dayMs));
}

const sayTime = (time: number): string => new Date(time).toISOString().slice(11, 16);

/** “Remind me”: the one who pressed is written to when the episode airs. */
const pressAirs: PressHandler = async (press, tools) => {
  const { data, issuer, say } = press;
  const texts = say(lookupTexts);
  await takeLookup(press, tools);
  const found = await tools.services.lookups.find('anime', Number(data), { isFresh: true });
  const { title, next } = found ?? {};
  if (title === undefined) {
    return { notice: texts.over };
  }
  if (next === undefined || next.at <= tools.deps.clock()) {
    return { notice: texts.noNext(title) };
  }
  const { reminders, userLanguages } = tools.services;
  const { telegramId } = issuer;
  const { language } = await userLanguages.readLanguage(telegramId);
  const inTheirs = tools.deps.languages.textsIn(language)(lookupTexts);
  const key = `air.${telegramId}.${data}.${next.episode}`.slice(0, 40);
  await reminders.add({
    key,
    telegramId,
    chatId: telegramId,
    topicId: undefined,
    text: inTheirs.reminder(title, next.episode),
    dueAt: next.at,
  });
  if (!(await tellInPrivate(press, inTheirs.willRemind(title, next.episode), tools))) {
    await reminders.remove(telegramId, key);
    return { notice: texts.startFirst };
  }
  return { notice: texts.willRemind(title, next.episode) };
};

/** Who presses in a group is told in private, which also shows whether the bot may write there. */
async function tellInPrivate(
  { chatId, issuer: { telegramId } }: Press,
  text: string,
  { deps: { chatActions }, services }: BotTools,
): Promise<boolean> {
  if (chatId === telegramId) {
    return true;
  }
  const outcome = await services.outbox.send(
    telegramId,
    (id) =>
      chatActions?.send({ chatId: id, text }) ??
      Promise.resolve({ kind: 'later', retryAfterS: undefined }),
  );
  if (outcome.kind === 'later') {
    throw new AppError('telegram_unavailable');
  }
  return outcome.kind === 'done';
}

export const lookupPresses = {
  media: pressMedia,
  airs: pressAirs,
} as const satisfies Readonly<Record<string, PressHandler>>;

export const schedule: Handler = async (request, tools) => {
  const { say } = request;
  const texts = say(lookupTexts);
  await takeLookup(request, tools);
  const airings = await tools.services.lookups.schedule();
  const now = tools.deps.clock();
  const lines = airings
    .filter(({ at }) => at > now)
    .map(({ at, episode, anime: { title, url } }) => ({
      text: texts.airing(sayTime(at), shorten(title, 100), episode),
      url,
    }));
  return writeList(texts.schedule, lines, request);
};

export const season: Handler = async (request, tools) => {
  const { args, say } = request;
  const now = tools.deps.clock();
  const wanted = readSeason(args.text, now);
  if (wanted === undefined) {
    throw refuse((_texts, saying) => saying(lookupTexts).usage('/season winter 2026'));
  }
  await takeLookup(request, tools);
  const found = await tools.services.lookups.season(wanted.season, wanted.year);
  const texts = say(lookupTexts);
  const name = texts.seasons[wanted.season](String(wanted.year));
  return writeList(texts.season(name), toNumbered(found), request);
};

export const topanime: Handler = async (request, tools) => {
  await takeLookup(request, tools);
  const found = await tools.services.lookups.top();
  return writeList(request.say(lookupTexts).top, toNumbered(found), request);
};

export const recommend: Handler = async (request, tools) => {
  const query = readQuery(request);
  const { lookups } = tools.services;
  await takeLookup(request, tools);
  const { entries } = await lookups.search('anime', query);
  const [best] = entries;
  const liked = findMeant(entries, query) ?? best;
  if (liked === undefined) {
    throw new AppError('nothing_found', { detail: (say) => say(lookupTexts).none(query) });
  }
  const found = await lookups.recommendations(liked.id);
  if (found.length === 0) {
    throw refuse((_texts, say) => say(lookupTexts).noneRecommended(liked.title));
  }
  const heading = request.say(lookupTexts).recommended(liked.title);
  return writeList(heading, toNumbered(found), request);
};

type Line = { readonly text: string; readonly url?: string | undefined };

const toNumbered = (entries: readonly Entry[]): readonly Line[] =>
  entries.map(({ title, score, url }, index) => {
    const rating = score === undefined ? '' : ` · ${score}`;
    return { text: `${index + 1}. ${shorten(title, 100)}${rating}`, url };
  });

/** Below Telegram's limit for a message. */
const maxListLength = 3500;

/** Each line leads to AniList. Throws `nothing_found` without any. */
function writeList(
  heading: string,
  lines: readonly Line[],
  { say }: Pick<Situation, 'say'>,
): Answer {
  if (lines.length === 0) {
    throw new AppError('nothing_found');
  }
  let text = `${heading}\n`;
  const entities: MessageEntity[] = [bold(0, heading.length)];
  for (const line of lines) {
    if (text.length + line.text.length < maxListLength) {
      text += '\n';
      if (line.url !== undefined) {
        const { length } = line.text;
        entities.push({ type: 'text_link', offset: text.length, length, url: line.url });
      }
      text += line.text;
    }
  }
  const end = say(lookupTexts).source(source);
  text += `\n\n${end}`;
  return { text: { text, entities: [...entities, ...linkLast(text, end, sourceUrl)] } };
}

export const waifu: Handler = async (request, tools) => {
  await takeLookup(request, tools);
  const found = await tools.services.lookups.waifu();
  if (found === undefined) {
    throw new AppError('nothing_found');
  }
  return writeCard(found, request);
};

/** A picture from the server that the operator has connected; `/pixiv` takes it from Pixiv. */
export const sfw: Handler = async (request, tools) => {
  const { name, args, say } = request;
  const id = name === 'pixiv' ? 'anime-pixiv' : 'anime-sfw';
  const endpoint = publicEndpoints.find((one) => one.id === id);
  const defaultName = endpoint?.parameters[0]?.defaultValue ?? '';
  const wanted = args.text.trim().slice(0, maxQueryLength).toWellFormed() || defaultName;
  await takeLookup(request, tools);
  const picture = endpoint && (await tools.services.publicApi.findPicture(endpoint, wanted));
  if (picture === undefined) {
    throw new AppError('nothing_found');
  }
  const texts = say(lookupTexts);
  return {
    text: `${wanted}\n${texts.source(picture.source)}`,
    media: toPhoto(picture.url),
    buttons: [[{ text: texts.picture, url: picture.url, opens: 'link' }]],
  };
};
