/** What can be done with all settings of a topic at once. */
import { TopicTools } from './topic-tools.tsx';

import styles from './settings.module.css';

type TopicActionsProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** What the topic is called. */
  readonly title: string;
};

export function TopicActions({ chatId, topicId, title }: TopicActionsProps) {
  return (
    <div className={styles.deeds}>
      <TopicTools chatId={chatId} topicId={topicId} title={title} />
    </div>
  );
}
