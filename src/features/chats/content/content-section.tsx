/** The tab "Content": the rules of the group, and its notes. */
import { readValue } from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { SwitchCell } from '../value-rows.tsx';
import { useShownValues } from '../value-writes.ts';
import { contentTexts as texts } from './texts.ts';

const names = ['rules_public'] as const;

export function ContentSection({ chat: { chat_id: chatId } }: { readonly chat: Chat }) {
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);
  return (
    <Section heading={texts.heading} headingLevel={3}>
      <SwitchCell
        title={texts.title}
        isOn={readValue(shown, 'rules_public')}
        onChange={(value) => choose({ name: 'rules_public', value })}
      />
    </Section>
  );
}
