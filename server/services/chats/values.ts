/** The values of chats: reading them, and changing them in the dashboard or by commands. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { type ValuePreset, valuePresets } from '#contract/chats/value-presets';
import {
  isPossibleValue,
  isSettable,
  listContents,
  listedMax,
  raidLimits,
  readListedName,
  readValue,
  replaceContents,
} from '#contract/chats/values';
import { chatFieldTexts } from '#contract/endpoints/chat-texts';
import { type Dependencies } from '#server/app/dependencies';
import {
  createChatValueRepository,
  type StoredChatValues,
  wholeChatId,
} from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import { createContentRepository, type StoredContent } from '#server/db/contents';
import {
  type ChangedValue,
  type ChangeKind,
  type RecordedChange,
} from '#server/db/setting-changes';
import { AppError } from '#server/lib/errors';
import { limits, valueRules } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { type ChatAccess } from './access.ts';
import { adultName, type AdultRule, switchesAdultsOn } from './adult-rule.ts';
import { createChatReads } from './chat-reads.ts';
import { type ChatEvents } from './events.ts';
import {
  addTopics,
  type ChangeRecorder,
  type ChangeTransaction,
  type Commander,
  throwIfMisnamed,
  topicNotFound,
  toPlace,
} from './recorder.ts';
import { chatTexts } from './texts.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly adultRule: AdultRule;
  readonly events: ChatEvents;
  readonly limiter: Limiter;
  readonly record: ChangeRecorder;
};

/** Topic ID, or `wholeChatId` → name → value. Null removes what is stored. */
type WantedValues = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

type ValueChange = {
  readonly kind: ChangeKind;
  readonly preset?: ValuePreset | undefined;
};

export type ChatValueService = ReturnType<typeof createChatValues>;

export function createChatValues(
  { database }: Pick<Dependencies, 'database'>,
  { access, adultRule, events, limiter, record }: Tools,
) {
  const rows = createChatValueRepository(database.db);
  const chats = createChatRepository(database.db);
  const findCopied = createCopyFinder(createContentRepository(database.db), access);

  return {
    /** What is stored; a value that is missing has its default. Throws what `requireManager` throws. */
    async read(telegramId: number, givenId: number): Promise<StoredChatValues> {
      return rows.readAll(await access.requireManager(givenId, telegramId, 'read'));
    },

    /**
     * Sets all wanted values or none. Returns null when nothing differs. Throws what `requireManager` throws,
     * `topic_not_found`, `rate_limited`, and `invalid_input` for values that are not possible, for more than
     * a chat may have, for a preset whose values are others, and for a log channel: a channel is picked in
     * Telegram, where the bot is told by an administrator of both. For what is for adults it throws what its rule throws.
     */
    async change(
      telegramId: number,
      {
        chatId: givenId,
        wanted,
        ...change
      }: ValueChange & { readonly chatId: number; readonly wanted: WantedValues },
    ): Promise<RecordedChange | null> {
      throwIfImpossible(wanted, change);
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await limiter.take(limits.settingChanges, telegramId);
      const before = await rows.readAll(chatId);
      const allowsAdults = switchesAdultsOn(before, getDifferences(before, wanted));
      if (allowsAdults) {
        await adultRule.requireAllowed(chatId, telegramId);
      }
      const copied = change.kind === 'copy' ? await findCopied(telegramId, chatId, wanted) : [];
      return record({ ...change, chatId, by: telegramId }, async (tx) => {
        throwIfTooLong(wanted, tx.now);
        await throwIfNoTopic(tx, chatId, wanted);
        const own = await copyContents(tx, chatId, { wanted, copied });
        await throwIfNoContent(tx, chatId, own);
        const stored = await tx.values.readAll(chatId);
        const values = getDifferences(stored, own);
        await save(tx, { chatId, stored, values });
        if (values.some(({ name, becomes }) => name === 'log_channel' && becomes !== null)) {
          throw new AppError('invalid_input', { detail: (say) => say(chatTexts).logChannelByPick });
        }
        if (!allowsAdults && switchesAdultsOn(stored, values)) {
          // Another user has switched it off meanwhile: it is asked for with the next try.
          throw new AppError('busy', { retryAfterS: 1 });
        }
        return { values };
      });
    },

    /**
     * The same by a command. A chat that is not in Nori yet is added, without a manager, and so are topics.
     * Throws `invalid_input` or `busy`.
     */
    async changeByCommand(
      { chatId: givenId, chatName, by, ...change }: Commander & ValueChange,
      wanted: WantedValues,
    ): Promise<RecordedChange | null> {
      throwIfImpossible(wanted, change);
      const chatId = await chats.currentId(givenId);
      if (getDifferences(new Map(), wanted).length === 0 && !(await chats.isReal(chatId))) {
        return null;
      }
      return record({ ...change, chatId, chatName, by }, async (tx) => {
        await throwIfNoContent(tx, chatId, wanted);
        const stored = await tx.values.readAll(chatId);
        const values = getDifferences(stored, wanted);
        await save(tx, { chatId, stored, values });
        return { values, isTopicNew: await addTopics(tx, chatId, listTopics(values)) };
      });
    },

    /** What counts in a chat, for the bot: no user is asked for. Includes every change from before the call. */
    readForBot: createChatReads<StoredChatValues>(
      { database, events },
      {
        listChats: () => rows.listChats(),
        read: (chatId) => rows.readVerified(chatId),
        nothing: new Map(),
        changedBy: 'values',
      },
    ),
  };
}

/**
 * Gives the values of a change that were not changed again since what they had before it. Returns what has changed. What
 * is for adults is switched on again only where `mayAllowAdults` says so.
 */
export async function revertValues(
  chatId: number,
  { values }: Pick<RecordedChange, 'values'>,
  { mayAllowAdults, ...tx }: ChangeTransaction & { readonly mayAllowAdults: boolean },
): Promise<readonly ChangedValue[]> {
  if (values.length === 0) {
    return [];
  }
  const stored = await tx.values.readAll(chatId);
  const possible = toReverted(values, stored);
  const reverted =
    !mayAllowAdults && switchesAdultsOn(stored, possible)
      ? possible.filter(({ name }) => name !== adultName)
      : possible;
  await save(tx, { chatId, stored, values: reverted });
  return reverted;
}

/** Whether to revert a change switches on what is for adults. */
export const revertAllowsAdults = (
  { values }: Pick<RecordedChange, 'values'>,
  stored: StoredChatValues,
): boolean => switchesAdultsOn(stored, toReverted(values, stored));

const toReverted = (
  values: readonly ChangedValue[],
  stored: StoredChatValues,
): readonly ChangedValue[] =>
  values
    .filter(
      ({ topicId, name, was, becomes }) =>
        isDeepStrictEqual(stored.get(topicId)?.get(name) ?? null, becomes) &&
        (was === null || (isSettable(name, toPlace(topicId)) && isPossibleValue(name, was))),
    )
    .map(({ topicId, name, was, becomes }) => ({ topicId, name, was: becomes, becomes: was }));

/** Throws `invalid_input` when the chat would have too many. */
async function save(
  tx: ChangeTransaction,
  {
    chatId,
    stored,
    values,
  }: {
    readonly chatId: number;
    readonly stored: StoredChatValues;
    readonly values: readonly ChangedValue[];
  },
): Promise<void> {
  const before = [...stored.values()].reduce((sum, { size }) => sum + size, 0);
  const added = values.filter(({ was }) => was === null).length;
  const removed = values.filter(({ becomes }) => becomes === null).length;
  if (added > removed && before + added - removed > valueRules.max) {
    throw new AppError('invalid_input', {
      detail: (say) => say(chatTexts).tooManyValues(valueRules.max),
    });
  }
  throwIfTooManyListed(stored, values);
  await tx.values.set(
    chatId,
    values.map(({ topicId, name, becomes }) => ({ topicId, name, value: becomes })),
    tx.now,
  );
}

const groupByKind = (names: Iterable<string>) =>
  Map.groupBy(names, (name) => readListedName(name)?.kind);

/** Throws `invalid_input` when the chat would have more of a kind, such as notes, than it may. */
function throwIfTooManyListed(stored: StoredChatValues, values: readonly ChangedValue[]): void {
  const had = groupByKind([...stored.values()].flatMap((names) => Array.from(names.keys())));
  const added = groupByKind(values.filter(({ was }) => was === null).map(({ name }) => name));
  const removed = groupByKind(
    values.filter(({ becomes }) => becomes === null).map(({ name }) => name),
  );
  for (const [kind, names] of added) {
    const gone = removed.get(kind)?.length ?? 0;
    const count = (had.get(kind)?.length ?? 0) + names.length - gone;
    if (kind !== undefined && names.length > gone && count > listedMax(kind)) {
      throw new AppError('invalid_input', {
        detail: (say) => say(chatTexts).tooManyListed[kind](listedMax(kind)),
      });
    }
  }
}

/** Returns a function that finds the contents of other chats that values name, where the user manages those chats. */
function createCopyFinder(
  contents: ReturnType<typeof createContentRepository>,
  access: Pick<ChatAccess, 'requireManager'>,
) {
  async function mayRead(telegramId: number, chatId: number): Promise<boolean> {
    try {
      await access.requireManager(chatId, telegramId, 'read');
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code !== 'telegram_unavailable') {
        return false;
      }
      throw error;
    }
  }

  return async (
    telegramId: number,
    chatId: number,
    wanted: WantedValues,
  ): Promise<readonly StoredContent[]> => {
    const ids = listNamedContents(wanted);
    const found = ids.length === 0 ? [] : await contents.list(ids);
    const others = found.filter((content) => content.chatId !== chatId);
    const copied: StoredContent[] = [];
    for (const [source, some] of Map.groupBy(others, (content) => content.chatId)) {
      if (await mayRead(telegramId, source)) {
        copied.push(...some);
      }
    }
    return copied;
  };
}

/**
 * Saves contents of other chats as contents of this one, and returns the values that name those. A content that is
 * copied again gets the same ID, so that nothing changes.
 */
async function copyContents(
  { contents, now }: ChangeTransaction,
  chatId: number,
  { wanted, copied }: { readonly wanted: WantedValues; readonly copied: readonly StoredContent[] },
): Promise<WantedValues> {
  const idById = new Map<string, string>();
  for (const { id, body } of copied) {
    const hash = createHash('sha256').update(`${chatId}:copy:${id}`).digest();
    const ownId = hash.subarray(0, 16).toString('base64url');
    await contents.add({ id: ownId, chatId, body }, now);
    idById.set(id, ownId);
  }
  const withOwn = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, replaceContents(name, value, idById)]),
    );
  return new Map([...wanted].map(([topicId, values]) => [topicId, withOwn(values)]));
}

/** The IDs of all contents that values name, each once. */
function listNamedContents(wanted: WantedValues): readonly string[] {
  const ids = [...wanted.values()].flatMap((values) =>
    Object.entries(values).flatMap(([name, value]) => listContents(name, value)),
  );
  return [...new Set(ids)];
}

/** Throws `invalid_input` for a value that names a content that the chat does not have. */
async function throwIfNoContent(
  { contents }: ChangeTransaction,
  chatId: number,
  wanted: WantedValues,
): Promise<void> {
  const ids = listNamedContents(wanted);
  const found = ids.length === 0 ? [] : await contents.list(ids);
  const known = found.filter((content) => content.chatId === chatId);
  if (known.length < ids.length) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).unknownContent });
  }
}

/** What must change to get the wanted values. */
function getDifferences(stored: StoredChatValues, wanted: WantedValues): readonly ChangedValue[] {
  return [...wanted].flatMap(([topicId, values]) =>
    Object.entries(values)
      .map(([name, becomes]) => {
        const was = stored.get(topicId)?.get(name) ?? null;
        return { topicId, name, was, becomes };
      })
      .filter(({ was, becomes }) => !isDeepStrictEqual(was, becomes)),
  );
}

function listTopics(values: readonly ChangedValue[]): readonly number[] {
  const ids = new Set(values.map(({ topicId }) => topicId));
  return [...ids].filter((topicId) => topicId !== wholeChatId);
}

async function throwIfNoTopic(
  { topics }: ChangeTransaction,
  chatId: number,
  wanted: WantedValues,
): Promise<void> {
  const named = [...wanted.keys()].filter((topicId) => topicId !== wholeChatId);
  const known = named.length === 0 ? new Set<number>() : await topics.listIds(chatId);
  const missing = named.filter((topicId) => !known.has(topicId));
  if (missing.length > 0) {
    throw topicNotFound(missing);
  }
}

/** How much the clock of a device may be ahead. */
const maxAheadMs = 60 * 60_000;

/** Throws `invalid_input` for protection that would last longer than it may: it keeps newcomers out. */
function throwIfTooLong(wanted: WantedValues, now: number): void {
  const latest = now + raidLimits.max * 1000 + maxAheadMs;
  const values = wanted.get(wholeChatId);
  const raidUntil = readValue(values, 'raid_until') ?? 0;
  const attackUntil = readValue(values, 'attack')?.until ?? 0;
  for (const [name, until] of [
    ['raid_until', raidUntil],
    ['attack', attackUntil],
  ] as const) {
    if (until > latest) {
      throw new AppError('invalid_input', {
        detail: (say) => say(chatFieldTexts).impossibleValue(name),
      });
    }
  }
}

function throwIfImpossible(wanted: WantedValues, change: ValueChange): void {
  for (const [topicId, values] of wanted) {
    for (const [name, value] of Object.entries(values)) {
      if (!isSettable(name, toPlace(topicId))) {
        throw new AppError('invalid_input', {
          detail: (say) => say(chatFieldTexts).unknownValue(name),
        });
      }
      if (value !== null && !isPossibleValue(name, value)) {
        throw new AppError('invalid_input', {
          detail: (say) => say(chatFieldTexts).impossibleValue(name),
        });
      }
    }
  }
  throwIfMisnamed(change, (preset) => arePresetValues(preset, wanted));
}

function arePresetValues(preset: ValuePreset, wanted: WantedValues): boolean {
  const expected = new Map<string, unknown>(Object.entries(valuePresets[preset]));
  return [...wanted].every(
    ([topicId, values]) =>
      topicId === wholeChatId &&
      Object.entries(values).every(
        ([name, value]) => expected.has(name) && isDeepStrictEqual(expected.get(name), value),
      ),
  );
}
