/** Computes what copying changes in the values of a chat: its rules, and commands that are switched off in topics. */
import { type QueryClient } from '@tanstack/react-query';

import { wholeChat } from '#contract/chats/values';
import { type StoredValues } from '#contract/endpoints/chat-values';

import { byTopicId } from '../names.ts';
import { byValueName, switchedCommand } from '../value-lines.ts';
import { isSame, readShown, valueQuery } from '../value-writes.ts';

/** What is copied besides the settings of a topic. */
export type Extras = {
  /** Warnings, log and commands of the whole chat, to other chats. */
  readonly rules: boolean;
  /** The commands that are switched off in the topic, to other topics. */
  readonly commands: boolean;
};

export type ValueDifference = {
  /** `chat`, or a topic of the target. */
  readonly place: string;
  readonly name: string;
  /** Null where nothing is stored in the source. */
  readonly becomes: unknown;
};

/** A channel belongs to one group. */
const notCopied = 'log_channel';

type Source = { readonly chatId: string; readonly topicId: string };

type Target = {
  readonly chatId: string;
  /** The chosen topics. */
  readonly topics: ReadonlySet<string>;
};

type PlanOptions = { readonly source: Source; readonly target: Target; readonly extras: Extras };

/** Compares the values of both chats, which have to be in the cache, as they are shown. */
export function planValues(
  client: QueryClient,
  { source, target, extras }: PlanOptions,
): readonly ValueDifference[] {
  const differ = (from: string, place: string, isCopied: (name: string) => boolean) => {
    const there = namesIn(client, target.chatId, place);
    const names = [...new Set([...namesIn(client, source.chatId, from), ...there])];
    return names
      .filter(isCopied)
      .toSorted(byValueName)
      .map((name) => ({
        place,
        name,
        becomes: readShown(client, source.chatId, { place: from, name }),
      }))
      .filter(({ name, becomes }) => {
        const now = readShown(client, target.chatId, { place, name });
        return !isSame(now, becomes);
      });
  };
  const isOther = target.chatId !== source.chatId;
  return [
    ...(extras.rules && isOther ? differ(wholeChat, wholeChat, (name) => name !== notCopied) : []),
    ...(extras.commands
      ? [...target.topics]
          .toSorted(byTopicId)
          .flatMap((place) =>
            differ(source.topicId, place, (name) => switchedCommand(name) !== undefined),
          )
      : []),
  ];
}

function namesIn(client: QueryClient, chatId: string, place: string): readonly string[] {
  return Object.keys(client.getQueryData(valueQuery(chatId).queryKey)?.[place] ?? {});
}

/** As the server takes them. */
export function toValues(differences: readonly ValueDifference[]): StoredValues {
  const values: StoredValues = {};
  for (const { place, name, becomes } of differences) {
    values[place] = { ...values[place], [name]: becomes };
  }
  return values;
}
