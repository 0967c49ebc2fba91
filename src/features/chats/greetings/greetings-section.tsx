/** The tab "Greetings": what the bot says to who joins and leaves, and which service messages it deletes. */
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText, RotateCcw } from 'lucide-react';
import { useState } from 'react';

import { defaultContentTexts } from '#contract/chats/content-texts';
import { type ContentBody } from '#contract/chats/contents';
import {
  readValue,
  type ServiceKind,
  serviceKinds,
  welcomeKeepLimits,
} from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { ContentEditor, ContentSummary } from '../editor/open-editor.tsx';
import { Pending } from '../pending.tsx';
import { valueLine } from '../value-lines.ts';
import { Choice, MissingRight, SwitchCell, TimeChoice } from '../value-rows.tsx';
import { useContents, useShownValues, valueQuery } from '../value-writes.ts';
import { greetingTexts as texts } from './texts.ts';

import styles from '../sections/sections.module.css';

const names = [
  'welcome',
  'welcome_content',
  'welcome_to',
  'welcome_keep',
  'goodbye',
  'goodbye_content',
  'clean_service',
] as const;

/** In seconds. */
const keepTimes = [60, 300, 900, 3600, 6 * 3600, 86_400] as const;

export function GreetingsSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const query = useQuery(valueQuery(chatId));
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  const { welcome, goodbye } = texts;
  const set = (name: (typeof names)[number], value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Section heading={welcome.heading} headingLevel={3}>
          <SwitchCell
            title={welcome.title}
            about={welcome.about}
            isOn={readValue(shown, 'welcome')}
            onChange={(value) => choose({ name: 'welcome', value })}
          />
          <GreetingText
            chat={chat}
            kind="welcome"
            contentId={readValue(shown, 'welcome_content')}
            onChoose={(value) => set('welcome_content', value)}
          />
          <Choice
            title={welcome.to}
            about={welcome.toAbout}
            choices={[
              ['everyone', welcome.toEveryone],
              ['newcomer', welcome.toNewcomer],
            ]}
            value={readValue(shown, 'welcome_to')}
            onChoose={(value) => set('welcome_to', value)}
          />
          <TimeChoice
            title={welcome.keep}
            about={welcome.keepAbout}
            times={keepTimes}
            others={[['off', welcome.never]]}
            typed={{ limits: welcomeKeepLimits }}
            value={readValue(shown, 'welcome_keep')}
            onChoose={(value) => set('welcome_keep', value)}
          />
        </Section>
      </div>
      <div className={styles.column}>
        <Section heading={goodbye.heading} headingLevel={3}>
          <SwitchCell
            title={goodbye.title}
            about={goodbye.about}
            isOn={readValue(shown, 'goodbye')}
            onChange={(value) => choose({ name: 'goodbye', value })}
          />
          <GreetingText
            chat={chat}
            kind="goodbye"
            contentId={readValue(shown, 'goodbye_content')}
            onChoose={(value) => set('goodbye_content', value)}
          />
        </Section>
        <ServiceMessages
          chatId={chatId}
          chosen={readValue(shown, 'clean_service')}
          onChoose={(value) => choose({ name: 'clean_service', value })}
        />
      </div>
    </div>
  );
}

type GreetingTextProps = {
  readonly chat: Chat;
  readonly kind: 'welcome' | 'goodbye';
  readonly contentId: string | undefined;
  /** Null for the bot's own text. */
  readonly onChoose: (contentId: string | null) => void;
};

/** The text of a greeting, which a press opens in the editor. */
function GreetingText({ chat, kind, contentId, onChoose }: GreetingTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  const contents = useContents(chat.chat_id, contentId === undefined ? [] : [contentId]);
  const usual: ContentBody = { text: defaultContentTexts[kind], entities: [], buttons: [] };
  const isOwn = contentId !== undefined;

  return (
    <>
      <Cell
        before={<MessageSquareText size={20} />}
        title={texts.text}
        subtitle={
          isOwn ? (
            <ContentSummary body={contents[contentId]} />
          ) : (
            <ContentSummary body={usual} remark={texts.usual} />
          )
        }
        onClick={() => setIsOpen(true)}
      />
      {isOwn && (
        <Cell
          tone="accent"
          before={<RotateCcw size={20} />}
          title={texts.backToUsual}
          onClick={() => onChoose(null)}
        />
      )}
      {isOpen && (
        <ContentEditor
          chat={chat}
          title={texts[kind].editor}
          kind={kind}
          toName={() => `${kind}_content`}
          contentId={contentId}
          beginning={usual}
          onSave={({ contentId: saved }) => onChoose(saved)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

type ServiceMessagesProps = {
  readonly chatId: string;
  readonly chosen: readonly ServiceKind[];
  readonly onChoose: (chosen: readonly ServiceKind[]) => void;
};

function ServiceMessages({ chatId, chosen, onChoose }: ServiceMessagesProps) {
  return (
    <Section heading={texts.service.heading} headingLevel={3} remark={texts.service.about}>
      <MissingRight chatId={chatId} right="delete" />
      <SwitchCell
        title={texts.service.all}
        isOn={chosen.length === serviceKinds.length}
        onChange={(isOn) => onChoose(isOn ? [...serviceKinds] : [])}
      />
      {serviceKinds.map((kind) => (
        <SwitchCell
          key={kind}
          title={texts.service.kinds[kind]}
          isOn={chosen.includes(kind)}
          onChange={(isOn) =>
            onChoose(serviceKinds.filter((name) => (name === kind ? isOn : chosen.includes(name))))
          }
        />
      ))}
    </Section>
  );
}
