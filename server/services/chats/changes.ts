/** Changes the settings of chats, one or thousands at a time, remembers who did it, and takes it back. */
import { settingNames } from '#contract/chats/message-types';
import { settingsOfPreset } from '#contract/chats/presets';
import { type Dependencies } from '#server/app/dependencies';
import {
  type ChangedItem,
  createSettingChangeRepository,
  type RecordedChange,
} from '#server/db/setting-changes';
import { type StoredSettings } from '#server/db/topics';
import { AppError } from '#server/lib/errors';
import { historyRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { createRecorder, type Deed } from './record.ts';
import { chatTexts } from './texts.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly limiter: Limiter;
};

/** Topic id → setting → blocked; what is not named stays as it is. */
type Wishes = ReadonlyMap<number, Readonly<Record<string, boolean>>>;

export function createChatChanges(deps: Dependencies, { access, events, limiter }: Tools) {
  const { db } = deps.database;
  const changes = createSettingChangeRepository(db);
  const record = createRecorder(deps, events);

  return {
    /** Sets one setting to an absolute value and answers what is stored. Throws as `change` does. */
    async toggle(
      telegramId: number,
      { chatId: askedId, topicId, name, isBlocked }: ToggledSetting,
    ): Promise<boolean> {
      throwIfUnknown([name]);
      const chatId = await access.requireManager(askedId, telegramId, 'change');
      await record({ chatId, by: telegramId, kind: 'toggle' }, async ({ topics }) => {
        const stored = await topics.read(chatId, topicId);
        const present = stored === undefined ? new Map() : new Map([[topicId, stored]]);
        return differences(present, new Map([[topicId, { [name]: isBlocked }]]));
      });
      return isBlocked;
    },

    /**
     * Sets all that is wished or nothing of it; null when everything was so already. Throws what
     * `requireManager` throws, `topic_not_found`, `rate_limited`, or `invalid_input` for settings
     * that do not exist and for a preset that is not what its name says.
     */
    async change(
      telegramId: number,
      { chatId: askedId, wishes, ...deed }: Omit<Deed, 'by'> & { readonly wishes: Wishes },
    ): Promise<RecordedChange | null> {
      throwIfUnknown([...wishes.values()].flatMap((wish) => Object.keys(wish)));
      throwIfMisnamed(deed, wishes);
      const chatId = await access.requireManager(askedId, telegramId, 'change');
      await limiter.take(limits.settingChanges, telegramId);
      return record({ ...deed, chatId, by: telegramId }, async ({ topics }) =>
        differences(await topics.readAll(chatId), wishes),
      );
    },

    /** The changes to a chat, the newest first. Throws `invalid_cursor` for an unknown `before`. */
    async list(telegramId: number, askedId: number, before: string | undefined) {
      const chatId = await access.requireManager(askedId, telegramId, 'read');
      const time = before === undefined ? undefined : await changes.timeOf(chatId, before);
      if (before !== undefined && time === undefined) {
        throw new AppError('invalid_cursor');
      }
      const { page: most, pageItems: mostItems } = historyRules;
      return changes.list(chatId, { before: time, most, mostItems });
    },

    /**
     * Gives each setting of a change the value it had before, if nobody has changed it since; those
     * that somebody has are `skipped`. Throws `change_not_found`, or as `change` does.
     */
    async revert(
      telegramId: number,
      {
        chatId: askedId,
        changeId,
        kind,
      }: { chatId: number; changeId: string; kind: 'undo' | 'revert' },
    ): Promise<{ readonly change: RecordedChange | null; readonly skipped: number }> {
      const chatId = await access.requireManager(askedId, telegramId, 'change');
      await limiter.take(limits.settingChanges, telegramId);
      let skipped = 0;
      const change = await record({ chatId, by: telegramId, kind }, async (present) => {
        const old = await present.changes.find(chatId, changeId);
        if (old === undefined) {
          throw new AppError('change_not_found');
        }
        const stored = await present.topics.readAll(chatId);
        const items = old.items.filter(
          ({ topicId, name, becomes }) => (stored.get(topicId)?.get(name) ?? false) === becomes,
        );
        skipped = old.items.length - items.length;
        return items.map(({ topicId, name, was, becomes }) => ({
          topicId,
          name,
          was: becomes,
          becomes: was,
        }));
      });
      return { change, skipped };
    },
  };
}

type ToggledSetting = {
  readonly chatId: number;
  readonly topicId: number;
  readonly name: string;
  readonly isBlocked: boolean;
};

/** What has to change for the wishes to be true. Throws `topic_not_found`. */
function differences(
  present: ReadonlyMap<number, StoredSettings>,
  wishes: Wishes,
): readonly ChangedItem[] {
  const missing = [...wishes.keys()].filter((topicId) => !present.has(topicId));
  if (missing.length > 0) {
    throw new AppError('topic_not_found', { detail: chatTexts.unknownTopics(missing) });
  }
  return [...wishes].flatMap(([topicId, settings]) =>
    Object.entries(settings)
      .map(([name, becomes]) => {
        const was = present.get(topicId)?.get(name) ?? false;
        return { topicId, name, was, becomes };
      })
      .filter(({ was, becomes }) => was !== becomes),
  );
}

function throwIfUnknown(names: readonly string[]): void {
  const unknown = names.some((name) => !settingNames.includes(name));
  if (unknown) {
    throw new AppError('invalid_input', { detail: chatTexts.unknownSetting });
  }
}

/** The history must not call something a preset that is none. */
function throwIfMisnamed({ kind, preset }: Pick<Deed, 'kind' | 'preset'>, wishes: Wishes): void {
  if ((kind === 'preset') !== (preset !== undefined)) {
    throw new AppError('invalid_input', { detail: chatTexts.presetWithout });
  }
  if (preset === undefined) {
    return;
  }
  const right = settingsOfPreset(preset);
  const isRight = [...wishes.values()].every((settings) =>
    Object.entries(settings).every(([name, isBlocked]) => right[name] === isBlocked),
  );
  if (!isRight) {
    throw new AppError('invalid_input', { detail: chatTexts.presetBroken });
  }
}
