/** A group whose newcomers are asked something, and what they see and do. */
import * as v from 'valibot';

import { type SentMessage } from './bot-api-messages.ts';
import { bo, continueWith, startGroup } from './command-group.ts';
import { solveCaptcha } from './join-tasks.ts';
import { groupId } from './test-bot.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Uma, Vic and others are no members yet. */
export const [uma, vic, wes] = [710_001, 710_002, 710_003];
export const newcomer = (index: number): number => 720_000 + index;

export type NewcomerGroup = Awaited<ReturnType<typeof startNewcomers>>;

/** The group has these values. The bot hears of what it does to members itself, as from Telegram. */
export async function startNewcomers(
  values: Fields = { captcha_mode: 'task' },
  options: Parameters<typeof startGroup>[0] = {},
) {
  const group = await startGroup({
    ...options,
    group: { tellsMoves: true, ...options.group },
  });
  const { api, server } = group;
  await group.set(values);

  /** What the bot has heard of, and has done, is settled: also what was told of that. */
  async function settled(): Promise<void> {
    await api.updates.confirmed();
    await server.handled();
    // Its timer does not know that the clock of the test was moved.
    await server.services.dueJobs.runDue();
    await api.updates.confirmed();
    await server.handled();
    await server.services.deletions.deleteDue();
  }

  async function hears(update: Fields): Promise<void> {
    await group.hears(update);
    await settled();
  }

  /** That a person has joined, as the group sees it. */
  const toNotice = (person: number) => {
    const { from, text: _text, ...message } = group.toMessage(person);
    return { ...message, from, new_chat_members: [from] };
  };

  /** The newest question to a person that still stands. */
  function findQuestion(person: number): SentMessage | undefined {
    return api.messages.findLast(
      (message) =>
        message.ephemeral?.to === person ||
        JSON.stringify(message.body['entities'] ?? []).includes(`"id":${person}`),
    );
  }

  async function presses(person: number, message: SentMessage, label: string): Promise<string> {
    const id = api.presses.press(message, person, label);
    await settled();
    return api.presses.answers.find(({ pressId }) => pressId === id)?.text ?? '';
  }

  function getQuestion(person: number): SentMessage {
    const question = findQuestion(person);
    if (question === undefined) {
      throw new Error(`${person} was asked nothing`);
    }
    return question;
  }

  /** What is asked now: a sum, a word, or a picture. */
  function readTask(question: SentMessage) {
    const { text = '', buttons = [] } = api.show(question) ?? {};
    const labels = buttons.flat();
    return { labels, right: solveCaptcha(text, labels) ?? '' };
  }

  return {
    ...group,
    hears,
    settled,
    presses,
    findQuestion,
    getQuestion,
    toNotice,

    /** Joins: the bot is told of it, and the group sees a notice, whose ID is returned. */
    joins: async (
      person: number,
      move: Parameters<typeof api.moves.join>[2] = {},
    ): Promise<number> => {
      const notice = toNotice(person);
      await hears(api.moves.join(groupId, person, move));
      await hears({ message: notice });
      return notice.message_id;
    },

    leaves: (person: number) => hears(api.moves.leave(groupId, person)),

    orders: (person: number, what: Parameters<typeof api.moves.order>[2]['what']) =>
      hears(api.moves.order(groupId, person, { by: bo, what })),

    /** Writes, if Telegram lets them. Returns the ID of the message. */
    writes: async (person: number, text = 'Hello'): Promise<number> => {
      const message = { ...group.toMessage(person), text };
      await hears({ message });
      return message.message_id;
    },

    /** Presses the right answer; returns the notice. */
    answersRight: (person: number): Promise<string> => {
      const question = getQuestion(person);
      return presses(person, question, readTask(question).right);
    },

    /** What a button of the task of a person says to the bot. */
    findData: (person: number, which: 'right' | 'wrong'): string => {
      const question = getQuestion(person);
      const { right } = readTask(question);
      const rows = v.parse(keyboard, question.body['reply_markup']).inline_keyboard;
      const found = rows.flat().find(({ text }) => (text === right) === (which === 'right'));
      return found?.callback_data.split(':')[2] ?? '';
    },

    answersWrong: (person: number): Promise<string> => {
      const question = getQuestion(person);
      const { labels, right } = readTask(question);
      return presses(person, question, labels.find((label) => label !== right) ?? '');
    },

    status: (person: number) => api.members.read(groupId, person).status,

    mayWrite: (person: number): boolean => {
      const { status, permissions } = api.members.read(groupId, person);
      return status === 'member' || permissions?.['can_send_messages'] === true;
    },

    isGone: (messageId: number) => api.deletions.isGone(groupId, messageId),

    /** What all in the group see of the bot and is not deleted. */
    listShown: () =>
      api.messages.filter(
        ({ to, ephemeral, messageId }) =>
          to === groupId && ephemeral === undefined && !api.deletions.isGone(groupId, messageId),
      ),

    /** The next server goes on with the same database. */
    continues: () => continueWith({ api, server }),

    /** Lets time pass, and has done what is due then. */
    passes: async (ms: number): Promise<void> => {
      server.wait(ms);
      await server.services.dueJobs.runDue();
      await settled();
      await server.services.deletions.deleteDue();
    },

    /** The state of the newest check of a person. */
    check: (person: number) =>
      server.db
        .selectFrom('join_checks')
        .selectAll()
        .where('chat_id', '=', groupId)
        .where('telegram_id', '=', person)
        .executeTakeFirst(),

    /** How often something was counted. */
    count: async (name: string): Promise<number> => {
      await server.services.chatNumbers.save();
      const rows = await server.db
        .selectFrom('chat_numbers')
        .select('count')
        .where('name', '=', name)
        .execute();
      return rows.reduce((sum, { count }) => sum + count, 0);
    },
  };
}

const keyboard = v.object({
  inline_keyboard: v.array(v.array(v.object({ text: v.string(), callback_data: v.string() }))),
});
