/** What can be done with the whole chat, beside its settings, and what the bot has done there. */
import { type Chat } from '#contract/endpoints/chats';

import { DeletedSection } from '../deleted/deleted-section.tsx';
import { HistoryLink } from '../history/history-link.tsx';
import { chatTexts } from '../texts.ts';

import styles from './settings.module.css';

type ChatToolsProps = { readonly chat: Chat };

export function ChatTools({ chat }: ChatToolsProps) {
  return (
    <>
      <DeletedSection chatId={chat.chat_id} />
      <div className={styles.tools}>
        <HistoryLink chatId={chat.chat_id} text={chatTexts.settings.history} />
      </div>
    </>
  );
}
