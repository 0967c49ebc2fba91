/**
 * Records changes of chats: settings, values, and what the bot writes. All changes go through one recorder, so that
 * they have one history, which can be undone and reverted.
 */
import { randomUUID } from 'node:crypto';

import { wholeChat } from '#contract/chats/values';
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { createChatValueRepository, wholeChatId } from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import { createContentRepository } from '#server/db/contents';
import { createLanguageRepository } from '#server/db/languages';
import {
  type ChangedItem,
  type ChangedLanguage,
  type ChangedValue,
  type ChangeKind,
  createSettingChangeRepository,
  type RecordedChange,
} from '#server/db/setting-changes';
import { createTopicRepository } from '#server/db/topics';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { topicRules } from '#server/lib/limits';
import { isCallerGone } from '#server/lib/request-context';

import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';

/** What is to be recorded of a change. */
export type ChangeFacts = {
  readonly chatId: number;
  /** Telegram ID of the user who changes something. */
  readonly by: number;
  readonly kind: ChangeKind;
  readonly preset?: string | undefined;
  /** Set for a change by a command: the chat is added by this name when it is not in Nori yet. */
  readonly chatName?: string | undefined;
};

/** What a change works with, inside its transaction. */
export type ChangeTransaction = {
  readonly languages: ReturnType<typeof createLanguageRepository>;
  readonly topics: ReturnType<typeof createTopicRepository>;
  readonly values: ReturnType<typeof createChatValueRepository>;
  readonly changes: ReturnType<typeof createSettingChangeRepository>;
  readonly contents: ReturnType<typeof createContentRepository>;
  readonly now: number;
};

/** Who changes something by a command in the chat. The bot has checked that they may. */
export type Commander = {
  readonly chatId: number;
  /** The chat is added by this name when it is not in Nori yet; undefined for one that is. */
  readonly chatName: string | undefined;
  readonly by: number;
};

/** What a change has changed. */
type ChangedParts = {
  /** Whether a topic was added for it. */
  readonly isTopicNew?: boolean;
  readonly items?: readonly ChangedItem[];
  readonly values?: readonly ChangedValue[];
  readonly language?: ChangedLanguage | null;
};

export type ChangeRecorder = ReturnType<typeof createChangeRecorder>;

const generalTopic = 0;

/** How long a change waits for earlier ones of the same chat. */
const maxTurnWaitMs = 2000;

export function createChangeRecorder(
  { database: { db }, clock }: Dependencies,
  events: ChatEvents,
) {
  const turns = createKeyedSemaphore(1);

  /**
   * Waits here, and not with a connection: a chat that is locked must leave connections for the others.
   * Throws `busy`.
   */
  async function waitForTurn(chatId: number): Promise<() => void> {
    try {
      return await turns.acquire(String(chatId), AbortSignal.timeout(maxTurnWaitMs));
    } catch {
      throw new AppError('busy', { retryAfterS: 1 });
    }
  }

  /**
   * Runs `apply`, which changes something and returns what it changed, and records that; all in one
   * transaction, or nothing. Changes of a chat run one after the other, so that what a change says was
   * there before is true. Tells those who follow the chat. Returns null when nothing changed.
   */
  return async (
    { chatId, by, kind, preset, chatName }: ChangeFacts,
    apply: (tx: ChangeTransaction) => Promise<ChangedParts>,
  ): Promise<RecordedChange | null> => {
    const leave = await waitForTurn(chatId);
    const now = clock();
    const changing = db.transaction().execute(async (tx) => {
      const chats = createChatRepository(tx);
      const topics = createTopicRepository(tx);
      const isNew = chatName !== undefined && (await chats.makeReal(chatId, chatName, now));
      if (isNew) {
        await topics.add(chatId, generalTopic, now);
      }
      await lockChat(chats, chatId);
      const changes = createSettingChangeRepository(tx);
      const parts = await apply({
        topics,
        values: createChatValueRepository(tx),
        languages: createLanguageRepository(tx),
        contents: createContentRepository(tx),
        changes,
        now,
      });
      const { items = [], values = [], language = null, isTopicNew = false } = parts;
      const facts = { id: randomUUID(), chatId, by, kind, preset: preset ?? null };
      const isSame = items.length + values.length === 0 && language === null;
      const change = isSame ? null : await changes.add({ ...facts, items, values, language }, now);
      const told = toEvents(change, { isTopicNew: isNew || isTopicNew });
      return { change, publishSaved: await events.save(tx, chatId, told) };
    });
    const { change, publishSaved } = await changing.finally(leave);
    publishSaved();
    return change;
  };
}

/** Inside the transaction of a change. Throws `chat_not_found`, and `busy` when the caller does not wait any more. */
async function lockChat(
  chats: ReturnType<typeof createChatRepository>,
  chatId: number,
): Promise<void> {
  // A chat that was upgraded a moment ago is found by its new ID with the next request.
  if (!(await chats.lock(chatId))) {
    throw new AppError('chat_not_found');
  }
  if (isCallerGone()) {
    // A process that stood still would undo what its caller has repeated, and changed again, by another one.
    throw new AppError('busy', { retryAfterS: 1 });
  }
}

/** Adds topics that the chat does not have yet. Returns whether there were any. Throws `invalid_input` for too many. */
export async function addTopics(
  { topics, now }: Pick<ChangeTransaction, 'topics' | 'now'>,
  chatId: number,
  topicIds: readonly number[],
): Promise<boolean> {
  const known = await topics.listIds(chatId);
  const missing = topicIds.filter((id) => !known.has(id));
  if (missing.length > 0 && known.size + missing.length > topicRules.max) {
    throw new AppError('invalid_input', {
      detail: (say) => say(chatTexts).tooManyTopics(topicRules.max),
    });
  }
  for (const topicId of missing) {
    await topics.add(chatId, topicId, now);
  }
  return missing.length > 0;
}

export function topicNotFound(ids: readonly number[]): AppError {
  const [first = 0] = ids;
  return new AppError('topic_not_found', {
    detail: (say) =>
      ids.length > 1
        ? say(chatTexts).unknownTopics(ids.length, first)
        : say(chatTexts).unknownTopic(first),
  });
}

/** Keeps the history from naming a preset whose settings or values are others: `isRight` compares them. */
export function throwIfMisnamed<Preset>(
  { kind, preset }: { readonly kind: ChangeKind; readonly preset?: Preset | undefined },
  isRight: (preset: Preset) => boolean,
): void {
  if ((kind === 'preset') !== (preset !== undefined)) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).presetWithout });
  }
  if (preset !== undefined && !isRight(preset)) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).presetBroken });
  }
}

/** A place of values as the wire names it. */
export function toPlace(topicId: number): string {
  return topicId === wholeChatId ? wholeChat : String(topicId);
}

function toEvents(
  change: RecordedChange | null,
  { isTopicNew }: { readonly isTopicNew: boolean },
): readonly ChatEvent[] {
  const events: ChatEvent[] = isTopicNew ? [{ kind: 'topics' }] : [];
  if (change === null) {
    return events;
  }
  const { changedBy, items, values, language } = change;
  const by = { telegram_id: String(changedBy.telegramId), name: changedBy.name };
  if (language !== null) {
    events.push({ kind: 'language', by });
  }
  if (items.length > 0) {
    events.push({ kind: 'settings', by, topics: groupByPlace(items, String) });
  }
  if (values.length > 0) {
    events.push({ kind: 'values', by, values: groupByPlace(values, toPlace) });
  }
  return events;
}

/** Place → name → what it becomes. */
function groupByPlace<T>(
  changed: readonly { readonly topicId: number; readonly name: string; readonly becomes: T }[],
  getPlace: (topicId: number) => string,
): Record<string, Record<string, T>> {
  const byTopic = Map.groupBy(changed, ({ topicId }) => topicId);
  return Object.fromEntries(
    [...byTopic].map(([topicId, some]) => [
      getPlace(topicId),
      Object.fromEntries(some.map(({ name, becomes }) => [name, becomes])),
    ]),
  );
}
