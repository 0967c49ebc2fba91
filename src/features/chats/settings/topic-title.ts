/** What a topic is called: its name in Telegram where the bot has seen it, else its number. */
import { type Chat } from '#contract/endpoints/chats';

import { chatTexts } from '../texts.ts';

const texts = chatTexts.settings;

type Named = Pick<Chat, 'topic_names'>;

export function topicTitle({ topic_names }: Named, topicId: string): string {
  return nameOf(topic_names, topicId) ?? texts.topic(topicId);
}

/** The number beside a name, which other topics may have, too; undefined where the title says it. */
export function topicNumber({ topic_names }: Named, topicId: string): string | undefined {
  return nameOf(topic_names, topicId) && texts.topic(topicId);
}

/** Whether somebody who typed this (in lower case) means the topic as a whole. */
export function isTopicMeant(chat: Named, topicId: string, typed: string): boolean {
  const name = nameOf(chat.topic_names, topicId)?.toLocaleLowerCase();
  const byNumber = [topicId, texts.topic(topicId).toLocaleLowerCase()];
  return typed !== '' && (name?.includes(typed) === true || byNumber.includes(typed));
}

/** General has no other name: Telegram sends none for it. */
function nameOf(names: Chat['topic_names'], topicId: string): string | undefined {
  const name = topicId === '0' ? '' : (names[topicId] ?? '').trim();
  return name === '' ? undefined : name;
}
