/** The tab "Automatic": floods, blocked words, reactions, and answers to words. */
import { readValue } from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { Section } from '#ui/section';

import { useShownValues } from '../value-writes.ts';

const names = ['flood'] as const;

export function AutomaticSection({ chat: { chat_id: chatId } }: { readonly chat: Chat }) {
  const shown = useShownValues({ chatId, names });
  return <Section>{JSON.stringify(readValue(shown, 'flood'))}</Section>;
}
