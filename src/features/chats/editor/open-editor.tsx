/** Opens the editor of a content, which is loaded on demand; and says in one line what a content is. */
import { lazy, type ReactNode, Suspense } from 'react';

import { type ContentBody } from '#contract/chats/contents';
import { useCapabilities } from '#lib/capabilities';

import { useContents } from '../value-writes.ts';
import { summaryTexts as texts } from './summary-texts.ts';
import { type ContentEditorProps } from './writing.ts';

import styles from '../sections/sections.module.css';

const Editor = lazy(() =>
  import('./content-editor.tsx').then(({ ContentEditor: part }) => ({ default: part })),
);

/** The editor in a dialog, as long as it is rendered. */
export function ContentEditor(props: ContentEditorProps) {
  const { chat, contentId } = props;
  const contents = useContents(chat.chat_id, contentId === undefined ? [] : [contentId]);
  if (contentId !== undefined && contents[contentId] === undefined) {
    // It would begin with an empty text.
    return null;
  }
  return (
    <Suspense fallback={null}>
      <Editor {...props} />
    </Suspense>
  );
}

/** More than a row shows. */
const maxLineLength = 140;

type SummaryProps = {
  /** Undefined while it is not known yet. */
  readonly body: ContentBody | undefined;
  /** What else is said, such as whom it is for. */
  readonly remark?: ReactNode;
};

/** The beginning of the text, and what stands above and below it. */
export function ContentSummary({ body, remark }: SummaryProps) {
  const { botId } = useCapabilities();
  if (body === undefined) {
    return texts.loading;
  }
  const { text, media, buttons } = body;
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, maxLineLength).toWellFormed();
  const count = buttons.flat().length;
  const parts = [
    media && texts.kinds[media.kind],
    count > 0 && texts.buttons(count),
    remark,
  ].filter((part) => part !== false && part !== undefined && part !== '');
  return (
    <>
      {line !== '' && (
        <bdi className={styles.oneLine} dir="auto">
          {line}
        </bdi>
      )}
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- A part has no other identity than its position.
        <span key={index} className={styles.part}>
          {part}
        </span>
      ))}
      {media && botId !== undefined && media.bot_id !== botId && (
        <span className={styles.refusal}>{texts.lost}</span>
      )}
    </>
  );
}
