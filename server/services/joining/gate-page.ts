/** What the page of the join gate shows and sends. Who calls is known by Telegram's launch data alone. */
import { fillText } from '#contract/chats/fillings';
import { type Gate, gateMinReadMs } from '#contract/endpoints/gate';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createChatRepository } from '#server/db/chats';
import { createContentRepository } from '#server/db/contents';
import { type createJoinCheckRepository, type JoinCheck } from '#server/db/join-checks';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { gateRules, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Launches } from '#services/accounts';
import { type ChatValueService } from '#services/chats';
import { readSettings } from '#services/members';

import { findTask, hashRightAnswer, sayTask } from './gate-task.ts';
import { gateTexts } from './gate-texts.ts';

type Needs = Pick<Dependencies, 'database' | 'env' | 'clock'>;

type Tools = {
  readonly launches: Pick<Launches, 'recognise'>;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
};

type Who = Pick<JoinCheck, 'chatId' | 'telegramId'>;

type Parts = {
  readonly checks: ReturnType<typeof createJoinCheckRepository>;
  readonly decisions: {
    /** Of several callers one ends the check; the others get undefined. */
    readonly settle: (
      who: Who,
      state: 'passed' | 'failed',
    ) => Promise<{ readonly isIn: boolean } | undefined>;
    readonly isWaiting: (who: Who) => Promise<boolean>;
    readonly openQuery: (check: JoinCheck) => string | undefined;
  };
};

const pageStates = ['open', 'failed', 'expired'] as const;

/** Who calls, and what the page knows. */
type Visit = {
  readonly initData: string;
  readonly chatId: number | undefined;
  readonly address: string;
  readonly say: Say;
};
type Answer = {
  readonly ticket: string;
  readonly answer: readonly number[];
  readonly work: number;
};
type Visitor = { readonly check: JoinCheck; readonly firstName: string; readonly say: Say };
type Outcome = 'right' | 'wrong' | 'too_fast' | 'outdated' | 'settled';

export function createGatePage(deps: Needs, tools: Tools, parts: Parts) {
  const { checks, decisions } = parts;
  const { clock } = deps;
  const enter = createEntrance(tools, parts);
  const { readTask, toState, toGate } = createView(deps, tools, parts);

  /** What an answer is worth before it is looked at; undefined when it is to be looked at. */
  function hindrance(task: ReturnType<typeof findTask>, { ticket, work }: Answer) {
    const shownAt = task?.readTicket(ticket);
    if (task === undefined || shownAt === undefined) {
      return 'outdated';
    }
    if (clock() - shownAt < gateMinReadMs) {
      return 'too_fast';
    }
    if (!task.isWorkDone(ticket, work)) {
      throw new AppError('invalid_input', { detail: (say) => say(gateTexts).wrongWork });
    }
    return undefined;
  }

  async function look(
    check: JoinCheck,
    given: Answer,
  ): Promise<{ readonly outcome: Outcome; readonly isIn?: boolean }> {
    const task = await readTask(check);
    const worth = hindrance(task, given);
    if (worth !== undefined) {
      return { outcome: worth };
    }
    // Before the answer is looked at: of many at the same time only one is.
    const next = { ...check, tries: check.tries + 1 };
    if (!(await checks.takeTry(check, hashRightAnswer(deriveTaskKeys(deps.env), next)))) {
      return { outcome: 'outdated' };
    }
    if (task?.isRight(given.answer) === true) {
      const settled = await decisions.settle(check, 'passed');
      return settled === undefined
        ? { outcome: 'settled' }
        : { outcome: 'right', isIn: settled.isIn };
    }
    if (next.tries >= gateRules.maxTries) {
      await decisions.settle(check, 'failed');
    }
    return { outcome: 'wrong' };
  }

  return {
    open: async (visit: Visit): Promise<Gate> => toGate(await enter(visit)),

    async answer(visit: Visit, given: Answer): Promise<Gate & { readonly outcome: Outcome }> {
      const visitor = await enter(visit);
      const { check } = visitor;
      if ((await toState(check)) !== 'open') {
        return { ...(await toGate(visitor)), outcome: 'settled' };
      }
      const { outcome, isIn } = await look(check, given);
      const now = (await checks.find(check.chatId, check.telegramId)) ?? check;
      // Telegram said so just now: the request was decided by others, or withdrawn.
      const isGone = isIn === false && !(await decisions.isWaiting(check));
      return {
        ...(await toGate({ ...visitor, check: now }, isGone ? 'gone' : undefined)),
        outcome,
      };
    },
  };
}

export const deriveTaskKeys = ({ secretKeys }: Dependencies['env']) =>
  deriveKeys(secretKeys, 'nori gate tasks');

/** How long who has failed is turned away. */
export function getWaitMs({ kind, state, settledAt = 0 }: JoinCheck, now: number): number {
  return kind === 'gate' && state === 'failed' ? settledAt + gateRules.failedMs - now : 0;
}

/** Returns a function that finds out who calls, and which of their checks is meant. */
function createEntrance({ launches, limiter }: Tools, { checks, decisions }: Parts) {
  async function recognise(initData: string) {
    try {
      return await launches.recognise(initData);
    } catch (error) {
      throw error instanceof AppError && error.code === 'invalid_launch_data'
        ? new AppError('invalid_launch_data', { detail: (say) => say(gateTexts).forgedLaunch })
        : error;
    }
  }

  return async ({ initData, chatId, address, say }: Visit): Promise<Visitor> => {
    await limiter.take(limits.addressGate, address);
    const { user, joinQuery, isCurrent } = await recognise(initData);
    if (!isCurrent) {
      throw new AppError('launch_too_old', { detail: (said) => said(gateTexts).oldLaunch });
    }
    await limiter.take(limits.gateCalls, user.telegramId);
    const own = (await checks.listByPerson(user.telegramId)).filter(({ kind }) => kind === 'gate');
    const asked = own.find(
      (one) => joinQuery !== undefined && decisions.openQuery(one) === joinQuery,
    );
    const check = asked ?? own.find((one) => chatId === undefined || one.chatId === chatId);
    if (check === undefined) {
      throw new AppError('not_found', { detail: (said) => said(gateTexts).noRequest });
    }
    return { check, firstName: user.firstName ?? '', say };
  };
}

/** What a check looks like on its page. */
function createView({ env, clock, database }: Needs, tools: Tools, { checks, decisions }: Parts) {
  const keys = deriveTaskKeys(env);
  const botChats = createBotChatRepository(database.db);
  const managed = createChatRepository(database.db);
  const contents = createContentRepository(database.db);

  async function toState(check: JoinCheck): Promise<Gate['state']> {
    if (check.state === 'open' && check.dueAt <= clock()) {
      return 'expired';
    }
    if (check.state === 'passed' || check.state === 'let_in') {
      return (await decisions.isWaiting(check)) ? 'passed' : 'in';
    }
    return pageStates.find((state) => state === check.state) ?? 'gone';
  }

  /** The task that a check has now; another one when the key is gone from which it was made. */
  async function readTask(check: JoinCheck) {
    const found = findTask(keys, check);
    if (found !== undefined) {
      return found;
    }
    const answerHash = hashRightAnswer(keys, check);
    await checks.changeOpen(check, { answer_hash: answerHash });
    return findTask(keys, { ...check, answerHash });
  }

  async function toTask(check: JoinCheck, say: Say): Promise<Gate['task']> {
    const found = await readTask(check);
    if (found === undefined) {
      return null;
    }
    const ticket = found.ticketAt(clock());
    return { ...sayTask(found.task, say), ticket, work: await found.makeWork(ticket) };
  }

  async function readRules({ check, firstName }: Visitor, chatName: string) {
    const { rules_content: id } = await readSettings(tools.chatValues, check.chatId);
    const [content] = id === undefined ? [] : await contents.list([id]);
    if (content?.chatId !== check.chatId || content.body.text === '') {
      return null;
    }
    const { text, entities } = fillText(content.body, {
      people: [{ id: check.telegramId, first_name: firstName }],
      chatName,
      rules: { label: '' },
    });
    return { text, entities: [...entities] };
  }

  async function readName(chatId: number): Promise<string> {
    const name = (await botChats.find(chatId))?.name ?? '';
    return name === '' ? ((await managed.find(chatId))?.name ?? '') : name;
  }

  async function toGate(visitor: Visitor, given?: Gate['state']) {
    const { check, say } = visitor;
    const state = given ?? (await toState(check));
    const chatName = await readName(check.chatId);
    const isOpen = state === 'open';
    const leftMs = isOpen ? check.dueAt - clock() : getWaitMs(check, clock());
    return {
      chat_name: chatName,
      state,
      rules: isOpen ? await readRules(visitor, chatName) : null,
      task: isOpen ? await toTask(check, say) : null,
      tries_left: Math.max(0, gateRules.maxTries - check.tries),
      seconds_left: Math.max(0, Math.ceil(leftMs / 1000)),
    };
  }

  return { readTask, toState, toGate };
}
