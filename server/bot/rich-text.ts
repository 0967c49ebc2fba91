/** Texts that name people: Telegram shows a name as a link to the person, and never reads it as markup. */
import { type MessageEntity, type User } from 'grammy/types';

import { type Person } from '#services/members';

export type RichText = { readonly text: string; readonly entities: readonly MessageEntity[] };

/** Private characters, which stand for people until the sentence is known in the reader's language. */
const firstSlot = 0xe0_00;
const maxSlots = 0x100;

/**
 * `write` gets a function that returns what stands for a person in a sentence, and returns the sentence. Channels
 * and people without a name are plain text, as Telegram links neither.
 */
export function writeWithPeople(write: (name: (person: Person) => string) => string): RichText {
  const people: Person[] = [];
  const template = write((person) => {
    people.push(person);
    return String.fromCharCode(firstSlot + ((people.length - 1) % maxSlots));
  });
  let text = '';
  const entities: MessageEntity[] = [];
  for (const part of template.split(/([\uE000-\uE0FF])/)) {
    const person = part.length === 1 ? people[part.charCodeAt(0) - firstSlot] : undefined;
    if (person === undefined) {
      text += part;
    } else {
      entities.push(...toMention(person, text.length));
      text += person.name;
    }
  }
  return { text, entities };
}

/** Whatever Telegram is told of a user besides the ID has no effect in a mention. */
function toMention({ telegramId, name }: Person, offset: number): readonly MessageEntity[] {
  const user: User = { id: telegramId, is_bot: false, first_name: name };
  return telegramId > 0 && name !== ''
    ? [{ type: 'text_mention', offset, length: name.length, user }]
    : [];
}
