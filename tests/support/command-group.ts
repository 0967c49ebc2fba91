/** A group whose administrators and members give the bot commands, and what they are answered. */
import { onTestFinished } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';

import { type BotApi, startBotApi } from './bot-api-server.ts';
import { writtenMessage } from './bot-api-world.ts';
import { groupId, startBot, type TestBot } from './test-bot.ts';
import { createTestServer, type TestServer } from './test-server.ts';

/** Olga owns the group, Bo and Cy are administrators, Ann and Dan members. */
export const [olga, bo, cy, ann, dan] = [111_111, 222_222, 333_333, 444_444, 555_555];
const people = [
  { id: olga, first_name: 'Olga' },
  { id: bo, first_name: 'Bo', username: 'bo_otter' },
  { id: cy, first_name: 'Cy' },
  { id: ann, first_name: 'Ann', username: 'ann_otter' },
  { id: dan, first_name: 'Dan' },
];

type Fields = Readonly<Record<string, unknown>>;

/** In whose name all anonymous administrators of the group write. */
export const anonymous: Fields = {
  from: { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' },
  sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' },
};

export const channelId = -1_009_000_000_001;

export const asChannel: Fields = {
  from: { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' },
  sender_chat: { id: channelId, type: 'channel', title: 'News' },
};

export const personWith = (id: number) => ({
  is_bot: false,
  ...(people.find((one) => one.id === id) ?? { id, first_name: `Person ${id}` }),
});

type Options = Parameters<typeof startBot>[0] & {
  readonly group?: Partial<Parameters<BotApi['addChat']>[0]>;
};

type Saying = {
  /** Whose message it replies to. */
  readonly to?: number;
  readonly topicId?: number | undefined;
  readonly fields?: Fields;
};

export type CommandGroup = Awaited<ReturnType<typeof startGroup>>;

export async function startGroup({ group: differences, ...options }: Options = {}) {
  let clock = Date.now;
  const api = await startBotApi({ people, kickMs: 0, clock: () => clock() });
  const bot = await startBot({ api, bot: { api }, ...options });
  clock = bot.server.now;
  const group = api.addChat({
    id: groupId,
    title: 'Otters',
    creator: olga,
    administrators: [bo, cy],
    members: [ann, dan],
    ...differences,
  });
  let nextId = 9000;
  let last: Fields = {};

  const toChat = () => ({
    id: group.id,
    type: group.type,
    title: group.title,
    ...(group.isForum === true ? { is_forum: true } : {}),
  });

  /** A message of the group, written now. */
  const toMessage = (from: number, fields: Fields = {}) => {
    nextId += 1;
    return {
      message_id: nextId,
      date: Math.floor(bot.server.now() / 1000),
      chat: toChat(),
      from: personWith(from),
      text: 'Hello',
      ...fields,
    };
  };

  return {
    ...bot,
    group,
    toMessage,

    /** Writes in the group, as a reply if it says to whom. Resolves with the ID of the message. */
    says: async (
      from: number,
      text: string,
      { to, topicId, fields }: Saying = {},
    ): Promise<number> => {
      const replied = to === undefined ? {} : { reply_to_message: toMessage(to) };
      const { message_id: messageId, ...message } = toMessage(from);
      const written = writtenMessage({ text, chatId: groupId, from, topicId, messageId });
      last = { message: { ...written, ...message, text, ...replied, ...fields } };
      await bot.hears(last);
      return messageId;
    },

    /** The next server handles the last message again, as after a kill before it was known to be handled. */
    hearsAgain: async (): Promise<TestServer> => {
      await bot.server.stopBot();
      const { db } = bot.server;
      const { update_id } = await db
        .selectFrom('bot_inbox')
        .select(({ fn }) => fn.max('update_id').as('update_id'))
        .executeTakeFirstOrThrow();
      await db
        .updateTable('bot_inbox')
        .set({ handled_at: null, payload: JSON.stringify({ update_id, ...last }) })
        .where('update_id', '=', update_id)
        .execute();
      return continueWith({ api, server: bot.server }, options.variables);
    },

    /** What the bot has said last. */
    lastText: () => api.messages.at(-1)?.text,

    /** Presses buttons of the last message with any, at once. Resolves with what each one was shown for it. */
    press: async (...presses: readonly (readonly [from: number, label: string])[]) => {
      const message = api.messages.findLast(({ body }) => body['reply_markup'] !== undefined);
      if (message === undefined) {
        throw new Error('The bot has sent no buttons');
      }
      const ids = presses.map(([from, label]) => api.presses.press(message, from, label));
      await api.updates.confirmed();
      await bot.server.handled();
      const answers = ids.map(
        (id) => api.presses.answers.find(({ pressId }) => pressId === id)?.text,
      );
      return { answers, shown: api.show(message) };
    },

    /** Sets values of the group as a command does. */
    set: (values: Fields) =>
      bot.server.services.chatValues.changeByCommand(
        { chatId: groupId, chatName: 'Otters', by: olga, kind: 'values' },
        new Map([[wholeChatId, values]]),
      ),

    /** What was done to members, the oldest first. */
    listActions: () =>
      bot.server.db
        .selectFrom('actions')
        .select(['kind', 'by_id', 'target_id', 'reason'])
        .orderBy('at')
        .orderBy('kind', 'desc')
        .execute(),
  };
}

/** The next server with the same database handles what the stopped one has left. */
export async function continueWith(
  { api, server }: Pick<TestBot, 'api' | 'server'>,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  await server.stopBot();
  const database = { ...server.database, close: () => Promise.resolve() };
  const next = await createTestServer({ bot: { api }, database, variables });
  onTestFinished(next.close);
  await next.handled();
  return next;
}
