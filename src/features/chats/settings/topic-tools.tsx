/** What can be done with one topic beyond its own settings; each is a button in the topic's row of deeds. */
type TopicToolsProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** What the topic is called. */
  readonly title: string;
};

/** Knows the chat from the cache when it is pressed: a prop would draw 500 topics again and again. */
export function TopicTools(_props: TopicToolsProps) {
  return null;
}
