/**
 * Changes the settings of chats, one or thousands at a time, and the language that the bot writes there; lists the
 * history of all changes, and reverts them.
 */
import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { type Preset, getPresetSettings } from '#contract/chats/presets';
import { type Language, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createChatValueRepository } from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import {
  type ChangedItem,
  type ChangedLanguage,
  type ChangeKind,
  createSettingChangeRepository,
  type RecordedChange,
} from '#server/db/setting-changes';
import { type StoredSettings } from '#server/db/topics';
import { AppError } from '#server/lib/errors';
import { historyRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { type ChatAccess } from './access.ts';
import { type AdultRule } from './adult-rule.ts';
import {
  addTopics,
  type ChangeRecorder,
  type ChangeTransaction,
  type Commander,
  throwIfMisnamed,
  topicNotFound,
} from './recorder.ts';
import { chatTexts } from './texts.ts';
import { revertAllowsAdults, revertValues } from './values.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly limiter: Limiter;
  readonly record: ChangeRecorder;
};

type SettingsChange = {
  readonly chatId: number;
  readonly kind: ChangeKind;
  readonly preset?: Preset | undefined;
};

/** Topic ID → setting → blocked. Settings that are not named stay as they are. */
type WantedSettings = ReadonlyMap<number, Readonly<Record<string, boolean>>>;

export function createChatChanges(
  { database: { db }, languages: { offered } }: Dependencies,
  { access, limiter, record }: Tools,
) {
  const chats = createChatRepository(db);

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
      { chatId: givenId, wanted, ...change }: SettingsChange & { readonly wanted: WantedSettings },
    ): Promise<RecordedChange | null> {
      throwIfUnknown([...wanted.values()].flatMap((settings) => Object.keys(settings)));
      throwIfMisnamed(change, (preset) => arePresetSettings(preset, wanted));
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await limiter.take(limits.settingChanges, telegramId);
      return record({ ...change, chatId, by: telegramId }, async ({ topics, now }) => {
        const stored = await topics.readAll(chatId);
        const missing = [...wanted.keys()].filter((topicId) => !stored.has(topicId));
        if (missing.length > 0) {
          throw topicNotFound(missing);
        }
        const items = getDifferences(stored, wanted);
        await topics.setAll(chatId, items.map(toNewSetting), now);
        return { items };
      });
    },

    /**
     * Sets settings by a command. A chat that is not in Nori yet is added, without a manager, and so are topics.
     * Returns null when nothing differs. Throws `invalid_input` for settings that do not exist and for too
     * many topics, or `busy`.
     */
    async lockByCommand(
      { chatId: givenId, ...facts }: Commander,
      wanted: WantedSettings,
    ): Promise<RecordedChange | null> {
      const names = [...wanted.values()].flatMap((settings) => Object.keys(settings));
      throwIfUnknown(names);
      const chatId = await chats.currentId(givenId);
      if (getDifferences(new Map(), wanted).length === 0 && !(await chats.isReal(chatId))) {
        return null;
      }
      const kind = names.length === 1 ? 'toggle' : 'bulk';
      return record({ ...facts, chatId, kind }, async (tx) => {
        const items = getDifferences(await tx.topics.readAll(chatId), wanted);
        const topicIds = [...new Set(items.map(({ topicId }) => topicId))];
        const isTopicNew = await addTopics(tx, chatId, topicIds);
        await tx.topics.setAll(chatId, items.map(toNewSetting), tx.now);
        return { items, isTopicNew };
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
  };
}

/** Lists the changes of chats, and reverts them. */
export function createChangeHistory(
  { database: { db }, languages: { offered } }: Dependencies,
  { access, adultRule, limiter, record }: Tools & { readonly adultRule: AdultRule },
) {
  const changes = createSettingChangeRepository(db);
  const values = createChatValueRepository(db);

  /** Telegram is asked only about a change that would switch on what is for adults. */
  async function mayAllowAdults(
    telegramId: number,
    { chatId, changeId }: { readonly chatId: number; readonly changeId: string },
  ): Promise<boolean> {
    const old = await changes.find(chatId, changeId);
    return (
      old !== undefined &&
      revertAllowsAdults(old, await values.readAll(chatId)) &&
      (await adultRule.isAllowed(chatId, telegramId))
    );
  }

  return {
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
     * Gives each setting and value of a change what it had before, and the bot its language. What was changed
     * again since stays and counts as `skipped`, and so does what is not possible any more, or not allowed. Throws
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
      const rights = { mayAllowAdults: await mayAllowAdults(telegramId, { chatId, changeId }) };
      let skipped = 0;
      const change = await record({ chatId, by: telegramId, kind }, async (tx) => {
        const old = await tx.changes.find(chatId, changeId);
        if (old === undefined) {
          throw new AppError('change_not_found');
        }
        const items = toReverted(old, await tx.topics.readAll(chatId));
        await tx.topics.setAll(chatId, items.map(toNewSetting), tx.now);
        const reverted = await revertValues(chatId, old, { ...tx, ...rights });
        const language = await revertLanguage(chatId, old, { ...tx, offered });
        skipped = countParts(old) - countParts({ items, values: reverted, language });
        return { items, values: reverted, language };
      });
      return { change, skipped };
    },
  };
}

function countParts({
  items,
  values,
  language,
}: Pick<RecordedChange, 'items' | 'values' | 'language'>): number {
  return items.length + values.length + (language === null ? 0 : 1);
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

/** What must change to get the wanted settings. */
function getDifferences(
  stored: ReadonlyMap<number, StoredSettings>,
  wanted: WantedSettings,
): readonly ChangedItem[] {
  return [...wanted].flatMap(([topicId, settings]) =>
    Object.entries(settings)
      .map(([name, becomes]) => {
        const was = stored.get(topicId)?.get(name) ?? false;
        return { topicId, name, was, becomes };
      })
      .filter(({ was, becomes }) => was !== becomes),
  );
}

const allSettingNames: ReadonlySet<string> = new Set([...settingNames, ...moreSettingNames]);

function throwIfUnknown(names: readonly string[]): void {
  const isUnknown = names.some((name) => !allSettingNames.has(name));
  if (isUnknown) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).unknownSetting });
  }
}

function arePresetSettings(preset: Preset, wanted: WantedSettings): boolean {
  const expected = getPresetSettings(preset, { withMore: true });
  return [...wanted.values()].every((settings) =>
    Object.entries(settings).every(([name, isBlocked]) => expected[name] === isBlocked),
  );
}
