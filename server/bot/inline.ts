/**
 * Hears what is written to the bot by its name in any chat (`@bot keyword words`), and answers with what can be sent there.
 * Nothing of it is repeated: a user who types on has asked something else.
 */
import { type ChosenInlineResult, type InlineQuery, type Message, type User } from 'grammy/types';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { commandTable, findInline } from '#contract/commands/index';
import { type InlineId, isInlineId } from '#contract/commands/inline';
import { inlineTexts } from '#contract/commands/inline-texts';
import { type Language, sourceLanguage } from '#contract/languages';
import { type Env } from '#server/app/env';
import { calculate } from '#server/lib/calculator';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { limits } from '#server/lib/limits';
import { createBoundedMap } from '#server/lib/memory-cache';
import { offeredCommands } from '#server/services/offered-commands';
import { type InlineResult } from '#server/upstream/telegram/inline';

import { type BotTools } from './command.ts';
import {
  anime,
  calc,
  character,
  type FoundResult,
  type InlineFound,
  type InlineHandler,
  inlinePayload,
  type InlineRequest,
  listPictures,
  listUsage,
  manga,
  maxResults,
  note,
  nowplaying,
  picture,
  sayNothing,
  toPictureResults,
  toUsage,
  whisper,
  wiki,
} from './handlers/inline.ts';
import { inlineBotTexts } from './inline-texts.ts';

/** The handler of each keyword. One of the table without a handler does not compile. */
const handlers = {
  'inline-anime': anime,
  'inline-manga': manga,
  'inline-character': character,
  'inline-wiki': wiki,
  'inline-calc': calc,
  'inline-nowplaying': nowplaying,
  'inline-note': note,
  'inline-picture': picture,
  'inline-whisper': whisper,
} as const satisfies Readonly<Record<InlineId, InlineHandler>>;

/** What is found without asking others and without storing anything, so that each letter may be answered. */
const instant: ReadonlySet<InlineId> = new Set(['inline-calc', 'inline-note']);
/** These ask other servers. */
const lookups: ReadonlySet<InlineId> = new Set([
  'inline-anime',
  'inline-manga',
  'inline-character',
  'inline-wiki',
]);
/** What is for one person to send is not written for them in a chat that the bot is not in. */
const guestLookups: ReadonlySet<InlineId> = new Set([...lookups, 'inline-calc']);

/** A user who types goes on within this time. */
const typingMs = 300;
/** Within five seconds after the question, with what the call itself takes. */
const answerMs = 4000;
const maxTypists = 10_000;
/** What a server offers does not change often. */
const keywordsS = 10;

/** Begins the IDs of results that explain a keyword. */
const explaining = 'help';

export type InlineUpdates = ReturnType<typeof createInline>;

/** Which keywords this server can answer. */
const listOffered = (env: Env): readonly InlineId[] =>
  offeredCommands(env, { hearsInline: true }).filter((id) => isInlineId(id));

/** Reads which keyword is meant, and what follows it. A formula needs none. */
function parse(
  text: string,
  offered: readonly InlineId[],
): { readonly id: InlineId | undefined; readonly words: string } {
  const [, keyword = '', words = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const id = findInline(keyword.toLowerCase());
  if (id !== undefined && offered.includes(id)) {
    return { id, words: words.trim() };
  }
  const isFormula = /\d/.test(text) && 'value' in calculate(text);
  return { id: isFormula ? 'inline-calc' : undefined, words: text.trim() };
}

/** Each keyword whose beginning is typed, and how it is used. */
function listKeywords(
  offered: readonly InlineId[],
  { words, say }: Pick<InlineRequest, 'words' | 'say'>,
  username: string,
): InlineFound {
  const typed = words.toLowerCase();
  const fitting = offered.filter((id) =>
    commandTable[id].names.some((name) => name.startsWith(typed)),
  );
  return {
    results: fitting.map((id) => explain(id, say, username)),
    cacheS: keywordsS,
    hint: { text: say(inlineBotTexts).buttons.howTo },
  };
}

function explain(id: InlineId, say: Say, username: string): FoundResult {
  const [keyword] = commandTable[id].names;
  const { title, description } = say(inlineTexts)[id];
  const usage = toUsage(id, username);
  return {
    id: keyword,
    title,
    description: usage,
    text: `${description}\n\n${usage}`,
    buttons: [[{ text: say(inlineBotTexts).tryIt, query: `${keyword} ` }]],
  };
}

/** The keywords, and where nothing is typed yet, the pictures of the person. */
async function listHome(
  offered: readonly InlineId[],
  request: Pick<InlineRequest, 'from' | 'words' | 'say'>,
  tools: BotTools,
): Promise<InlineFound> {
  const home = listKeywords(offered, request, tools.username);
  const isEmpty = request.words === '' && offered.includes('inline-picture');
  const own = isEmpty ? await listPictures(request.from.id, tools) : [];
  const room = maxResults - home.results.length;
  const pictures = await toPictureResults(own.slice(0, room), tools);
  return { ...home, results: [...home.results, ...pictures] };
}

/** Returns the function that finds what is asked for, or says in time why there is nothing. */
function createFinder(tools: BotTools) {
  const { deps, services } = tools;
  const within = Math.min(answerMs, deps.serviceTimeoutMs ?? answerMs);

  /** Throws `service_slow` when it takes too long. */
  async function inTime(work: () => Promise<InlineFound>): Promise<InlineFound> {
    const over = new AbortController();
    const { signal } = over;
    const tooLate = sleep(within, undefined, { signal, ref: false }).then(() => {
      throw new AppError('service_slow');
    });
    tooLate.catch(() => undefined);
    try {
      return await Promise.race([work(), tooLate]);
    } finally {
      over.abort();
    }
  }

  return async (id: InlineId, request: InlineRequest): Promise<InlineFound> => {
    const { from, say } = request;
    try {
      if (lookups.has(id)) {
        await services.limiter.take(limits.inlineLookups, from.id);
      }
      return await inTime(async () => handlers[id](request, tools));
    } catch (error) {
      if (error instanceof AppError) {
        return sayProblem(error, say);
      }
      deps.log.error({ err: error }, 'could not answer what was asked in a chat');
      return { ...sayNothing(say, 'notNow'), cacheS: 0 };
    }
  };
}

export function createInline(env: Env, tools: BotTools) {
  const { deps, services, username } = tools;
  const { chatActions, languages, log } = deps;
  const offered = listOffered(env);
  const forGuests = offered.filter((id) => guestLookups.has(id));
  const find = createFinder(tools);
  /** The last question of each person. */
  const newest = createBoundedMap<number, string>(maxTypists);

  async function sayIn({ id, language_code: code }: User) {
    const { language } = await services.userLanguages.readLanguage(id, { code });
    return { language, say: languages.textsIn(language) };
  }

  /** Whether they have typed on meanwhile. */
  async function typesOn({ from, id }: InlineQuery): Promise<boolean> {
    await sleep(typingMs, undefined, { ref: false });
    return newest.get(from.id) !== id;
  }

  async function send(
    { id: queryId, offset, from }: InlineQuery,
    { id, language }: { readonly id: InlineId | undefined; readonly language: Language },
    found: InlineFound,
  ): Promise<void> {
    const { results, nextOffset, isShared = false, cacheS = 0, hint } = found;
    const named = results.map((result, index) => nameResult(result, { id, place: offset + index }));
    const answer = (shown: readonly InlineResult[]) =>
      chatActions?.answerInline(queryId, {
        results: shown,
        cacheS,
        // Telegram does not know in which language it was answered.
        isPersonal: !isShared || language !== sourceLanguage,
        nextOffset,
        button: hint && { startParameter: inlinePayload, ...hint },
      });
    let outcome = await answer(named);
    if (outcome?.kind === 'refused' && outcome.why === 'file lost') {
      // One file that Telegram has no more must not hide the other results. Pictures have an address, too.
      outcome = await answer(await withoutFiles(services.telegramPictures, from.id, named));
    }
    if (outcome?.kind === 'refused' && outcome.why !== 'unchanged') {
      log.warn({ why: outcome.description }, 'Telegram has not taken an answer in a chat');
    }
  }

  async function answerGuest(queryId: string, from: User, text: string): Promise<void> {
    const { say, language } = await sayIn(from);
    const { id, words } = parse(text.replaceAll(toMentionPattern(username), ' '), forGuests);
    const found: InlineFound =
      id === undefined
        ? {
            results: [],
            hint: { text: say(inlineBotTexts).help(listUsage(forGuests, tools, say)) },
          }
        : await find(id, { from, words, offset: '', say, language });
    const [best] = found.results;
    const why = found.hint?.text ?? say(inlineBotTexts).buttons.nothingFound;
    const result = nameResult(best ?? { title: why, text: why }, { id, place: '' });
    const outcome = await chatActions?.answerGuest(queryId, result);
    if (outcome?.kind === 'done' && best !== undefined && id !== undefined) {
      await services.usage.countCommand(id);
    }
  }

  return {
    answer: async (query: InlineQuery): Promise<void> => {
      const { from, offset } = query;
      newest.set(from.id, query.id);
      const { id, words } = parse(query.query, offered);
      if (id !== undefined && !instant.has(id) && (await typesOn(query))) {
        return;
      }
      const { language, say } = await sayIn(from);
      const found =
        id === undefined
          ? await listHome(offered, { from, words, say }, tools)
          : await find(id, { from, words, offset, say, language });
      await send(query, { id, language }, found);
    },

    /** Something that was found is sent. */
    chosen: async ({ result_id: resultId, from }: ChosenInlineResult): Promise<void> => {
      const [keyword = '', rest = ''] = resultId.split('.');
      const id = findInline(keyword);
      if (id === undefined) {
        return;
      }
      if (id === 'inline-whisper') {
        await services.whispers.keep(rest, from.id);
      }
      await services.usage.countCommand(id);
    },

    /** Answers with the best result in a chat that the bot is not in. */
    answerGuest: async ({ from, text = '', guest_query_id: queryId }: Message): Promise<void> => {
      if (from !== undefined && !from.is_bot && queryId !== undefined) {
        await answerGuest(queryId, from, text);
      }
    },
  };
}

/** Telegram does not say which file it does not have: none is named again, and photos of pictures are forgotten. */
async function withoutFiles(
  { photos }: BotTools['services']['telegramPictures'],
  telegramId: number,
  named: readonly InlineResult[],
): Promise<readonly InlineResult[]> {
  await photos.forget(
    telegramId,
    named.flatMap((one) => (one.picture && one.medium ? [one.medium.fileId] : [])),
  );
  return named
    .filter((one) => one.medium === undefined || one.picture !== undefined)
    .map(({ medium: _lost, ...result }) => result);
}

const toMentionPattern = (username: string) => new RegExp(`@${username}\\b`, 'gi');

function sayProblem({ code }: AppError, say: Say): InlineFound {
  if (code === 'nothing_found') {
    return { ...sayNothing(say, 'nothingFound'), cacheS: 60 };
  }
  const isTooMuch = code === 'rate_limited' || code === 'service_busy';
  return { ...sayNothing(say, isTooMuch ? 'tooMany' : 'notNow'), cacheS: isTooMuch ? 5 : 0 };
}

/** At most 64 bytes: the keyword, by which uses are counted, and what the result says. */
function nameResult(
  { id: given, keyword = '', ...result }: FoundResult,
  { id, place }: { readonly id: InlineId | undefined; readonly place: string },
): InlineResult {
  const asked = id === undefined ? explaining : commandTable[id].names[0];
  const hash = createHash('sha256')
    .update(JSON.stringify([place, result]))
    .digest('base64url');
  return { ...result, id: `${keyword || asked}.${given ?? hash}` };
}
