/** Lists of a chat and of its topics, such as the blocklist, in the form in which messages are compared with them. */
import { type StoredChatValues, wholeChatId } from '#server/db/chat-values';
import { createBoundedMap } from '#server/lib/memory-cache';

/** Lists that are compiled, by what is in them. */
const maxLists = 2000;

type Values = readonly (readonly [name: string, value: unknown])[];

/**
 * Returns a function that compiles the list that counts in a topic: that of the whole chat with its own. It is compiled
 * once while nothing in it has changed, also where the values of the chat are read anew for each message.
 */
export function createLists<List>(
  isOfList: (name: string) => boolean,
  compileList: (values: Values) => List,
): (stored: StoredChatValues, chatId: number, topicId: number) => List {
  const byValues = new WeakMap<StoredChatValues, Map<number, List>>();
  const byContent = createBoundedMap<string, List>(maxLists);

  function compile(stored: StoredChatValues, chatId: number, place: number): List {
    const own = place === wholeChatId ? [] : (stored.get(place) ?? []);
    const values = [...(stored.get(wholeChatId) ?? []), ...own].filter(([name]) => isOfList(name));
    const content = `${chatId} ${JSON.stringify(values)}`;
    const list = byContent.get(content) ?? compileList(values);
    byContent.set(content, list);
    return list;
  }

  return (stored, chatId, topicId) => {
    // A topic without values of its own has the list of the chat.
    const place = stored.has(topicId) ? topicId : wholeChatId;
    const lists = byValues.get(stored) ?? new Map<number, List>();
    byValues.set(stored, lists);
    const list = lists.get(place) ?? compile(stored, chatId, place);
    lists.set(place, list);
    return list;
  };
}
