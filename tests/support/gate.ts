/** People who ask to join a group, and what they do on the page of the join gate. */
import * as v from 'valibot';

import { answerGate, type Gate, openGate } from '#contract/endpoints/gate';

import { type CommandGroup, personWith, startGroup } from './command-group.ts';
import { solve, type Task, workOut } from './join-tasks.ts';
import { signLaunchData } from './launch-data.ts';
import { groupId } from './test-bot.ts';

/** Eve and Fay ask to join. */
export const [eve, fay] = [666_666, 777_777];

type Opening = {
  /** The query that Telegram signs; the address names the group without it. */
  readonly queryId?: string | undefined;
  readonly chatId?: number | undefined;
  readonly signedAt?: number;
  /** Whose launch it is. */
  readonly as?: number;
  readonly botToken?: string;
};

/** A group with the gate, whose requests to join come to the bot. */
export async function startGateGroup(options: Parameters<typeof startGroup>[0] = {}) {
  const group = await startGroup({
    ...options,
    variables: { PUBLIC_URL: 'https://nori.example', ...options.variables },
    group: { isGuarded: true, ...options.group },
  });
  await group.set({ captcha_mode: 'gate' });
  return { ...group, ...createVisits(group) };
}

/** What people do with a server whose bot has heard of their requests. */
export function createVisits({ api, server }: Pick<CommandGroup, 'api' | 'server'>) {
  const toInput = (person: number, { queryId, chatId, signedAt, as, botToken }: Opening) => ({
    init_data: signLaunchData({
      user: { ...personWith(as ?? person), language_code: 'en' },
      botToken: botToken ?? api.token,
      signedAt: signedAt ?? server.now(),
      fields: queryId === undefined ? {} : { chat_join_request_query_id: queryId },
    }),
    ...(chatId === undefined ? {} : { chat_id: String(chatId) }),
  });

  const visits = {
    /** Raw launch data. */
    launch: (person: number, opening: Opening = {}) => toInput(person, opening).init_data,

    /** Asks to join. Resolves when the bot has handled it, with the ID of the query. */
    async asks(person: number, language?: string) {
      const queryId = api.requests.add(groupId, person, language === undefined ? {} : { language });
      await api.updates.confirmed();
      await server.handled();
      return queryId;
    },

    /** Opens the page; resolves with status and body. */
    call: (person: number, opening: Opening = {}) =>
      server.call(openGate, toInput(person, opening)),

    async opens(person: number, opening: Opening = {}): Promise<Gate> {
      return v.parse(openGate.output, (await visits.call(person, opening)).body);
    },

    /** Opens the page, and answers when it was read. */
    async answers(
      person: number,
      choose: (task: Task) => readonly number[] = solve,
      { readMs = 4000, ...opening }: Opening & { readonly readMs?: number } = {},
    ) {
      const { task } = await visits.opens(person, opening);
      if (task === null) {
        throw new Error('There is no task');
      }
      server.wait(readMs);
      return visits.sends(person, { task, answer: choose(task) }, opening);
    },

    async sends(
      person: number,
      { task, answer }: { readonly task: Task; readonly answer: readonly number[] },
      opening: Opening = {},
    ) {
      const { body } = await server.call(answerGate, {
        ...toInput(person, opening),
        ticket: task.ticket,
        answer: [...answer],
        work: workOut(task),
      });
      return v.parse(answerGate.output, body);
    },

    /** The time of open checks is over. */
    async waitsFor(seconds: number): Promise<void> {
      server.wait(seconds * 1000);
      await server.services.dueJobs.runDue();
    },
  };
  return visits;
}
