/** Changes to a chat's settings and their history, as tests ask for them and read them. */
import * as v from 'valibot';

import { changeSettings, listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { readChat, setSetting } from '#contract/endpoints/chats';

import { chatId, chatIn, type SignedIn } from './chats.ts';
import { type Reply, type TestServer } from './test-server.ts';

type Topics = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/** What somebody does to `chatId` on the server. */
export function acting(server: TestServer, person: SignedIn) {
  const good = (reply: Reply): unknown => {
    if (reply.status !== 200) {
      throw new Error(`Refused: ${JSON.stringify(reply.body)}`);
    }
    return reply.body;
  };
  return {
    change: async (topics: Topics) =>
      v.parse(
        changeSettings.output,
        good(await server.call(changeSettings, { chat_id: chatId, kind: 'bulk', topics }, person)),
      ).change,

    toggle: async (setting_name: string, value: boolean) =>
      good(
        await server.call(
          setSetting,
          { chat_id: chatId, topic_id: '0', setting_name, value },
          person,
        ),
      ),

    takeBack: async (change_id: string, kind: 'undo' | 'revert' = 'undo') =>
      v.parse(
        revertChange.output,
        good(await server.call(revertChange, { chat_id: chatId, change_id, kind }, person)),
      ),

    history: async (before?: string) =>
      v.parse(
        listChanges.output,
        good(
          await server.call(
            listChanges,
            { chat_id: chatId, ...(before === undefined ? {} : { before }) },
            person,
          ),
        ),
      ),

    /** Topic → what it blocks. */
    blocked: async () => {
      const { topics } = chatIn(await server.call(readChat, { chat_id: chatId }, person));
      return Object.fromEntries(
        Object.entries(topics).map(([topicId, settings]) => [
          topicId,
          Object.keys(settings).filter((name) => settings[name] === true),
        ]),
      );
    },
  };
}
