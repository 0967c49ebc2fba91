/** Another chat to copy to: its topics are read when somebody opens it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { type Chat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { Button } from '#ui/button';
import { Disclosure } from '#ui/disclosure';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { chatQueries } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { copyTexts } from './texts.ts';
import { TopicBoxes } from './topic-boxes.tsx';

const texts = copyTexts.choose;

type OtherChatProps = {
  /** As it is in the list of chats. */
  readonly listed: Chat;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (topicIds: readonly string[], isChosen: boolean) => void;
};

export function OtherChat({ listed, chosen, onChoose }: OtherChatProps) {
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
      heading={chatTexts.chatTitle(listed)}
      remark={texts.chosenIn(chosen.size)}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      {chat ? (
        <TopicBoxes chat={chat} without={undefined} wanted="" chosen={chosen} onChoose={onChoose} />
      ) : error && !isFetching ? (
        <Notice
          tone="error"
          action={<Button onClick={() => void refetch()}>{copyTexts.retry}</Button>}
        >
          {errorText(error, texts.failed)}
        </Notice>
      ) : (
        <Spinner label={texts.loading} />
      )}
    </Disclosure>
  );
}
