/** The tab "Content": the rules of the group, and its notes. */
import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';

import { rulesPayload } from '#contract/chats/bot-links';
import { readValue } from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { useBotLink } from '#lib/bot-link';
import { useCopyText } from '#lib/copy-text';
import { CopyButton } from '#ui/copy-button';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { ContentEditor, ContentSummary } from '../editor/open-editor.tsx';
import { Pending } from '../pending.tsx';
import { valueLine } from '../value-lines.ts';
import { SwitchCell } from '../value-rows.tsx';
import { useContents, useShownValues, valueQuery } from '../value-writes.ts';
import { NotesList } from './notes-list.tsx';
import { contentTexts } from './texts.ts';

import styles from '../sections/sections.module.css';

const texts = contentTexts.rules;
const names = ['rules_content', 'rules_public'] as const;

export function ContentSection({ chat }: { readonly chat: Chat }) {
  const query = useQuery(valueQuery(chat.chat_id));
  const { loading, failed } = contentTexts;

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={loading} failed={failed} />;
  }
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Rules chat={chat} />
      </div>
      <div className={styles.column}>
        <NotesList chat={chat} />
      </div>
    </div>
  );
}

function Rules({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const [isOpen, setIsOpen] = useState(false);
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);
  const contentId = readValue(shown, 'rules_content');
  const contents = useContents(chatId, contentId === undefined ? [] : [contentId]);
  const { href: bot } = useBotLink();
  const copy = useCopyText();
  const link = bot && `${bot}?start=${rulesPayload(Number(chatId))}`;
  const set = (value: string | null) =>
    choose({ name: 'rules_content', value, text: valueLine('rules_content', value) });

  return (
    <Section heading={texts.heading} headingLevel={3} remark={texts.about}>
      {contentId === undefined ? (
        <Cell
          tone="accent"
          before={<ScrollText size={20} />}
          title={texts.write}
          subtitle={texts.none}
          onClick={() => setIsOpen(true)}
        />
      ) : (
        <Cell
          before={<ScrollText size={20} />}
          title={texts.text}
          subtitle={<ContentSummary body={contents[contentId]} />}
          onClick={() => setIsOpen(true)}
        />
      )}
      <SwitchCell
        title={texts.public}
        about={texts.publicAbout}
        isOn={readValue(shown, 'rules_public')}
        onChange={(value) => choose({ name: 'rules_public', value })}
      />
      {contentId !== undefined && link !== undefined && (
        <Cell
          title={texts.link}
          subtitle={<bdi dir="ltr">{link}</bdi>}
          after={<CopyButton label={texts.copyLink} copy={() => copy(link)} />}
        />
      )}
      {contentId !== undefined && (
        <Cell tone="danger" title={texts.remove} onClick={() => set(null)} />
      )}
      {isOpen && (
        <ContentEditor
          chat={chat}
          title={texts.heading}
          kind="rules"
          toName={() => 'rules_content'}
          contentId={contentId}
          fillings={['chatname', 'count']}
          onSave={({ contentId: saved }) => set(saved)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Section>
  );
}
