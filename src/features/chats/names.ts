/** How chats, topics and users are called: by their names, or where these are not known, by their numbers. */
import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { toSearchable } from '#lib/search-term';

import { chatTexts } from './texts.ts';

const texts = chatTexts.settings;

type Named = Pick<Chat, 'topic_names'>;

/** The chat's name, or its ID if it has no name. */
export function chatTitle({ chat_id, chat_name }: Pick<Chat, 'chat_id' | 'chat_name'>): string {
  return chat_name.trim() === '' ? chatTexts.untitledChat(chat_id) : chat_name;
}

/** Who has deleted their account: others keep what was done in their chats, without the ID. */
const formerUserId = '0';

/** The user's name, or the Telegram ID if the user has no name. */
export function userName({ telegram_id, name }: Change['changed_by']): string {
  if (telegram_id === formerUserId) {
    return chatTexts.formerUser;
  }
  return name.trim() === '' ? chatTexts.namelessUser(telegram_id) : name;
}

/** The topic's name in Telegram if the bot has seen it, else its number. */
export function topicTitle({ topic_names }: Named, topicId: string): string {
  return readName(topic_names, topicId) ?? numberTitle(topicId);
}

/** The number to show beside a name, because names may repeat; undefined if the title is the number. */
export function topicNumber({ topic_names }: Named, topicId: string): string | undefined {
  return readName(topic_names, topicId) && numberTitle(topicId);
}

/** Whether a search for `term` (made searchable) means the topic as a whole. */
export function isTopicMeant(chat: Named, topicId: string, term: string): boolean {
  const name = toSearchable(readName(chat.topic_names, topicId) ?? '');
  const numbers = [topicId, toSearchable(numberTitle(topicId))];
  return term !== '' && (name.includes(term) || numbers.includes(term));
}

/** Topic IDs are sorted as numbers. */
export function byTopicId(one: string, other: string): number {
  return Number(one) - Number(other);
}

function numberTitle(topicId: string): string {
  return topicId === '0' ? texts.general : texts.topic(topicId);
}

/** General has no other name: Telegram sends none for it. */
function readName(names: Chat['topic_names'], topicId: string): string | undefined {
  const name = topicId === '0' ? '' : (names[topicId] ?? '').trim();
  return name === '' ? undefined : name;
}
