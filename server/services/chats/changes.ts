/** Changes the settings of chats, one or thousands at a time, keeps their history, and reverts changes. */
import { randomUUID } from 'node:crypto';

import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { type Preset, getPresetSettings } from '#contract/chats/presets';
import { type Language, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createChatRepository } from '#server/db/chats';
import { createLanguageRepository } from '#server/db/languages';
import {
  type ChangedItem,
  type ChangedLanguage,
  type ChangeKind,
  createSettingChangeRepository,
  type RecordedChange,
} from '#server/db/setting-changes';
import { createTopicRepository, type StoredSettings } from '#server/db/topics';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { historyRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly limiter: Limiter;
};

type SettingsChange = {
  readonly chatId: number;
  /** Telegram ID of the user who changes the settings. */
  readonly by: number;
  readonly kind: ChangeKind;
  readonly preset?: Preset | undefined;
};

/** Topic ID → setting → blocked. Settings that are not named stay as they are. */
type WantedSettings = ReadonlyMap<number, Readonly<Record<string, boolean>>>;

export function createChatChanges(deps: Dependencies, { access, events, limiter }: Tools) {
  const changes = createSettingChangeRepository(deps.database.db);
  const record = createRecorder(deps, events);
  const { offered } = deps.languages;

  return {
    /** Sets one setting to an absolute value. Throws as `change` does. */
    async toggle(
      telegramId: number,
      { chatId: givenId, topicId, name, isBlocked }: ToggledSetting,
    ): Promise<void> {
      throwIfUnknown([name]);
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await record({ chatId, by: telegramId, kind: 'toggle' }, async ({ topics, now }) => {
        if (await topics.set(chatId, { topicId, name, isBlocked }, now)) {
          return { items: [{ topicId, name, was: !isBlocked, becomes: isBlocked }] };
        }
        if ((await topics.read(chatId, topicId)) === undefined) {
          throw topicNotFound([topicId]);
        }
        return { items: [] };
      });
    },

    /**
     * Sets all wanted settings or none. Returns null when nothing differs. Throws what `requireManager`
     * throws, `topic_not_found`, `rate_limited`, and `invalid_input` for settings that do not exist and
     * for a preset whose settings are others.
     */
    async change(
      telegramId: number,
      {
        chatId: givenId,
        wanted,
        ...change
      }: Omit<SettingsChange, 'by'> & { readonly wanted: WantedSettings },
    ): Promise<RecordedChange | null> {
      throwIfUnknown([...wanted.values()].flatMap((settings) => Object.keys(settings)));
      throwIfMisnamed(change, wanted);
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await limiter.take(limits.settingChanges, telegramId);
      return record({ ...change, chatId, by: telegramId }, async ({ topics, now }) => {
        const items = getDifferences(await topics.readAll(chatId), wanted);
        await topics.setAll(chatId, items.map(toNewSetting), now);
        return { items };
      });
    },

    /**
     * Changes what the bot writes in a group. Throws what `requireManager` throws, `rate_limited`, and
     * `invalid_input` for a language that the server does not offer.
     */
    async setLanguage(telegramId: number, givenId: number, language: Language): Promise<void> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      if (!offered.includes(language)) {
        throw new AppError('invalid_input', { detail: (say) => say(chatTexts).unknownLanguage });
      }
      await limiter.take(limits.settingChanges, telegramId);
      await record({ chatId, by: telegramId, kind: 'language' }, async ({ languages, now }) => {
        const was = (await languages.findChat(chatId)) ?? sourceLanguage;
        await languages.setChat(chatId, language, now);
        return { items: [], language: was === language ? null : { was, becomes: language } };
      });
    },

    /** The changes of a chat, newest first. Throws `invalid_cursor` for an unknown `before`. */
    async list(telegramId: number, givenId: number, before: string | undefined) {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      const time = before === undefined ? undefined : await changes.findTime(chatId, before);
      if (before !== undefined && time === undefined) {
        throw new AppError('invalid_cursor');
      }
      const { pageSize: max, maxPageItems: maxItems } = historyRules;
      return changes.list(chatId, { before: time, max, maxItems });
    },

    /**
     * Gives each setting of a change the value it had before, and the bot its language. What was changed
     * again since stays and counts as `skipped`, and so does a language that is not offered any more. Throws
     * `change_not_found`, or as `change` does.
     */
    async revert(
      telegramId: number,
      {
        chatId: givenId,
        changeId,
        kind,
      }: { chatId: number; changeId: string; kind: 'undo' | 'revert' },
    ): Promise<{ readonly change: RecordedChange | null; readonly skipped: number }> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await limiter.take(limits.settingChanges, telegramId);
      let skipped = 0;
      const change = await record({ chatId, by: telegramId, kind }, async (tx) => {
        const old = await tx.changes.find(chatId, changeId);
        if (old === undefined) {
          throw new AppError('change_not_found');
        }
        const items = toReverted(old, await tx.topics.readAll(chatId));
        await tx.topics.setAll(chatId, items.map(toNewSetting), tx.now);
        const language = await revertLanguage(chatId, old, { ...tx, offered });
        const skippedLanguages = old.language !== null && language === null ? 1 : 0;
        skipped = old.items.length - items.length + skippedLanguages;
        return { items, language };
      });
      return { change, skipped };
    },
  };
}

/** What a change works with, inside its transaction. */
type ChangeTransaction = {
  readonly languages: ReturnType<typeof createLanguageRepository>;
  readonly topics: ReturnType<typeof createTopicRepository>;
  readonly changes: ReturnType<typeof createSettingChangeRepository>;
  readonly now: number;
};

/** What a change has changed. */
type ChangedParts = {
  readonly items: readonly ChangedItem[];
  readonly language?: ChangedLanguage | null;
};

/** How long a change waits for earlier ones of the same chat. */
const maxTurnWaitMs = 2000;

function createRecorder({ database: { db }, clock }: Dependencies, events: ChatEvents) {
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
   * Runs `apply`, which changes settings and returns what it changed, and records that; all in one
   * transaction, or nothing. Changes of a chat run one after the other, so that what a change says was
   * there before is true. Tells those who follow the chat. Returns null when nothing changed.
   */
  return async (
    { chatId, by, kind, preset }: SettingsChange,
    apply: (tx: ChangeTransaction) => Promise<ChangedParts>,
  ): Promise<RecordedChange | null> => {
    const leave = await waitForTurn(chatId);
    const now = clock();
    const changing = db.transaction().execute(async (tx) => {
      // A chat that was upgraded a moment ago is found by its new ID with the next request.
      if (!(await createChatRepository(tx).lock(chatId))) {
        throw new AppError('chat_not_found');
      }
      const changes = createSettingChangeRepository(tx);
      const { items, language = null } = await apply({
        topics: createTopicRepository(tx),
        languages: createLanguageRepository(tx),
        changes,
        now,
      });
      const change = { id: randomUUID(), chatId, by, kind, preset: preset ?? null };
      return items.length === 0 && language === null
        ? null
        : changes.add({ ...change, items, language }, now);
    });
    const change = await changing.finally(leave);
    if (change !== null) {
      publishChange(events, chatId, change);
    }
    return change;
  };
}

function publishChange(
  events: ChatEvents,
  chatId: number,
  { changedBy, items, language }: RecordedChange,
): void {
  if (language !== null) {
    events.publish(chatId, { kind: 'language' });
  }
  if (items.length === 0) {
    return;
  }
  const byTopic = Map.groupBy(items, ({ topicId }) => topicId);
  events.publish(chatId, {
    kind: 'settings',
    by: { telegram_id: String(changedBy.telegramId), name: changedBy.name },
    topics: Object.fromEntries(
      [...byTopic].map(([topicId, changed]) => [
        topicId,
        Object.fromEntries(changed.map(({ name, becomes }) => [name, becomes])),
      ]),
    ),
  });
}

/** The settings of a change that were not changed again since, as they were before it. */
function toReverted(
  { items }: RecordedChange,
  stored: ReadonlyMap<number, StoredSettings>,
): readonly ChangedItem[] {
  return items
    .filter(({ topicId, name, becomes }) => (stored.get(topicId)?.get(name) ?? false) === becomes)
    .map(({ topicId, name, was, becomes }) => ({ topicId, name, was: becomes, becomes: was }));
}

/** Returns null when no language was reverted. */
async function revertLanguage(
  chatId: number,
  { language: change }: RecordedChange,
  { languages, now, offered }: ChangeTransaction & { readonly offered: readonly Language[] },
): Promise<ChangedLanguage | null> {
  if (change === null) {
    return null;
  }
  const was = (await languages.findChat(chatId)) ?? sourceLanguage;
  const becomes = offered.find((language) => language === change.was);
  if (becomes === undefined || was !== change.becomes) {
    return null;
  }
  await languages.setChat(chatId, becomes, now);
  return { was, becomes };
}

type ToggledSetting = {
  readonly chatId: number;
  readonly topicId: number;
  readonly name: string;
  readonly isBlocked: boolean;
};

function toNewSetting({ topicId, name, becomes }: ChangedItem) {
  return { topicId, name, isBlocked: becomes };
}

/** What must change to get the wanted settings. Throws `topic_not_found`. */
function getDifferences(
  stored: ReadonlyMap<number, StoredSettings>,
  wanted: WantedSettings,
): readonly ChangedItem[] {
  const missing = [...wanted.keys()].filter((topicId) => !stored.has(topicId));
  if (missing.length > 0) {
    throw topicNotFound(missing);
  }
  return [...wanted].flatMap(([topicId, settings]) =>
    Object.entries(settings)
      .map(([name, becomes]) => {
        const was = stored.get(topicId)?.get(name) ?? false;
        return { topicId, name, was, becomes };
      })
      .filter(({ was, becomes }) => was !== becomes),
  );
}

function topicNotFound(ids: readonly number[]): AppError {
  const [first = 0] = ids;
  return new AppError('topic_not_found', {
    detail: (say) =>
      ids.length > 1
        ? say(chatTexts).unknownTopics(ids.length, first)
        : say(chatTexts).unknownTopic(first),
  });
}

const allSettingNames: ReadonlySet<string> = new Set([...settingNames, ...moreSettingNames]);

function throwIfUnknown(names: readonly string[]): void {
  const isUnknown = names.some((name) => !allSettingNames.has(name));
  if (isUnknown) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).unknownSetting });
  }
}

/** Keeps the history from naming a preset whose settings are others. */
function throwIfMisnamed(
  { kind, preset }: Pick<SettingsChange, 'kind' | 'preset'>,
  wanted: WantedSettings,
): void {
  if ((kind === 'preset') !== (preset !== undefined)) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).presetWithout });
  }
  if (preset === undefined) {
    return;
  }
  const expected = getPresetSettings(preset, { withMore: true });
  const isRight = [...wanted.values()].every((settings) =>
    Object.entries(settings).every(([name, isBlocked]) => expected[name] === isBlocked),
  );
  if (!isRight) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).presetBroken });
  }
}
