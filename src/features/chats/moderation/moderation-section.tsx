/** The tab "Moderation": what warnings lead to, who has some, who is approved, and what was done. */
import { useQuery } from '@tanstack/react-query';

import { readValue } from '#contract/chats/values';
import { chatModeration } from '#contract/endpoints/chat-members';
import { chatValues } from '#contract/endpoints/chat-values';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { Pending } from '../pending.tsx';
import { SwitchCell } from '../value-rows.tsx';
import { useShownValues, valueQuery } from '../value-writes.ts';
import { ActionsList } from './actions-list.tsx';
import { ApprovalsList, WarningsList } from './member-lists.tsx';
import { moderationTexts as texts } from './texts.ts';
import { useShownRules, WarnRules } from './warn-rules.tsx';

import styles from '../sections/sections.module.css';

export function ModerationSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const { has } = useCapabilities();
  const hasValues = has(chatValues) === true;
  const hasLists = has(chatModeration) === true;
  const query = useQuery({ ...valueQuery(chatId), enabled: hasValues });
  const { warn_limit: limit } = useShownRules(chatId);
  const areRulesKnown = query.data !== undefined;

  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        {hasValues &&
          (areRulesKnown ? (
            <>
              <WarnRules chatId={chatId} />
              <SharedBans chatId={chatId} />
            </>
          ) : (
            <Pending
              query={query}
              shape="sections"
              count={1}
              loading={texts.loading}
              failed={texts.failed}
            />
          ))}
        {hasLists && (
          <>
            <WarningsList chatId={chatId} limit={areRulesKnown ? limit : undefined} />
            <ApprovalsList chatId={chatId} />
          </>
        )}
      </div>
      {hasLists && (
        <div className={styles.column}>
          <ActionsList chatId={chatId} />
        </div>
      )}
    </div>
  );
}

/** Whether bans count in the other chats of the community and of the owner. */
function SharedBans({ chatId }: { readonly chatId: string }) {
  const shown = useShownValues({ chatId, names: ['shared_bans'] });
  const choose = useChooseValue(chatId);
  return (
    <Section heading={texts.sharedBans.heading} headingLevel={3} foot={texts.sharedBans.foot}>
      <SwitchCell
        title={texts.sharedBans.title}
        about={texts.sharedBans.about}
        isOn={readValue(shown, 'shared_bans')}
        onChange={(value) => choose({ name: 'shared_bans', value })}
      />
    </Section>
  );
}
