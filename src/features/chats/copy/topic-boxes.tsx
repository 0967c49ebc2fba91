/** The topics of one chat to choose from, and one box for all of them. */
import { useLayoutEffect, useRef } from 'react';

import { type Chat } from '#contract/endpoints/chats';
import { getPlatform } from '#lib/platform';

import { NearView } from '../near-view.tsx';
import { isTopicMeant, topicNumber, topicTitle } from '../settings/topic-title.ts';
import { chatTexts } from '../texts.ts';
import { copyTexts } from './texts.ts';

import styles from './copy.module.css';

const texts = copyTexts.choose;

/** Rows that are drawn together: more than the list shows at once. */
const rowsPerBlock = 20;

type TopicBoxesProps = {
  readonly chat: Chat;
  /** The topic that is copied from, when it is one of this chat's. */
  readonly without: string | undefined;
  /** In lower case. */
  readonly wanted: string;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (topicIds: readonly string[], isChosen: boolean) => void;
};

export function TopicBoxes({ chat, without, wanted, chosen, onChoose }: TopicBoxesProps) {
  const all = Object.keys(chat.topics)
    .filter((id) => id !== without)
    .toSorted((one, other) => Number(one) - Number(other));
  const found = all.filter((id) => wanted === '' || isFound(chat, id, wanted));
  const title = chatTexts.chatTitle(chat);
  const count = found.filter((id) => chosen.has(id)).length;

  if (found.length === 0) {
    return (
      <p className={styles.nothing}>{all.length === 0 ? texts.noTopics : texts.nothingFound}</p>
    );
  }
  const allText = texts.all(found.length, found.length < all.length);
  return (
    <>
      {found.length > 1 && (
        <Box
          text={allText}
          label={texts.allOf(allText, title)}
          state={count === 0 ? 'off' : count === found.length ? 'on' : 'some'}
          isStrong
          onChange={(isChosen) => onChoose(found, isChosen)}
        />
      )}
      {blocksOf(found).map((block, index) => (
        <NearView key={block[0]} isFirst={index === 0} counts={[block.length]}>
          {() =>
            block.map((id) => (
              <Box
                key={id}
                text={topicTitle(chat, id)}
                remark={topicNumber(chat, id)}
                label={texts.topicOf(topicTitle(chat, id), title)}
                state={chosen.has(id) ? 'on' : 'off'}
                onChange={(isChosen) => onChoose([id], isChosen)}
              />
            ))
          }
        </NearView>
      ))}
    </>
  );
}

type BoxProps = {
  readonly text: string;
  readonly remark?: string | undefined;
  /** The name of the box for whoever does not see what stands around it. */
  readonly label: string;
  readonly state: 'on' | 'off' | 'some';
  readonly isStrong?: boolean;
  readonly onChange: (isChosen: boolean) => void;
};

function Box({ text, remark, label, state, isStrong = false, onChange }: BoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) {
      // There is no attribute for it.
      box.current.indeterminate = state === 'some';
    }
  }, [state]);

  return (
    <label className={isStrong ? `${styles.box} ${styles.all}` : styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={state === 'on'}
        onChange={(event) => {
          getPlatform().haptic('light');
          onChange(event.target.checked);
        }}
      />
      <span className={styles.name} dir="auto">
        {text}
      </span>
      {remark !== undefined && <span className={styles.remark}>{remark}</span>}
    </label>
  );
}

function isFound(chat: Chat, id: string, wanted: string): boolean {
  return (
    isTopicMeant(chat, id, wanted) || topicTitle(chat, id).toLocaleLowerCase().includes(wanted)
  );
}

function blocksOf(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / rowsPerBlock) }, (_block, index) =>
    ids.slice(index * rowsPerBlock, (index + 1) * rowsPerBlock),
  );
}
