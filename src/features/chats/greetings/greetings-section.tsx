/** The tab "Greetings": what the bot says to who joins and leaves. */
import { readValue } from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { SwitchCell } from '../value-rows.tsx';
import { useShownValues } from '../value-writes.ts';
import { greetingTexts as texts } from './texts.ts';

const names = ['welcome'] as const;

export function GreetingsSection({ chat: { chat_id: chatId } }: { readonly chat: Chat }) {
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);
  return (
    <Section heading={texts.heading} headingLevel={3}>
      <SwitchCell
        title={texts.title}
        isOn={readValue(shown, 'welcome')}
        onChange={(value) => choose({ name: 'welcome', value })}
      />
    </Section>
  );
}
