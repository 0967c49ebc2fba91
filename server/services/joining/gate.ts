/**
 * The join gate: who asks to join a group opens Nori, reads the rules, does a task, and is let in. Where Telegram gives the
 * bot a query for the request, it opens Nori at once; else a message with a button does. See decision 050.
 */
import { type ChatJoinRequest } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';

import { fillText } from '#contract/chats/fillings';
import { type Gate, gateMinReadMs } from '#contract/endpoints/gate';
import { languagePrefix } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createChatRepository } from '#server/db/chats';
import { createContentRepository } from '#server/db/contents';
import { isDatabaseAway } from '#server/db/failures';
import { createJoinCheckRepository, type JoinCheck } from '#server/db/join-checks';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { gateRules, limits } from '#server/lib/limits';
import { createSecretBox } from '#server/lib/secret-box';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Outbox } from '#server/services/outbox';
import { isGroup } from '#server/upstream/telegram/bot';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';
import { type Launches, type UserLanguageService } from '#services/accounts';
import { type ChatValueService } from '#services/chats';
import { readSettings } from '#services/members';

import { findTask, hashRightAnswer, sayTask } from './gate-task.ts';
import { gateTexts } from './gate-texts.ts';

type Needs = Pick<
  Dependencies,
  'database' | 'env' | 'clock' | 'random' | 'log' | 'languages' | 'chatActions'
>;

type Tools = {
  readonly launches: Pick<Launches, 'recognise'>;
  readonly userLanguages: Pick<UserLanguageService, 'readLanguage'>;
  readonly limiter: Pick<Limiter, 'takeAll' | 'take'>;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
  readonly dueJobs: DueJobs;
  readonly outbox: Pick<Outbox, 'send'>;
};

type Who = Pick<JoinCheck, 'chatId' | 'telegramId'>;
type Decision = 'passed' | 'let_in' | 'failed' | 'expired';

export type JoinGate = ReturnType<typeof createJoinGate>;

const jobKind = 'gate';
const toJobId = ({ chatId, telegramId }: Who) => `${jobKind}:${chatId}:${telegramId}`;

export function createJoinGate(deps: Needs, tools: Tools) {
  const checks = createJoinCheckRepository(deps.database.db);
  const decisions = createDecisions(deps, tools, checks);
  tools.dueJobs.handle(jobKind, ({ chatId, telegramId }) =>
    telegramId === undefined ? Promise.resolve(true) : decisions.runDue({ chatId, telegramId }),
  );
  return {
    ...createRequests(deps, tools, { checks, decisions }),
    ...createPage(deps, tools, { checks, decisions }),
    /** Ends an open check as an administrator wants it, and tells Telegram. Returns false when there is none. */
    decide: async (who: Who, result: 'let_in' | 'failed'): Promise<boolean> =>
      (await decisions.settle(who, result)) !== undefined,
  };
}

type Checks = ReturnType<typeof createJoinCheckRepository>;
type Decisions = ReturnType<typeof createDecisions>;
type Parts = { readonly checks: Checks; readonly decisions: Decisions };

const counted = {
  passed: 'check_passed',
  let_in: undefined,
  failed: 'check_failed',
  expired: 'check_expired',
} as const;

/** IDs of queries belong to who handles the bot: who reads the database cannot answer a request with them. */
const createQueryBox = ({ env, random }: Pick<Needs, 'env' | 'random'>) =>
  createSecretBox(deriveKeys(env.secretKeys, 'nori gate queries'), random);
const toContext = ({ chatId, telegramId }: Who) => `${chatId}/${telegramId}`;

/** Ends checks, and tells Telegram what was decided, again later if it does not answer. */
function createDecisions(
  { clock, log, chatActions, ...needs }: Needs,
  { dueJobs, chatNumbers }: Pick<Tools, 'dueJobs' | 'chatNumbers'>,
  checks: Checks,
) {
  const box = createQueryBox(needs);

  /** Returns whether there is nothing left to do. `isIn` is whether Telegram has let the person in just now. */
  async function tell(
    who: Who & { readonly queryId: string | undefined },
    result: 'approve' | 'decline',
  ): Promise<{ readonly isDone: boolean; readonly isIn: boolean }> {
    if (chatActions === undefined) {
      return { isDone: true, isIn: false };
    }
    if (who.queryId !== undefined) {
      const outcome = await chatActions.answerQuery(who.queryId, result);
      if (outcome.kind === 'done') {
        return { isDone: true, isIn: result === 'approve' };
      }
      log.info({ chatId: who.chatId, why: toReason(outcome) }, 'a query to join was not answered');
    }
    const outcome = await tellDirectly(chatActions, who, result);
    const isSettled = outcome.kind === 'refused' && outcome.why !== 'no right';
    if (outcome.kind !== 'done' && !(outcome.kind === 'refused' && outcome.why === 'no request')) {
      log.warn({ chatId: who.chatId, why: toReason(outcome) }, 'could not decide about a request');
    }
    return {
      isDone: outcome.kind === 'done' || isSettled,
      isIn: result === 'approve' && (outcome.kind === 'done' || isMember(outcome)),
    };
  }

  async function deliver(check: JoinCheck) {
    const queryId = check.query === undefined ? undefined : box.open(check.query, toContext(check));
    return tell({ ...check, queryId }, isAdmitted(check) ? 'approve' : 'decline');
  }

  /** Of several callers one ends the check. The others, and who comes too late, get undefined. */
  async function settle(who: Who, state: Decision) {
    const check = await checks.settle(who, state, clock());
    if (check === undefined) {
      return undefined;
    }
    const name = counted[state];
    if (name !== undefined) {
      chatNumbers.count(who.chatId, name);
    }
    // If this process ends before Telegram has heard of it, the next one goes on.
    await planTelling(who, gateRules.tellAgainMs);
    const { isDone, isIn } = await deliver(check);
    if (isDone) {
      await dueJobs.take(toJobId(who));
    }
    return { check, isIn };
  }

  const planTelling = (who: Who, afterMs: number) =>
    dueJobs.addAgain({
      id: toJobId(who),
      kind: jobKind,
      ...who,
      body: '{}',
      dueAt: clock() + afterMs,
    });

  return {
    tell,
    settle,
    planTelling,
    /** Whether Telegram has still to hear of a decision. */
    isWaiting: async (who: Who): Promise<boolean> =>
      (await dueJobs.find(toJobId(who))) !== undefined,

    /** What is to be done about a check whose time has come. */
    async runDue(who: Who): Promise<boolean> {
      let check = await checks.find(who.chatId, who.telegramId);
      if (check?.kind !== 'gate' || !toldStates.has(check.state)) {
        return true;
      }
      if (check.state === 'open') {
        const leftMs = check.dueAt - clock();
        if (leftMs > 0) {
          await planTelling(who, leftMs);
          return true;
        }
        check = await checks.settle(who, 'expired', clock());
        if (check === undefined) {
          return false;
        }
        chatNumbers.count(who.chatId, counted.expired);
      }
      return (await deliver(check)).isDone;
    },
  };
}

const isAdmitted = ({ state }: JoinCheck): boolean => state === 'passed' || state === 'let_in';

/** Telegram hears of checks with these; of the others Telegram knows. */
const toldStates: ReadonlySet<string> = new Set(['open', 'passed', 'let_in', 'failed', 'expired']);

const isMember = (outcome: ActionOutcome): boolean =>
  outcome.kind === 'refused' && /already_participant/i.test(outcome.description);

const toReason = (outcome: ActionOutcome): string =>
  outcome.kind === 'refused' ? outcome.description : outcome.kind;

/** Past the outbox: no other call about the chat is waited for. */
async function tellDirectly(
  chatActions: ChatActions,
  { chatId, telegramId }: Who,
  result: 'approve' | 'decline',
): Promise<ActionOutcome> {
  const call = result === 'approve' ? chatActions.approveRequest : chatActions.declineRequest;
  const outcome = await call(chatId, telegramId);
  return outcome.kind === 'moved' ? call(outcome.chatId, telegramId) : outcome;
}

/** What becomes of requests to join. */
function createRequests(deps: Needs, tools: Tools, { checks, decisions }: Parts) {
  const { env, clock, log, chatActions } = deps;
  const box = createQueryBox(deps);
  const keys = deriveKeys(env.secretKeys, 'nori gate tasks');
  /** Requests that were left to the administrators because the database was away: the query is spent. */
  const left = new WeakSet<ChatJoinRequest>();

  /** The administrators see the request in their list, as if the bot did not look at it. */
  async function leave(request: ChatJoinRequest): Promise<void> {
    if (request.query_id !== undefined && !left.has(request)) {
      left.add(request);
      await chatActions?.answerQuery(request.query_id, 'queue');
    }
  }

  /** The page in the language of the person; undefined where Telegram could not open it. */
  async function toUrl({ chat, from }: ChatJoinRequest): Promise<string | undefined> {
    if (env.publicUrl?.startsWith('https:') !== true) {
      return undefined;
    }
    const { language, isChosen } = await tools.userLanguages.readLanguage(from.id, {
      code: from.language_code,
    });
    const chosen = isChosen ? `&lang=${language}` : '';
    return `${env.publicUrl}${languagePrefix(language)}/gate?chat=${chat.id}${chosen}`;
  }

  /** Begins the check; of a request that was made again the tries stay. */
  async function begin(request: ChatJoinRequest, seconds: number): Promise<JoinCheck | undefined> {
    const who = { chatId: request.chat.id, telegramId: request.from.id };
    const startedAt = clock();
    const dueAt = startedAt + seconds * 1000;
    const query = request.query_id && box.seal(request.query_id, toContext(who));
    const { language } = await tools.userLanguages.readLanguage(who.telegramId, {
      code: request.from.language_code,
    });
    await decisions.planTelling(who, seconds * 1000);
    const isNew = await checks.begin({
      ...who,
      kind: 'gate',
      answerHash: hashRightAnswer(keys, { ...who, startedAt, tries: 0 }),
      query,
      messageIds: [],
      language,
      startedAt,
      dueAt,
    });
    return isNew
      ? checks.find(who.chatId, who.telegramId)
      : checks.changeOpen(who, { kind: 'gate', query: query ?? null, due_at: dueAt });
  }

  /** Opens Nori for the person: at once by the query, else by a button in a message. */
  async function show(request: ChatJoinRequest, url: string, seconds: number): Promise<void> {
    const who = { chatId: request.chat.id, telegramId: request.from.id };
    const isOpened = await openByQuery(request, url);
    if (isOpened || (await invite(request, url, seconds))) {
      return;
    }
    // The person cannot be reached, so that the administrators decide.
    await leave(request);
    await checks.settle(who, 'gone', clock());
  }

  async function openByQuery(request: ChatJoinRequest, url: string): Promise<boolean> {
    const { query_id: queryId, date } = request;
    if (queryId === undefined || chatActions === undefined || left.has(request)) {
      return false;
    }
    const outcome = await chatActions.openForQuery(queryId, url);
    if (outcome.kind === 'later') {
      const waitMs = (outcome.retryAfterS ?? 1) * 1000;
      if (clock() + waitMs > date * 1000 + gateRules.queryMs) {
        return false;
      }
      await sleep(waitMs, undefined, { ref: false });
      return (await chatActions.openForQuery(queryId, url)).kind === 'done';
    }
    if (outcome.kind === 'refused') {
      log.info(
        { chatId: request.chat.id, why: outcome.description },
        'a query to join did not open the gate',
      );
    }
    return outcome.kind === 'done';
  }

  async function invite(request: ChatJoinRequest, url: string, seconds: number): Promise<boolean> {
    if (chatActions === undefined || clock() > request.date * 1000 + gateRules.inviteMs) {
      return false;
    }
    const { language } = await tools.userLanguages.readLanguage(request.from.id, {
      code: request.from.language_code,
    });
    const texts = deps.languages.textsIn(language)(gateTexts);
    const outcome = await tools.outbox.send(request.user_chat_id, (chatId) =>
      chatActions.send({
        chatId,
        text: texts.invitation(request.chat.title, Math.ceil(seconds / 60)),
        buttons: [[{ text: texts.open, url, opens: 'mini app' }]],
      }),
    );
    return outcome.kind === 'done';
  }

  async function handle(request: ChatJoinRequest): Promise<void> {
    const { chat, from } = request;
    const now = clock();
    const settings = await readSettings(tools.chatValues, chat.id);
    const { attack, raid_until: raidUntil = 0 } = settings;
    const isAttacked = attack !== undefined && attack.since <= now && now < attack.until;
    const isGated = isGroup(chat) && (settings.captcha_mode === 'gate' || isAttacked);
    const url = isGated && raidUntil <= now ? await toUrl(request) : undefined;
    if (url === undefined) {
      await leave(request);
      return;
    }
    const known = await checks.find(chat.id, from.id);
    if (known !== undefined && waitMs(known, now) > 0) {
      const queryId = left.has(request) ? undefined : request.query_id;
      await decisions.tell({ chatId: chat.id, telegramId: from.id, queryId }, 'decline');
      return;
    }
    if ((await begin(request, settings.captcha_seconds)) !== undefined) {
      await show(request, url, settings.captcha_seconds);
    }
  }

  return {
    /**
     * Decides what becomes of a request to join. Telegram waits ten seconds for the answer to its query: while the
     * database is away the administrators get the request, and the error is thrown as it is.
     */
    async handleRequest(request: ChatJoinRequest): Promise<void> {
      try {
        await handle(request);
      } catch (error) {
        if (isDatabaseAway(error)) {
          await leave(request);
        }
        throw error;
      }
    },

    /** For requests that could not even be saved. Never rejects. */
    leave: (request: ChatJoinRequest): Promise<void> => leave(request).catch(() => undefined),
  };
}

/** How long who has failed is turned away. */
function waitMs({ kind, state, settledAt = 0 }: JoinCheck, now: number): number {
  return kind === 'gate' && state === 'failed' ? settledAt + gateRules.failedMs - now : 0;
}

const pageStates = ['open', 'failed', 'expired'] as const;

/** Who calls from a page, and what the page knows. */
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

/** What the page of the gate shows and sends. */
function createPage(deps: Needs, tools: Tools, { checks, decisions }: Parts) {
  const { env, clock, database } = deps;
  const keys = deriveKeys(env.secretKeys, 'nori gate tasks');
  const box = createQueryBox(deps);
  const botChats = createBotChatRepository(database.db);
  const managed = createChatRepository(database.db);
  const contents = createContentRepository(database.db);

  async function enter({ initData, chatId, address, say }: Visit): Promise<Visitor> {
    await tools.limiter.take(limits.addressGate, address);
    const { user, joinQuery, isCurrent } = await recognise(initData);
    if (!isCurrent) {
      throw new AppError('launch_too_old', { detail: (said) => said(gateTexts).oldLaunch });
    }
    await tools.limiter.take(limits.gateCalls, user.telegramId);
    const own = (await checks.listByPerson(user.telegramId)).filter(({ kind }) => kind === 'gate');
    const ofQuery = own.find((one) => joinQuery !== undefined && openQuery(one) === joinQuery);
    const check = ofQuery ?? (chatId === undefined ? own[0] : own.find(isIn(chatId)));
    if (check === undefined) {
      throw new AppError('not_found', { detail: (said) => said(gateTexts).noRequest });
    }
    return { check, firstName: user.firstName ?? '', say };
  }

  async function recognise(initData: string) {
    try {
      return await tools.launches.recognise(initData);
    } catch (error) {
      throw error instanceof AppError && error.code === 'invalid_launch_data'
        ? new AppError('invalid_launch_data', {
            detail: (said) => said(gateTexts).forgedLaunch,
          })
        : error;
    }
  }

  const openQuery = (check: JoinCheck) => check.query && box.open(check.query, toContext(check));

  async function toState(check: JoinCheck): Promise<Gate['state']> {
    if (check.state === 'open' && check.dueAt <= clock()) {
      return 'expired';
    }
    if (isAdmitted(check)) {
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
    return {
      text,
      entities: entities.map((one) => ({
        type: one.type,
        offset: one.offset,
        length: one.length,
        ...('url' in one && one.url !== undefined ? { url: one.url } : {}),
      })),
    };
  }

  async function readName(chatId: number): Promise<string> {
    const name = (await botChats.find(chatId))?.name ?? '';
    return name === '' ? ((await managed.find(chatId))?.name ?? '') : name;
  }

  async function toGate(visitor: Visitor, given?: Gate['state']): Promise<Gate> {
    const { check, say } = visitor;
    const state = given ?? (await toState(check));
    const chatName = await readName(check.chatId);
    const isOpen = state === 'open';
    const leftMs = isOpen ? check.dueAt - clock() : waitMs(check, clock());
    return {
      chat_name: chatName,
      state,
      rules: isOpen ? await readRules(visitor, chatName) : null,
      task: isOpen ? await toTask(check, say) : null,
      tries_left: Math.max(0, gateRules.maxTries - check.tries),
      seconds_left: Math.max(0, Math.ceil(leftMs / 1000)),
    };
  }

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
    if (!(await checks.takeTry(check, hashRightAnswer(keys, next)))) {
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

const isIn =
  (chatId: number) =>
  (check: JoinCheck): boolean =>
    check.chatId === chatId;
