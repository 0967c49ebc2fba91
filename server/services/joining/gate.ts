/**
 * The join gate: who asks to join a group opens Nori, reads the rules, does a task, and is let in. Where Telegram gives the
 * bot a query for the request, it opens Nori at once; else a message with a button does. See decision 050.
 */
import { type ChatJoinRequest } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAttackOn } from '#contract/chats/values';
import { type Language, languagePrefix } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createJoinCheckRepository, type JoinCheck } from '#server/db/join-checks';
import { deriveKeys } from '#server/lib/derived-keys';
import { type UserLanguage } from '#server/lib/languages';
import { gateRules } from '#server/lib/limits';
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

import { createGatePage, deriveTaskKeys, getWaitMs } from './gate-page.ts';
import { hashRightAnswer } from './gate-task.ts';
import { gateTexts } from './gate-texts.ts';

type Needs = Pick<
  Dependencies,
  'database' | 'env' | 'clock' | 'random' | 'log' | 'languages' | 'chatActions'
>;

type Tools = {
  readonly launches: Pick<Launches, 'recognise'>;
  readonly userLanguages: Pick<UserLanguageService, 'readLanguage'>;
  readonly limiter: Pick<Limiter, 'take'>;
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
    ...createGatePage(deps, tools, { checks, decisions }),
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

  const openQuery = (check: JoinCheck) =>
    check.query === undefined ? undefined : box.open(check.query, toContext(check));

  const deliver = (check: JoinCheck) =>
    tell({ ...check, queryId: openQuery(check) }, isAdmitted(check) ? 'approve' : 'decline');

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
    openQuery,
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
  const { env, clock, chatActions } = deps;
  const box = createQueryBox(deps);
  const keys = deriveTaskKeys(env);
  /** Requests that were left to the administrators: the query is spent. */
  const left = new WeakSet<ChatJoinRequest>();

  /** The administrators see the request in their list, as if the bot did not look at it. */
  async function leave(request: ChatJoinRequest): Promise<void> {
    if (request.query_id !== undefined && !left.has(request)) {
      left.add(request);
      await chatActions?.answerQuery(request.query_id, 'queue');
    }
  }

  const show = createShowing(deps, tools);

  const readLanguage = ({ from }: ChatJoinRequest) =>
    tools.userLanguages.readLanguage(from.id, { code: from.language_code });

  /** The page in the language of the person; undefined where Telegram could not open it. */
  function toUrl({ chat }: ChatJoinRequest, { language, isChosen }: UserLanguage) {
    const chosen = isChosen ? `&lang=${language}` : '';
    return env.publicUrl?.startsWith('https:') === true
      ? `${env.publicUrl}${languagePrefix(language)}/gate?chat=${chat.id}${chosen}`
      : undefined;
  }

  /** Whether requests of the chat go through the gate now. */
  async function readGate(request: ChatJoinRequest) {
    const now = clock();
    const settings = await readSettings(tools.chatValues, request.chat.id);
    const { attack, raid_until: raidUntil = 0 } = settings;
    const isAttacked = isAttackOn(attack, now);
    const isGated = settings.captcha_mode === 'gate' || isAttacked;
    return {
      isOpen: isGroup(request.chat) && isGated && raidUntil <= now,
      seconds: settings.captcha_seconds,
    };
  }

  /** Begins the check; of a request that was made again the tries stay. */
  async function begin(request: ChatJoinRequest, language: Language, seconds: number) {
    const who = toWho(request);
    const startedAt = clock();
    const dueAt = startedAt + seconds * 1000;
    const query = request.query_id && box.seal(request.query_id, toContext(who));
    await decisions.planTelling(who, seconds * 1000);
    const answerHash = hashRightAnswer(keys, { ...who, startedAt, tries: 0 });
    const times = { startedAt, dueAt };
    const isNew = await checks.begin({
      ...who,
      ...times,
      kind: 'gate',
      answerHash,
      query,
      messageIds: [],
      language,
    });
    return (
      isNew || (await checks.changeOpen(who, { query: query ?? null, due_at: dueAt })) !== undefined
    );
  }

  async function handle(request: ChatJoinRequest): Promise<void> {
    const who = toWho(request);
    const { isOpen, seconds } = await readGate(request);
    const language = await readLanguage(request);
    const url = isOpen ? toUrl(request, language) : undefined;
    if (url === undefined) {
      await leave(request);
      return;
    }
    const queryId = left.has(request) ? undefined : request.query_id;
    const known = await checks.find(who.chatId, who.telegramId);
    if (known !== undefined && getWaitMs(known, clock()) > 0) {
      await decisions.tell({ ...who, queryId }, 'decline');
      return;
    }
    const page = { url, seconds, queryId, language: language.language };
    if ((await begin(request, page.language, seconds)) && !(await show(request, page))) {
      // The person cannot be reached, so that the administrators decide.
      await leave(request);
      await checks.settle(who, 'gone', clock());
    }
  }

  return {
    /**
     * Decides what becomes of a request to join. Telegram waits ten seconds for the answer to its query: when the database
     * fails, the administrators get the request, and the error is thrown as it is.
     */
    async handleRequest(request: ChatJoinRequest): Promise<void> {
      try {
        await handle(request);
      } catch (error) {
        await leave(request);
        throw error;
      }
    },

    /** For requests that could not even be saved. Never rejects. */
    leave: (request: ChatJoinRequest): Promise<void> => leave(request).catch(() => undefined),
  };
}

const toWho = ({ chat, from }: ChatJoinRequest): Who => ({ chatId: chat.id, telegramId: from.id });

type Page = {
  readonly url: string;
  readonly seconds: number;
  /** Undefined when the bot got none, or it is spent. */
  readonly queryId: string | undefined;
  readonly language: Language;
};

/**
 * Returns a function that opens Nori for who asks to join: at once by the query, else by a button in a message. It tells
 * whether the person was reached.
 */
function createShowing({ clock, log, chatActions, languages }: Needs, { outbox }: Tools) {
  async function openByQuery(
    actions: ChatActions,
    { chat, date }: ChatJoinRequest,
    { queryId, url }: Page,
  ): Promise<boolean> {
    if (queryId === undefined) {
      return false;
    }
    const outcome = await actions.openForQuery(queryId, url);
    if (outcome.kind === 'later') {
      const pauseMs = (outcome.retryAfterS ?? 1) * 1000;
      if (clock() + pauseMs > date * 1000 + gateRules.queryMs) {
        return false;
      }
      await sleep(pauseMs, undefined, { ref: false });
      return (await actions.openForQuery(queryId, url)).kind === 'done';
    }
    if (outcome.kind !== 'done') {
      log.info({ chatId: chat.id, why: toReason(outcome) }, 'a query did not open the gate');
    }
    return outcome.kind === 'done';
  }

  async function invite(
    actions: ChatActions,
    request: ChatJoinRequest,
    { url, seconds, language }: Page,
  ): Promise<boolean> {
    if (clock() > request.date * 1000 + gateRules.inviteMs) {
      return false;
    }
    const texts = languages.textsIn(language)(gateTexts);
    const outcome = await outbox.send(request.user_chat_id, (chatId) =>
      actions.send({
        chatId,
        text: texts.invitation(request.chat.title, Math.ceil(seconds / 60)),
        buttons: [[{ text: texts.open, url, opens: 'mini app' }]],
      }),
    );
    return outcome.kind === 'done';
  }

  return async (request: ChatJoinRequest, page: Page): Promise<boolean> =>
    chatActions !== undefined &&
    ((await openByQuery(chatActions, request, page)) || invite(chatActions, request, page));
}
