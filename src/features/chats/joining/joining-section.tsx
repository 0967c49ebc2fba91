/** The tab "Joining": what is asked of newcomers, and what protects the group from many at once. */
import { readValue } from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { Section } from '#ui/section';

import { useShownValues } from '../value-writes.ts';

const names = ['captcha_mode'] as const;

export function JoiningSection({ chat: { chat_id: chatId } }: { readonly chat: Chat }) {
  const shown = useShownValues({ chatId, names });
  return <Section>{readValue(shown, 'captcha_mode')}</Section>;
}
