/** Topics that the bot has heard of and that were not added: one press each. */
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';

import { type Chat } from '#contract/endpoints/chats';
import { Button } from '#ui/button';
import { SearchField } from '#ui/search-field';

import { chatTexts } from '../texts.ts';
import { isTopicMeant, topicNumber, topicTitle } from './topic-title.ts';

import styles from './known-topics.module.css';

const texts = chatTexts.addTopic;

/** More than this are found by their names. */
const mostShown = 50;
const manyTopics = 8;

/** The topics to offer, by number. */
export function knownTopics({ topics, topic_names }: Chat): readonly string[] {
  return Object.keys(topic_names)
    .filter((id) => id !== '0' && topics[id] === undefined)
    .toSorted((one, other) => Number(one) - Number(other));
}

type KnownTopicsProps = {
  readonly chat: Chat;
  readonly ids: readonly string[];
  /** The one that is being added; nothing else can be pressed meanwhile. */
  readonly adding: string | undefined;
  readonly onAdd: (topicId: string) => void;
};

export function KnownTopics({ chat, ids, adding, onAdd }: KnownTopicsProps) {
  const headingId = useId();
  const [term, setTerm] = useState('');
  const wanted = term.trim().toLocaleLowerCase();
  const found = ids.filter((id) => wanted === '' || isTopicMeant(chat, id, wanted));
  const rest = found.length - mostShown;

  return (
    <section className={styles.known} aria-labelledby={headingId}>
      <h3 id={headingId}>{texts.known}</h3>
      {ids.length > manyTopics && (
        <SearchField
          label={texts.find}
          clearLabel={texts.clearFind}
          value={term}
          onChange={setTerm}
        />
      )}
      <ul className={styles.topics} aria-labelledby={headingId}>
        {found.slice(0, mostShown).map((id) => (
          <li key={id}>
            <Button
              kind="quiet"
              isWide
              className={styles.topic}
              aria-label={texts.addKnown(topicTitle(chat, id), topicNumber(chat, id))}
              isBusy={adding === id}
              disabled={adding !== undefined}
              icon={<Plus aria-hidden size={18} />}
              onClick={() => onAdd(id)}
            >
              <span className={styles.name} dir="auto">
                {topicTitle(chat, id)}
              </span>
              <span className={styles.number}>{topicNumber(chat, id)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <output className={styles.remark}>
        {found.length === 0 && texts.nothingKnown}
        {rest > 0 && texts.moreKnown(rest)}
      </output>
    </section>
  );
}
