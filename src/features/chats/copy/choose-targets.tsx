/** The first half of copying: topics of this chat, and those of other chats. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';

import { type Chat } from '#contract/endpoints/chats';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';
import { SearchField } from '#ui/search-field';
import { Spinner } from '#ui/spinner';

import { chatQueries } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { OtherChat } from './other-chat.tsx';
import { type Targets } from './plan.ts';
import { copyTexts } from './texts.ts';
import { TopicBoxes } from './topic-boxes.tsx';
import { type useTargets } from './use-targets.ts';

import styles from './copy.module.css';

const texts = copyTexts.choose;
const none: ReadonlySet<string> = new Set();

/** How many other chats are offered at once: the search finds the rest. */
const mostChats = 50;

type ChooseTargetsProps = {
  readonly chat: Chat;
  /** The topic that is copied from. */
  readonly topicId: string;
  readonly targets: Targets;
  readonly onChoose: ReturnType<typeof useTargets>['choose'];
};

export function ChooseTargets({ chat, topicId, targets, onChoose }: ChooseTargetsProps) {
  const [term, setTerm] = useState('');
  // Typing stays quick with hundreds of topics: the list may follow a moment later.
  const wanted = useDeferredValue(term).trim().toLocaleLowerCase();
  const chooseIn = (chatId: string) => (topicIds: readonly string[], isChosen: boolean) =>
    onChoose({ chatId, topicIds, isChosen });

  return (
    <>
      <SearchField
        label={texts.search}
        clearLabel={texts.clearSearch}
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
        action={<Button onClick={() => void refetch()}>{copyTexts.retry}</Button>}
      >
        {texts.chatsFailed}
      </Notice>
    ) : (
      <Spinner label={texts.loadingChats} />
    );
  }
  const others = data.chats.filter(({ chat_id }) => chat_id !== without);
  const found = others.filter(
    (chat) =>
      targets.has(chat.chat_id) || chatTexts.chatTitle(chat).toLocaleLowerCase().includes(wanted),
  );
  if (found.length === 0) {
    return (
      <p className={styles.nothing}>
        {others.length === 0 ? texts.noChats : chatTexts.list.nothingFound}
      </p>
    );
  }
  return found
    .slice(0, mostChats)
    .map((chat) => (
      <OtherChat
        key={chat.chat_id}
        listed={chat}
        chosen={targets.get(chat.chat_id) ?? none}
        onChoose={chooseIn(chat.chat_id)}
      />
    ));
}
