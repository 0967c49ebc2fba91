/** Carries a change of settings out and writes it down, in one transaction, then tells those who follow the chat. */
import { randomUUID } from 'node:crypto';

import { type Preset } from '#contract/chats/presets';
import { type Dependencies } from '#server/app/dependencies';
import { createChatRepository } from '#server/db/chats';
import {
  type ChangedItem,
  type ChangeKind,
  createSettingChangeRepository,
  type RecordedChange,
} from '#server/db/setting-changes';
import { createTopicRepository } from '#server/db/topics';
import { AppError } from '#server/lib/errors';

import { type ChatEvents } from './events.ts';

export type Deed = {
  readonly chatId: number;
  /** Telegram id of whoever does it. */
  readonly by: number;
  readonly kind: ChangeKind;
  readonly preset?: Preset | undefined;
};

/** What a deed looks at, all of it in the deed's own transaction. */
type Present = {
  readonly topics: ReturnType<typeof createTopicRepository>;
  readonly changes: ReturnType<typeof createSettingChangeRepository>;
};

type Decide = (present: Present) => Promise<readonly ChangedItem[]>;

export function createRecorder({ database: { db }, clock }: Dependencies, events: ChatEvents) {
  /**
   * Does what `decide` says, all of it or nothing. Only one deed at a time changes a chat, so that what
   * a change says there was before really was. Null when nothing changes.
   */
  return async (deed: Deed, decide: Decide): Promise<RecordedChange | null> => {
    const { chatId, by, kind, preset = null } = deed;
    const now = clock();
    const change = await db.transaction().execute(async (tx) => {
      const topics = createTopicRepository(tx);
      const changes = createSettingChangeRepository(tx);
      // A chat that was upgraded a moment ago is found by its new id when asked again.
      if (!(await createChatRepository(tx).lock(chatId))) {
        throw new AppError('chat_not_found');
      }
      const items = await decide({ topics, changes });
      if (items.length === 0) {
        return null;
      }
      const id = randomUUID();
      const settings = items.map(({ topicId, name, becomes }) => ({
        topicId,
        name,
        isBlocked: becomes,
      }));
      await topics.setAll(chatId, settings, now);
      await changes.add({ id, chatId, by, kind, preset, items }, now);
      return (await changes.find(chatId, id)) ?? null;
    });
    if (change !== null) {
      tell(events, chatId, change);
    }
    return change;
  };
}

function tell(events: ChatEvents, chatId: number, { changedBy, items }: RecordedChange): void {
  const ofTopics = Map.groupBy(items, ({ topicId }) => topicId);
  events.publish(chatId, {
    kind: 'settings',
    by: { telegram_id: String(changedBy.telegramId), name: changedBy.name },
    topics: Object.fromEntries(
      [...ofTopics].map(([topicId, changed]) => [
        topicId,
        Object.fromEntries(changed.map(({ name, becomes }) => [name, becomes])),
      ]),
    ),
  });
}
