/** What copying a topic's settings would change, worked out before anything is. */
import { type Chat, type Settings } from '#contract/endpoints/chats';

import { inListOrder } from '../settings/setting-order.ts';
import { topicTitle } from '../settings/topic-title.ts';
import { chatTexts } from '../texts.ts';

/** Chat → the topics that were chosen in it. */
export type Targets = ReadonlyMap<string, ReadonlySet<string>>;

export type TopicPlan = {
  readonly topicId: string;
  readonly title: string;
  /** What differs: each of these settings becomes what it is in the topic copied from. */
  readonly differences: readonly { readonly name: string; readonly becomes: boolean }[];
};

export type ChatPlan = {
  readonly chatId: string;
  readonly title: string;
  /** Only topics in which something changes, by their numbers. */
  readonly topics: readonly TopicPlan[];
  /** How many chosen topics have the same settings already. */
  readonly unchanged: number;
};

export function planFor(chat: Chat, chosen: ReadonlySet<string>, source: Settings): ChatPlan {
  const topics = [...chosen]
    .toSorted((one, other) => Number(one) - Number(other))
    .map((topicId) => ({
      topicId,
      title: topicTitle(chat, topicId),
      differences: differencesOf(source, chat.topics[topicId] ?? {}),
    }));
  const changed = topics.filter(({ differences }) => differences.length > 0);
  return {
    chatId: chat.chat_id,
    title: chatTexts.chatTitle(chat),
    topics: changed,
    unchanged: topics.length - changed.length,
  };
}

/** How many settings a plan changes. */
export function countOf({ topics }: Pick<ChatPlan, 'topics'>): number {
  return topics.reduce((sum, { differences }) => sum + differences.length, 0);
}

/** The plan as the server takes it: topic → setting → blocked. */
export function toSettings({ topics }: ChatPlan): Readonly<Record<string, Settings>> {
  return Object.fromEntries(
    topics.map(({ topicId, differences }) => [
      topicId,
      Object.fromEntries(differences.map(({ name, becomes }) => [name, becomes])),
    ]),
  );
}

/** What nobody has set is allowed. */
function differencesOf(source: Settings, target: Settings) {
  return inListOrder(Object.keys(source))
    .map((name) => ({ name, becomes: source[name] ?? false }))
    .filter(({ name, becomes }) => becomes !== (target[name] ?? false));
}
