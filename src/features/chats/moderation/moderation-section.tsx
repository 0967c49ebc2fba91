/** The tab "Moderation": what warnings lead to, who has some, who is approved, and what was done. */
import { useQuery } from '@tanstack/react-query';

import { chatModeration } from '#contract/endpoints/chat-members';
import { chatValues } from '#contract/endpoints/chat-values';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';

import { Pending } from '../pending.tsx';
import { valueQuery } from '../value-writes.ts';
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
            <WarnRules chatId={chatId} />
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
