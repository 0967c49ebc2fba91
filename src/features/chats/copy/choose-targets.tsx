/** The first step of copying: chooses topics of this chat and of other chats. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useLayoutEffect, useReducer, useRef, useState } from 'react';

import { type Chat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { getPlatform } from '#lib/platform';
import { toSearchable } from '#lib/search-term';
import { Button } from '#ui/button';
import { Disclosure } from '#ui/disclosure';
import { Notice } from '#ui/notice';
import { SearchField } from '#ui/search-field';
import { Spinner } from '#ui/spinner';

import { byTopicId, chatTitle, isTopicMeant, topicNumber, topicTitle } from '../names.ts';
import { NearView, toBlocks } from '../near-view.tsx';
import { chatQueries } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { type Targets } from './preview.tsx';
import { copyTexts } from './texts.ts';

import styles from './copy.module.css';

const texts = copyTexts.choose;
const none: ReadonlySet<string> = new Set();

/** How many other chats are shown at once: the search finds the rest. */
const maxChats = 50;

/** Rows that are rendered together: more than the list shows at once. */
const rowsPerBlock = 20;

type Choice = {
  readonly chatId: string;
  readonly topicIds: readonly string[];
  readonly isChosen: boolean;
};

/** Which topics of which chats are chosen. */
export function useTargets() {
  const [targets, choose] = useReducer(applyChoice, new Map());
  const count = [...targets.values()].reduce((sum, topics) => sum + topics.size, 0);
  return { targets, count, choose };
}

function applyChoice(targets: Targets, { chatId, topicIds, isChosen }: Choice): Targets {
  const topics = new Set(targets.get(chatId));
  for (const id of topicIds) {
    if (isChosen) {
      topics.add(id);
    } else {
      topics.delete(id);
    }
  }
  const others = [...targets].filter(([id]) => id !== chatId);
  return new Map(topics.size === 0 ? others : [...others, [chatId, topics]]);
}

type ChooseTargetsProps = {
  readonly chat: Chat;
  /** The source topic. */
  readonly topicId: string;
  readonly targets: Targets;
  readonly onChoose: (choice: Choice) => void;
};

export function ChooseTargets({ chat, topicId, targets, onChoose }: ChooseTargetsProps) {
  const [term, setTerm] = useState('');
  // Typing stays fast with hundreds of topics: the list may follow a moment later.
  const wanted = toSearchable(useDeferredValue(term).trim());
  const chooseIn = (chatId: string) => (topicIds: readonly string[], isChosen: boolean) =>
    onChoose({ chatId, topicIds, isChosen });

  return (
    <>
      <SearchField
        label={texts.search}
        clearLabel={chatTexts.clearSearch}
        value={term}
        onChange={setTerm}
      />
      <fieldset className={styles.targets} aria-label={texts.targets}>
        <h3 className={styles.part}>{texts.thisChat}</h3>
        <TopicBoxes
          chat={chat}
          without={topicId}
          wanted={wanted}
          chosen={targets.get(chat.chat_id) ?? none}
          onChoose={chooseIn(chat.chat_id)}
        />
        <h3 className={styles.part}>{texts.otherChats}</h3>
        <OtherChats without={chat.chat_id} wanted={wanted} targets={targets} chooseIn={chooseIn} />
      </fieldset>
    </>
  );
}

type OtherChatsProps = {
  readonly without: string;
  readonly wanted: string;
  readonly targets: Targets;
  readonly chooseIn: (chatId: string) => (topicIds: readonly string[], isChosen: boolean) => void;
};

function OtherChats({ without, wanted, targets, chooseIn }: OtherChatsProps) {
  const { data, error, isFetching, refetch } = useQuery({
    ...chatQueries.list(),
    refetchOnWindowFocus: false,
  });
  if (data === undefined) {
    return error && !isFetching ? (
      <Notice
        tone="error"
        action={<Button onClick={() => void refetch()}>{chatTexts.retry}</Button>}
      >
        {chatTexts.list.failed}
      </Notice>
    ) : (
      <Spinner label={chatTexts.list.loading} />
    );
  }
  const others = data.chats.filter(({ chat_id }) => chat_id !== without);
  const found = others.filter(
    (chat) => targets.has(chat.chat_id) || toSearchable(chatTitle(chat)).includes(wanted),
  );
  if (found.length === 0) {
    return (
      <p className={styles.nothing}>
        {others.length === 0 ? texts.noChats : chatTexts.list.nothingFound}
      </p>
    );
  }
  return found
    .slice(0, maxChats)
    .map((chat) => (
      <OtherChat
        key={chat.chat_id}
        listed={chat}
        chosen={targets.get(chat.chat_id) ?? none}
        onChoose={chooseIn(chat.chat_id)}
      />
    ));
}

type OtherChatProps = {
  readonly listed: Chat;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (topicIds: readonly string[], isChosen: boolean) => void;
};

/** The topics of the chat are read when it is opened. */
function OtherChat({ listed, chosen, onChoose }: OtherChatProps) {
  const [isOpen, setIsOpen] = useState(false);
  const {
    data: chat,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...chatQueries.one(listed.chat_id),
    enabled: isOpen,
    refetchOnWindowFocus: false,
  });

  return (
    <Disclosure
      id={`copy-to-${listed.chat_id}`}
      heading={chatTitle(listed)}
      remark={chosen.size === 0 ? '' : texts.chosenIn(chosen.size)}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      {chat ? (
        <TopicBoxes chat={chat} without={undefined} wanted="" chosen={chosen} onChoose={onChoose} />
      ) : error && !isFetching ? (
        <Notice
          tone="error"
          action={<Button onClick={() => void refetch()}>{chatTexts.retry}</Button>}
        >
          {errorText(error, texts.failed)}
        </Notice>
      ) : (
        <Spinner label={texts.loading} />
      )}
    </Disclosure>
  );
}

type TopicBoxesProps = {
  readonly chat: Chat;
  /** The source topic, if it is in this chat. */
  readonly without: string | undefined;
  /** The search term in lower case. */
  readonly wanted: string;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (topicIds: readonly string[], isChosen: boolean) => void;
};

/** One checkbox for each topic of a chat, and one for all of them. */
function TopicBoxes({ chat, without, wanted, chosen, onChoose }: TopicBoxesProps) {
  const all = Object.keys(chat.topics)
    .filter((id) => id !== without)
    .toSorted(byTopicId);
  const found = all.filter((id) => wanted === '' || isFound(chat, id, wanted));
  const title = chatTitle(chat);
  const count = found.filter((id) => chosen.has(id)).length;

  if (found.length === 0) {
    return (
      <p className={styles.nothing}>{all.length === 0 ? texts.noTopics : texts.nothingFound}</p>
    );
  }
  const allText = (found.length < all.length ? texts.allFound : texts.all)(found.length);
  return (
    <>
      {found.length > 1 && (
        <Box
          text={allText}
          label={texts.allIn(allText, title)}
          state={count === 0 ? 'off' : count === found.length ? 'on' : 'some'}
          isStrong
          onChange={(isChosen) => onChoose(found, isChosen)}
        />
      )}
      {toBlocks(found, rowsPerBlock).map((block, index) => (
        <NearView key={block[0]} isFirst={index === 0} counts={[block.length]}>
          {() =>
            block.map((id) => (
              <Box
                key={id}
                text={topicTitle(chat, id)}
                remark={topicNumber(chat, id)}
                label={texts.topicIn(topicTitle(chat, id), title)}
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
  /** Below the text. */
  readonly hint?: string | undefined;
  /** The accessible name, which names the chat, too. */
  readonly label: string;
  readonly state: 'on' | 'off' | 'some';
  readonly isStrong?: boolean;
  readonly onChange: (isChosen: boolean) => void;
};

export function Box({ text, remark, hint, label, state, isStrong = false, onChange }: BoxProps) {
  const hintId = useId();
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) {
      // HTML has no attribute for it.
      box.current.indeterminate = state === 'some';
    }
  }, [state]);

  return (
    <label className={isStrong ? `${styles.box} ${styles.all}` : styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : hintId}
        checked={state === 'on'}
        onChange={(event) => {
          getPlatform().haptic('light');
          onChange(event.target.checked);
        }}
      />
      <span className={styles.name}>
        <span dir="auto">{text}</span>
        {hint !== undefined && (
          <span id={hintId} className={styles.hint}>
            {hint}
          </span>
        )}
      </span>
      {remark !== undefined && <span className={styles.remark}>{remark}</span>}
    </label>
  );
}

function isFound(chat: Chat, id: string, wanted: string): boolean {
  return isTopicMeant(chat, id, wanted) || toSearchable(topicTitle(chat, id)).includes(wanted);
}
