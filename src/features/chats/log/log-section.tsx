/** The tab "Log and commands": the log channel, reports, how the bot answers, and commands for members. */
import { useQuery } from '@tanstack/react-query';

import { type LogCategory, logCategories, readValue } from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { Pending } from '../pending.tsx';
import { SwitchCell } from '../sections/switch-cell.tsx';
import { valueTexts } from '../value-texts.ts';
import { useShownValues, valueQuery } from '../value-writes.ts';
import { LogChannel } from './log-channel.tsx';
import { MemberCommands } from './member-commands.tsx';
import { logTexts as texts } from './texts.ts';

import styles from '../sections/sections.module.css';

const names = [
  'log_channel',
  'log_categories',
  'reports',
  'quiet_actions',
  'trust_anonymous',
] as const;

export function LogSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const query = useQuery(valueQuery(chatId));
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);
  const channel = readValue(shown, 'log_channel');

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <LogChannel chatId={chatId} channel={channel} />
        <Categories
          chosen={readValue(shown, 'log_categories')}
          hasChannel={channel !== undefined}
          onChoose={(value) => choose({ name: 'log_categories', value })}
        />
      </div>
      <div className={styles.column}>
        <Section heading={texts.reports.heading} headingLevel={3}>
          <SwitchCell
            title={texts.reports.title}
            about={texts.reports.about}
            isOn={readValue(shown, 'reports')}
            onChange={(value) => choose({ name: 'reports', value })}
          />
        </Section>
        <Section heading={texts.answers.heading} headingLevel={3}>
          <SwitchCell
            title={texts.answers.quiet}
            about={texts.answers.quietAbout}
            isOn={readValue(shown, 'quiet_actions')}
            onChange={(value) => choose({ name: 'quiet_actions', value })}
          />
          <SwitchCell
            title={texts.answers.trust}
            about={texts.answers.trustAbout}
            isOn={readValue(shown, 'trust_anonymous')}
            onChange={(value) => choose({ name: 'trust_anonymous', value })}
          />
        </Section>
        <MemberCommands chat={chat} />
      </div>
    </div>
  );
}

type CategoriesProps = {
  readonly chosen: readonly LogCategory[];
  readonly hasChannel: boolean;
  readonly onChoose: (chosen: readonly LogCategory[]) => void;
};

function Categories({ chosen, hasChannel, onChoose }: CategoriesProps) {
  return (
    <Section
      heading={texts.categories.heading}
      headingLevel={3}
      {...(!hasChannel && { remark: texts.categories.noChannel })}
    >
      {logCategories.map((category) => (
        <SwitchCell
          key={category}
          title={valueTexts.categories[category]}
          about={texts.categories.about[category]}
          isOn={chosen.includes(category)}
          isDisabled={!hasChannel}
          onChange={(isOn) =>
            onChoose(
              logCategories.filter((name) => (name === category ? isOn : chosen.includes(name))),
            )
          }
        />
      ))}
    </Section>
  );
}
