/** The texts of copying a topic's settings to other topics and chats. */
import { countTexts } from '../texts.ts';

export const copyTexts = {
  heading: (topic: string) => `Copy the settings of ${topic}`,
  close: 'Close',
  back: 'Back',

  choose: {
    search: 'Search topics and chats...',
    thisChat: 'This chat',
    otherChats: 'Other chats',
    targets: 'Where to copy to',
    all: (count: number) => `All topics (${count})`,
    allFound: (count: number) => `All topics found (${count})`,
    /** The checkbox's accessible name: every chat has this box. */
    allIn: (text: string, chat: string) => `${text}, ${chat}`,
    topicIn: (topic: string, chat: string) => `${topic}, ${chat}`,
    noTopics: 'This chat has no other topics.',
    nothingFound: 'No topics found matching your search',
    noChats: 'You manage no other chats.',
    loading: 'Loading the topics...',
    failed: 'The topics could not be loaded.',
    chosenIn: (count: number) => `${count} chosen`,
    chosen: (count: number) => `${countTexts.topics(count)} chosen`,
    noneChosen: 'Nothing chosen yet',
    next: 'Preview',
    readFailed: 'Not all chosen chats could be read. Please try again.',
    /** What is copied besides the settings of the topic. */
    extras: 'What else to copy',
    ofChat: 'Settings of the whole chat',
    ofChatHint:
      'What the other tabs have, for other chats. Each keeps its own log channel and its own “Under attack”.',
    ofTopic: (topic: string) => `Commands, blocked words and answers of ${topic}`,
  },

  preview: {
    /** `topics` says how many there are. */
    summary: (count: number, topics: string) => `${countTexts.changes(count)} in ${topics}`,
    /** The values that belong to a whole chat, and those of a topic. */
    ofChat: (count: number) => `The whole chat: ${countTexts.changes(count)}`,
    ofTopic: (topic: string, count: number) =>
      `${topic}, commands and words: ${countTexts.changes(count)}`,
    nothing: 'Nothing to change: the settings are the same everywhere you chose.',
    topic: (topic: string, count: number) => `${topic}: ${countTexts.changes(count)}`,
    unchanged: (count: number) =>
      `${countTexts.topics(count)} ${count === 1 ? 'has' : 'have'} the same settings already.`,
    difference: (label: string, was: string, becomes: string) => `${label}: ${was} → ${becomes}`,
    apply: (count: number) => `Change ${countTexts.settings(count)}`,
    done: (count: number) => `Copied: ${countTexts.settings(count)} changed.`,
    alreadySo: 'Nothing had to change any more.',
    failed: 'Could not be copied. Please try again.',
    someFailed: 'Not everything could be copied. What worked stays; try the rest again.',
  },

  /** In the notice after all was copied. */
  copied: (topic: string, count: number) =>
    `${topic} copied: ${countTexts.settings(count)} changed.`,
} as const;
