/** What can be done with the whole chat, beside its settings: one row under its health. */
import { type Chat } from '#contract/endpoints/chats';

import styles from './settings.module.css';

type ChatToolsProps = { readonly chat: Chat };

export function ChatTools(_props: ChatToolsProps) {
  return <div className={styles.tools} />;
}
