/** The second step of copying: computes and shows what will change in each topic, later the outcome. */
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type Ref } from 'react';

import { moreSettingNames, settingLabel } from '#contract/chats/message-types';
import { wholeChat } from '#contract/chats/values';
import { type Chat, type Settings } from '#contract/endpoints/chats';

import { byTopicId, chatTitle, topicTitle } from '../names.ts';
import { NearView, toBlocks } from '../near-view.tsx';
import { toListOrder } from '../setting-order.ts';
import { chatTexts, countTexts } from '../texts.ts';
import { valueLine } from '../value-lines.ts';
import { type ValueDifference } from './plan-values.ts';
import { copyTexts } from './texts.ts';

import styles from './copy.module.css';

const texts = copyTexts.preview;

/** Rows that are rendered together: more than the list shows at once. */
const rowsPerBlock = 20;

/** Chat → the topics that are chosen in it. */
export type Targets = ReadonlyMap<string, ReadonlySet<string>>;

type TopicPlan = {
  readonly topicId: string;
  readonly title: string;
  /** The settings that differ from the source topic, with the values that they get. */
  readonly differences: readonly { readonly name: string; readonly becomes: boolean }[];
};

export type ChatPlan = {
  readonly chatId: string;
  readonly title: string;
  /** The topics in which a setting changes, by number. */
  readonly topics: readonly TopicPlan[];
  /** How many of the chosen topics have the same settings already. */
  readonly unchanged: number;
  /** The values that differ, those of a place one after the other. */
  readonly values: readonly (ValueDifference & { readonly title: string })[];
};

type Source = {
  /** The settings of the source topic. */
  readonly settings: Settings;
  readonly values: readonly ValueDifference[];
};

/** Compares the chosen topics of a chat with the settings of the source topic. */
export function planCopy(
  chat: Chat,
  chosen: ReadonlySet<string>,
  { settings, values }: Source,
): ChatPlan {
  const topics = [...chosen].toSorted(byTopicId).map((topicId) => ({
    topicId,
    title: topicTitle(chat, topicId),
    differences: getDifferences(settings, chat.topics[topicId] ?? {}),
  }));
  const changed = topics.filter(({ differences }) => differences.length > 0);
  return {
    chatId: chat.chat_id,
    title: chatTitle(chat),
    topics: changed,
    unchanged: topics.length - changed.length,
    values: values.map((value) => ({
      ...value,
      title: value.place === wholeChat ? '' : topicTitle(chat, value.place),
    })),
  };
}

/** How many settings and values the plans change together. */
export function countDifferences(plans: readonly ChatPlan[]): number {
  return plans
    .flatMap(({ topics, values }) => [...topics.map(({ differences }) => differences), values])
    .reduce((sum, { length }) => sum + length, 0);
}

/**
 * A setting without a value is allowed. Those beyond the specification may be without one in the source and
 * not in the target, whose server then knows them.
 */
function getDifferences(source: Settings, target: Settings) {
  const more = moreSettingNames.filter((name) => name in target && !(name in source));
  return toListOrder([...Object.keys(source), ...more])
    .map((name) => ({ name, becomes: source[name] ?? false }))
    .filter(({ name, becomes }) => becomes !== (target[name] ?? false));
}

/** The outcome for one chat: how many settings have changed, or why none did. */
export type Outcome =
  | { readonly state: 'done'; readonly count: number }
  | { readonly state: 'failed'; readonly reason: string };

type PreviewProps = {
  /** The line that says how much will change; it can take the focus. */
  readonly summary: Ref<HTMLOutputElement>;
  readonly plans: readonly ChatPlan[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
};

export function Preview({ summary, plans, outcomes }: PreviewProps) {
  const count = countDifferences(plans);
  return (
    <>
      <output ref={summary} tabIndex={-1} className={styles.summary}>
        {count === 0 ? texts.nothing : summarize(plans, count)}
      </output>
      <div className={styles.targets}>
        {plans.map((plan) => (
          <section key={plan.chatId} aria-label={plan.title}>
            <h3 className={styles.part} dir="auto">
              {plan.title}
            </h3>
            <OutcomeLine outcome={outcomes.get(plan.chatId)} />
            {toBlocks(plan.topics, rowsPerBlock).map((block, index) => (
              <NearView key={block[0]?.topicId} isFirst={index === 0} counts={[block.length]}>
                {() => block.map(Differences)}
              </NearView>
            ))}
            {groupByPlace(plan.values).map(ValueDifferences)}
            {plan.unchanged > 0 && (
              <p className={styles.nothing}>{texts.unchanged(plan.unchanged)}</p>
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function summarize(plans: readonly ChatPlan[], count: number): string {
  const topics = plans.reduce((sum, plan) => sum + plan.topics.length, 0);
  return plans.some(({ values }) => values.length > 0)
    ? countTexts.changes(count)
    : texts.summary(count, countTexts.topics(topics));
}

type PlaceValues = { readonly place: string; readonly values: ChatPlan['values'] };

function groupByPlace(values: ChatPlan['values']): readonly PlaceValues[] {
  return [...new Set(values.map(({ place }) => place))].map((place) => ({
    place,
    values: values.filter((value) => value.place === place),
  }));
}

function ValueDifferences({ place, values }: PlaceValues) {
  return (
    <details key={place} className={styles.topic}>
      <summary>
        {place === wholeChat
          ? texts.ofChat(values.length)
          : texts.ofTopic(values[0]?.title ?? '', values.length)}
      </summary>
      <ul>
        {values.map(({ name, becomes }) => (
          <li key={name}>{valueLine(name, becomes)}</li>
        ))}
      </ul>
    </details>
  );
}

function toState(isBlocked: boolean): string {
  return isBlocked ? chatTexts.settings.blocked : chatTexts.settings.allowed;
}

function Differences({ topicId, title, differences }: TopicPlan) {
  return (
    <details key={topicId} className={styles.topic}>
      <summary>{texts.topic(title, differences.length)}</summary>
      <ul>
        {differences.map(({ name, becomes }) => (
          <li key={name}>
            {texts.difference(settingLabel(name), toState(!becomes), toState(becomes))}
          </li>
        ))}
      </ul>
    </details>
  );
}

function OutcomeLine({ outcome }: { readonly outcome: Outcome | undefined }) {
  if (outcome === undefined) {
    return null;
  }
  return outcome.state === 'done' ? (
    <p className={styles.done}>
      <CircleCheck aria-hidden size={18} />
      {outcome.count === 0 ? texts.alreadySo : texts.done(outcome.count)}
    </p>
  ) : (
    <p className={styles.failed}>
      <CircleAlert aria-hidden size={18} />
      {outcome.reason}
    </p>
  );
}
