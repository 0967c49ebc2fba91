/** A change in words: who did what, and which settings of which topics have changed. */
import { settingLabel } from '#contract/chats/message-types';
import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { getSession } from '#lib/session';

import { personName } from '../people.ts';
import { presetTexts } from '../settings/care-texts.ts';
import { inListOrder } from '../settings/setting-order.ts';
import { topicTitle } from '../settings/topic-title.ts';
import { historyTexts as texts } from './texts.ts';

type Named = Pick<Chat, 'topic_names'>;

export type ChangedTopic = {
  readonly topicId: string;
  readonly title: string;
  /** What changed in it, in words, in one line for each direction. */
  readonly lines: readonly string[];
};

/** Whom a change is put down to. */
export function authorOf({ changed_by }: Change): string {
  const session = getSession();
  return session.status === 'member' && session.telegramId === changed_by.telegram_id
    ? texts.you
    : personName(changed_by);
}

/** What was done, to go on after the author. */
export function deedOf({ kind, preset, items }: Change, chat: Named): string {
  const [only] = items;
  const where = placeOf(items, chat);
  const { deed } = texts;
  if (kind === 'preset') {
    return deed.preset(preset === null ? '' : presetTexts.name[preset], items.length, where);
  }
  if (kind === 'toggle' && items.length === 1 && only) {
    return deed.single(only.becomes, settingLabel(only.setting_name), where);
  }
  return deed[kind](items.length, where);
}

/** The topics of a change by their numbers, each with its settings in the order of the lists. */
export function changedTopics({ items }: Change, chat: Named): readonly ChangedTopic[] {
  const byTopic = new Map<string, Change['items']>();
  for (const item of items) {
    const ofTopic = byTopic.get(item.topic_id) ?? [];
    ofTopic.push(item);
    byTopic.set(item.topic_id, ofTopic);
  }
  return [...byTopic]
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([topicId, changed]) => {
      const labels = (isBlocked: boolean) =>
        inListOrder(
          changed.filter(({ becomes }) => becomes === isBlocked).map((item) => item.setting_name),
        )
          .map(settingLabel)
          .join(', ');
      const [blocked, allowed] = [labels(true), labels(false)];
      return {
        topicId,
        title: topicTitle(chat, topicId),
        lines: [
          ...(blocked === '' ? [] : [texts.blocked(blocked)]),
          ...(allowed === '' ? [] : [texts.allowed(allowed)]),
        ],
      };
    });
}

/** The one topic, or how many there are. */
function placeOf(items: Change['items'], chat: Named): string {
  const ids = [...new Set(items.map(({ topic_id }) => topic_id))];
  const [only] = ids;
  return ids.length === 1 && only !== undefined ? topicTitle(chat, only) : texts.topics(ids.length);
}
