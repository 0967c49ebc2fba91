/** What can be done with one topic beyond its own settings; each is a button in the topic's row of deeds. */
import { Copy } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { Button } from '#ui/button';

import { chatTexts } from '../texts.ts';

const texts = chatTexts.settings;

const CopyDialog = lazy(() =>
  import('../copy/copy-dialog.tsx').then(({ CopyDialog: dialog }) => ({ default: dialog })),
);

type TopicToolsProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** What the topic is called. */
  readonly title: string;
};

/** Knows the chat from the cache when it is pressed: a prop would draw 500 topics again and again. */
export function TopicTools({ chatId, topicId, title }: TopicToolsProps) {
  const [isCopying, setIsCopying] = useState(false);
  return (
    <>
      <Button
        icon={<Copy aria-hidden size={18} />}
        aria-haspopup="dialog"
        aria-label={texts.copyFrom(title)}
        onClick={() => setIsCopying(true)}
      >
        {texts.copy}
      </Button>
      {isCopying && (
        <Suspense fallback={null}>
          <CopyDialog
            chatId={chatId}
            topicId={topicId}
            title={title}
            onClose={() => setIsCopying(false)}
          />
        </Suspense>
      )}
    </>
  );
}
