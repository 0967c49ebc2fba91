/** What can be done with all settings of a topic at once. */
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';

import { Button } from '#ui/button';

import { presetTexts as texts } from './care-texts.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { TopicTools } from './topic-tools.tsx';

import styles from './settings.module.css';

type TopicActionsProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** What the topic is called. */
  readonly title: string;
};

export function TopicActions({ chatId, topicId, title }: TopicActionsProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <div className={styles.deeds}>
      <Button
        icon={<SlidersHorizontal aria-hidden size={18} />}
        aria-haspopup="dialog"
        aria-label={texts.openFor(title)}
        onClick={() => setIsChoosing(true)}
      >
        {texts.open}
      </Button>
      <TopicTools chatId={chatId} topicId={topicId} title={title} />
      {isChoosing && (
        <PresetDialog
          chatId={chatId}
          topicId={topicId}
          topic={title}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}
