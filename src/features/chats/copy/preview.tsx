/** The second half of copying: what will change in each topic, and afterwards what became of it. */
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type Ref } from 'react';

import { settingLabel } from '#contract/chats/message-types';

import { NearView } from '../near-view.tsx';
import { type ChatPlan, countOf, type TopicPlan } from './plan.ts';
import { copyTexts } from './texts.ts';

import styles from './copy.module.css';

const texts = copyTexts.preview;

/** Rows that are drawn together: more than the list shows at once. */
const rowsPerBlock = 20;

/** What became of the change to one chat: how much has changed, or why nothing did. */
export type Outcome =
  | { readonly state: 'done'; readonly count: number }
  | { readonly state: 'failed'; readonly reason: string };

type PreviewProps = {
  /** How much will change; it can take the focus. */
  readonly summary: Ref<HTMLOutputElement>;
  readonly plans: readonly ChatPlan[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
};

export function Preview({ summary, plans, outcomes }: PreviewProps) {
  const count = plans.reduce((sum, plan) => sum + countOf(plan), 0);
  const topics = plans.reduce((sum, plan) => sum + plan.topics.length, 0);
  return (
    <>
      <output ref={summary} tabIndex={-1} className={styles.summary}>
        {count === 0 ? texts.nothing : texts.summary(count, topics)}
      </output>
      <div className={styles.targets}>
        {plans.map((plan) => (
          <section key={plan.chatId} aria-label={plan.title}>
            <h3 className={styles.part} dir="auto">
              {plan.title}
            </h3>
            <Said outcome={outcomes.get(plan.chatId)} />
            {blocksOf(plan.topics).map((block, index) => (
              <NearView key={block[0]?.topicId} isFirst={index === 0} counts={[block.length]}>
                {() => block.map(Differences)}
              </NearView>
            ))}
            {plan.unchanged > 0 && (
              <p className={styles.nothing}>{texts.unchanged(plan.unchanged)}</p>
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function Differences({ topicId, title, differences }: TopicPlan) {
  const word = (isBlocked: boolean) => (isBlocked ? texts.blocked : texts.allowed);
  return (
    <details key={topicId} className={styles.topic}>
      <summary>{texts.topic(title, differences.length)}</summary>
      <ul>
        {differences.map(({ name, becomes }) => (
          <li key={name}>{texts.difference(settingLabel(name), word(!becomes), word(becomes))}</li>
        ))}
      </ul>
    </details>
  );
}

function Said({ outcome }: { readonly outcome: Outcome | undefined }) {
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

function blocksOf(topics: readonly TopicPlan[]): readonly (readonly TopicPlan[])[] {
  return Array.from({ length: Math.ceil(topics.length / rowsPerBlock) }, (_block, index) =>
    topics.slice(index * rowsPerBlock, (index + 1) * rowsPerBlock),
  );
}
