/** Changing many settings of a chat at once, and the history of all changes, on the wire. */
import { type Hono } from 'hono';

import { presets } from '#contract/chats/presets';
import { changeSettings, listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { requireTelegramId } from '#server/http/requests';
import { type Services } from '#server/services/services';
import { type RecordedChange } from '#services/chats';

import { chatNumber } from './chats.ts';

export function addChatChangeRoutes(
  app: Hono<AppEnv>,
  { chatChanges }: Pick<Services, 'chatChanges'>,
): void {
  on(app, changeSettings, async ({ chat_id, kind, preset, topics }, c) => {
    const change = await chatChanges.change(requireTelegramId(c), {
      chatId: chatNumber(chat_id),
      kind,
      preset,
      wishes: new Map(Object.entries(topics).map(([id, settings]) => [Number(id), settings])),
    });
    return { change: change && toWire(change) };
  });

  on(app, listChanges, async ({ chat_id, before }, c) => {
    const { changes, hasMore } = await chatChanges.list(
      requireTelegramId(c),
      chatNumber(chat_id),
      before,
    );
    return { changes: changes.map(toWire), has_more: hasMore };
  });

  on(app, revertChange, async ({ chat_id, change_id, kind }, c) => {
    const { change, skipped } = await chatChanges.revert(requireTelegramId(c), {
      chatId: chatNumber(chat_id),
      changeId: change_id,
      kind,
    });
    return { change: change && toWire(change), skipped };
  });
}

function toWire({ id, changedAt, changedBy, kind, preset, items }: RecordedChange) {
  return {
    change_id: id,
    changed_at: changedAt,
    changed_by: { telegram_id: changedBy.telegramId, name: changedBy.name },
    kind,
    preset: presets.find((name) => name === preset) ?? null,
    items: items.map(({ topicId, name, was, becomes }) => ({
      topic_id: topicId,
      setting_name: name,
      was,
      becomes,
    })),
  };
}
