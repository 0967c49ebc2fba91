/** Puts together what the bot does by itself about messages and reactions. The rest of the server imports this module only from here. */
import { type Message } from 'grammy/types';

import { type Filter, readListed } from '#contract/chats/values';
import { type Dependencies } from '#server/app/dependencies';
import { createBoundedMap } from '#server/lib/memory-cache';
import { type ChatValueService } from '#services/chats';
import { type IncomingMessage, readMessage } from '#services/moderation';

import { type BlocklistTools, createBlocklistCheck } from './blocklist.ts';
import { createFloodCheck, type FloodTools } from './flood.ts';
import { createLists } from './lists.ts';
import { createReactions, type ReactionTools } from './reactions.ts';
import { endFlag, foldText, type Signs, toSigns } from './signs.ts';
import { compileWords } from './words.ts';

export function createAutomatic(
  deps: Dependencies,
  tools: BlocklistTools & FloodTools & ReactionTools,
) {
  return {
    blocklistCheck: createBlocklistCheck(deps, tools),
    filters: createFilters(deps, tools),
    floodCheck: createFloodCheck(deps, tools),
    reactions: createReactions(deps, tools),
  };
}

export { readLinkEntry } from './links.ts';
export { plainEmoji, type Reactions } from './reactions.ts';
export * as automaticTextModule from './texts.ts';

/** The same answer is given once in this time, in each topic. */
const pauseMs = 5000;
/** Pauses that are known in this process: an update has one handler. */
const maxPauses = 10_000;

/** An answer: its words, and the ID of its content. */
type FoundFilter = { readonly key: string; readonly contentId: string };

function createFilters(
  { clock }: { readonly clock: () => number },
  { chatValues }: { readonly chatValues: Pick<ChatValueService, 'readForBot'> },
) {
  const getList = createLists((name) => name.startsWith('filter:'), compileFilters);
  const answered = createBoundedMap<string, number>(maxPauses);

  function isPaused({ chatId, topicId }: IncomingMessage, key: string): boolean {
    const place = `${chatId}:${topicId}:${key}`;
    const now = clock();
    if (now - (answered.get(place) ?? -Infinity) < pauseMs) {
      return true;
    }
    answered.set(place, now);
    return false;
  }

  return {
    /** The first that a message has; undefined also while the same was answered just now. Rejects when the database fails. */
    find: async (raw: Message): Promise<FoundFilter | undefined> => {
      const message = readMessage(raw);
      const text = raw.text ?? raw.caption ?? '';
      if (message === undefined || text === '') {
        return undefined;
      }
      const { chatId, topicId } = message;
      const found = getList(await chatValues.readForBot(chatId), chatId, topicId)(text);
      return found === undefined || isPaused(message, found.key) ? undefined : found;
    },
  };
}

function compileFilters(
  values: readonly (readonly [name: string, value: unknown])[],
): (text: string) => FoundFilter | undefined {
  const filters = [...readListed(values, 'filter')].map(([key, { content, match }]) => ({
    found: { key, contentId: content },
    match,
    signs: toSigns(foldText(key)),
  }));
  const list = (wanted: Filter['match']) => filters.filter(({ match }) => match === wanted);
  const [exact, prefixes, others] = [list('exact'), list('prefix'), list('anywhere')];
  const words = compileWords(others.map(({ found }) => ({ text: found.key, hasWildcards: false })));

  return (text) => {
    if (filters.length === 0) {
      return undefined;
    }
    const signs = toSigns(foldText(text));
    const byBeginning =
      exact.find((one) => isBeginning(one.signs, signs) && hasSameLength(one.signs, signs)) ??
      prefixes.find((one) => isBeginning(one.signs, signs));
    return (byBeginning ?? others[words.find(signs).found ?? -1])?.found;
  };
}

const hasSameLength = (one: Signs, other: Signs) => one.codes.length === other.codes.length;

/** Whether a text begins with these words. */
function isBeginning({ codes }: Signs, text: Signs): boolean {
  return (
    codes.every((code, at) => code === text.codes[at]) &&
    ((text.flags[codes.length - 1] ?? 0) & endFlag) !== 0
  );
}
