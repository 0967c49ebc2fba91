/** The title of a topic: its name in Telegram if the bot has seen it, else its number. */
import { type Chat } from '#contract/endpoints/chats';

import { chatTexts } from './texts.ts';

const texts = chatTexts.settings;

type Named = Pick<Chat, 'topic_names'>;

export function topicTitle({ topic_names }: Named, topicId: string): string {
  return readName(topic_names, topicId) ?? texts.topic(topicId);
}

/** The number to show beside a name, because names may repeat; undefined if the title is the number. */
export function topicNumber({ topic_names }: Named, topicId: string): string | undefined {
  return readName(topic_names, topicId) && texts.topic(topicId);
}

/** Whether a search for `term` (in lower case) means the topic as a whole. */
export function isTopicMeant(chat: Named, topicId: string, term: string): boolean {
  const name = readName(chat.topic_names, topicId)?.toLocaleLowerCase();
  const numbers = [topicId, texts.topic(topicId).toLocaleLowerCase()];
  return term !== '' && (name?.includes(term) === true || numbers.includes(term));
}

/** Topic IDs are sorted as numbers. */
export function byTopicId(one: string, other: string): number {
  return Number(one) - Number(other);
}

/** General has no other name: Telegram sends none for it. */
function readName(names: Chat['topic_names'], topicId: string): string | undefined {
  const name = topicId === '0' ? '' : (names[topicId] ?? '').trim();
  return name === '' ? undefined : name;
}
