/** Computes what copying changes in the values of a chat: those of the whole chat, and those of its topics. */
import { type QueryClient } from '@tanstack/react-query';

import { listContents, readListedName, wholeChat } from '#contract/chats/values';
import { type StoredValues } from '#contract/endpoints/chat-values';

import { byTopicId } from '../names.ts';
import { byValueName } from '../value-lines.ts';
import { isSame, readContents, readShown, valueQuery } from '../value-writes.ts';

/** What is copied besides the settings of a topic. */
export type Extras = {
  /** The values of the whole chat, to other chats. */
  readonly ofChat: boolean;
  /** The values of the topic, to other topics: commands that are switched off, blocked words, answers. */
  readonly ofTopic: boolean;
};

export type ValueDifference = {
  /** `chat`, or a topic of the target. */
  readonly place: string;
  readonly name: string;
  /** Null where nothing is stored in the source. */
  readonly becomes: unknown;
};

/** A channel belongs to one group, what goes on there for a time to no other, and the owner of each allows what is for adults. */
const notCopied: ReadonlySet<string> = new Set([
  'log_channel',
  'attack',
  'raid_until',
  'adult_mode',
]);

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
        // The same content has another ID in each chat.
        return !isSame(
          readSaid(client, target.chatId, { name, value: now }),
          readSaid(client, source.chatId, { name, value: becomes }),
        );
      });
  };
  const isOther = target.chatId !== source.chatId;
  return [
    ...(extras.ofChat && isOther
      ? differ(wholeChat, wholeChat, (name) => !notCopied.has(name))
      : []),
    ...(extras.ofTopic
      ? [...target.topics]
          .toSorted(byTopicId)
          .flatMap((place) =>
            differ(source.topicId, place, (name) => readListedName(name) !== undefined),
          )
      : []),
  ];
}

type NamedValue = { readonly name: string; readonly value: unknown };

/** A value with what its content says in the place of the content's ID. */
function readSaid(client: QueryClient, chatId: string, { name, value }: NamedValue): unknown {
  const [id] = listContents(name, value);
  const body = id === undefined ? undefined : readContents(client, chatId)[id];
  if (body === undefined) {
    return value;
  }
  return typeof value === 'object' ? { ...value, content: JSON.stringify(body) } : body;
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
