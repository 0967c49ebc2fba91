/** Groups to which the person has brought the bot, each with the way to prove that its owner agrees. */
import { useId } from 'react';

import { type UnverifiedChat } from '#contract/endpoints/chats';
import { dashboardPaths } from '#lib/paths';
import { ListRow } from '#ui/list-row';

import { chatTexts } from './texts.ts';

import styles from './chats.module.css';

const texts = chatTexts.list;

export function UnverifiedChats({ chats }: { readonly chats: readonly UnverifiedChat[] }) {
  const id = useId();
  if (chats.length === 0) {
    return null;
  }
  return (
    <section className={styles.unverified} aria-labelledby={id}>
      <h3 id={id}>{texts.unverified}</h3>
      <p className={styles.remark}>{texts.unverifiedHint}</p>
      <ul className={styles.chats} aria-labelledby={id}>
        {chats.map((chat) => (
          <li key={chat.chat_id}>
            <ListRow
              to={dashboardPaths.verify(chat.chat_id)}
              title={chatTexts.chatTitle(chat)}
              subtitle={chatTexts.chatId(chat.chat_id)}
              badge={texts.unverified}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
