/** The tabs of a chat's settings, where the server has more than locks. */
import { type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';

import type { chatContents } from '#contract/endpoints/chat-contents';
import type { chatModeration } from '#contract/endpoints/chat-members';
import type { chatValues } from '#contract/endpoints/chat-values';
import { useCapabilities } from '#lib/capabilities';
import { type ChatSection, chatSections, dashboardPaths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Tabs } from '#ui/tabs';

import { chatTexts } from '../texts.ts';

import styles from './section-tabs.module.css';

const texts = chatTexts.settings;

type Sections = {
  readonly all: readonly ChatSection[];
  readonly hasTabs: boolean;
  /** What is shown; undefined until it is known whether the server has what the address names. */
  readonly current: ChatSection | undefined;
};

/** Only their types are imported: the endpoints are loaded with the tabs that call them. */
const values: typeof chatValues = 'chats.values';
const moderation: typeof chatModeration = 'chats.moderation';
const contents: typeof chatContents = 'chats.contents';

/** The tabs that the server offers. `wanted` is the one in the address. */
export function useSections(wanted: ChatSection): Sections {
  const { has, isKnown } = useCapabilities();
  const offered: Readonly<Record<ChatSection, boolean>> = {
    locks: true,
    moderation: has(values) === true || has(moderation) === true,
    joining: has(values) === true,
    greetings: has(contents) === true,
    automatic: has(values) === true,
    content: has(contents) === true,
    log: has(values) === true,
  };
  const all = chatSections.filter((section) => offered[section]);
  return {
    all,
    hasTabs: all.length > 1,
    current: all.includes(wanted) ? wanted : isKnown ? 'locks' : undefined,
  };
}

type SectionTabsProps = {
  readonly chatId: string;
  readonly topicId: string | undefined;
  readonly sections: Sections;
  readonly onChoose: () => void;
};

export function SectionTabs({ chatId, topicId, sections, onChoose }: SectionTabsProps) {
  const navigate = useNavigate();
  const platform = usePlatform();
  const { all, current = 'locks' } = sections;

  return (
    <div className={current === 'locks' ? `${styles.tabs} ${styles.withSearch}` : styles.tabs}>
      <Tabs
        name="section"
        label={texts.sections}
        tabs={all.map((id) => ({ id, label: texts.section[id] }))}
        selected={current}
        onSelect={(id) => {
          if (id !== current) {
            platform.haptic('selection');
            onChoose();
            // Replaced: Back leads out of the chat, not through its tabs.
            void navigate(dashboardPaths.section(chatId, id, topicId), { replace: true });
          }
        }}
      />
    </div>
  );
}

type SectionPanelProps = {
  readonly sections: Sections;
  readonly className: string | undefined;
  readonly children: ReactNode;
};

/** The content of the selected tab. The element stays when the tabs appear, which may be later than the content. */
export function SectionPanel({ sections, className, children }: SectionPanelProps) {
  const tab = { role: 'tabpanel', 'aria-labelledby': `section-${sections.current ?? 'locks'}` };
  return (
    <div id="section-panel" className={className} {...(sections.hasTabs && tab)}>
      {children}
    </div>
  );
}
