/**
 * Puts together what happens to who joins, and who of them managers see. The rest of the server imports this module only
 * from here.
 */
import { type User } from 'grammy/types';

import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createJoinCheckRepository, type JoinCheck, type Newcomer } from '#server/db/join-checks';
import { AppError } from '#server/lib/errors';
import { joinRules } from '#server/lib/limits';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type ChatAccess, type ChatEvents, type ChatValueService } from '#services/chats';
import { readSettings } from '#services/members';
import { type Administrators } from '#services/moderation';

import { createJoinAsking } from './asking.ts';
import { createJoinEndings, type JoinEndings, type JoinTools } from './endings.ts';
import { type JoinGate } from './gate.ts';
import { createNewcomers, holdsNewcomers } from './newcomers.ts';
import { createRaids } from './raids.ts';
import { createJoinRecords } from './records.ts';

type Greeted = Pick<User, 'id' | 'first_name' | 'last_name' | 'username' | 'is_bot'>;

type Tools = JoinTools & {
  readonly administrators: Administrators;
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly chatAccess: Pick<ChatAccess, 'requireManager'>;
  readonly chatEvents: ChatEvents;
  readonly chatNumbers: ChatNumbers;
  readonly chatValues: ChatValueService;
  readonly gate: Pick<JoinGate, 'decide'>;
  readonly greetings: {
    readonly greet: (chatId: number, user: Greeted, key: string) => Promise<void>;
    readonly sayGoodbye: (chatId: number, user: Greeted, key: string) => Promise<void>;
  };
  readonly memberCommands: {
    readonly rights: { readonly botId: number };
    readonly seenPeople: {
      readonly findNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
    };
  };
};

export type Joining = ReturnType<typeof createJoining>['joining'];

export function createJoining(deps: Dependencies, tools: Tools) {
  const { clock } = deps;
  const { chatEvents, chatValues, greetings } = tools;
  const { botId } = tools.memberCommands.rights;
  const { findNames } = tools.memberCommands.seenPeople;
  const readLanguage = (chatId: number) => tools.chats.readLanguage(chatId);
  const onChange = createAnnouncer(chatEvents);

  async function onPassed({ chatId, telegramId }: Newcomer): Promise<void> {
    const names = await findNames([telegramId]);
    const user = { id: telegramId, is_bot: false, first_name: names.get(telegramId) ?? '' };
    await greetings.greet(chatId, user, `passed:${telegramId}`);
  }

  const endings = createJoinEndings(deps, tools, { onPassed, onChange });
  const asking = createJoinAsking(deps, { ...tools, endings, readLanguage, findNames });
  const records = createJoinRecords(deps, { ...tools, saveEnding: endings.saveEnding });
  const parts = { ...tools, endings, asking, records, readLanguage, botId };
  const raids = createRaids(deps, { ...parts, closeAsking: asking.close });
  const newcomers = createNewcomers(deps, {
    ...parts,
    raids,
    onChange,
    onIn: greetings.greet,
    onLeft: greetings.sayGoodbye,
  });
  return {
    joining: {
      memberMoved: newcomers.memberMoved,
      checkMessage: newcomers.check,
      raids,
      ...createTaskAnswers(deps, { endings, asking }),
      ...createJoinList(deps, { ...tools, endings, asking, findNames }),
      /** Whether who joins is turned away, or left to the administrators. Rejects when the database fails. */
      holdsNewcomers: async (chatId: number): Promise<boolean> =>
        holdsNewcomers(await readSettings(chatValues, chatId), clock()),
      /** To be called when the bot starts. */
      start: raids.start,
    },
  };
}

const announceEveryMs = 1000;

/** Returns a function that tells open pages that the checks of a chat have changed: in a raid, once a second. */
function createAnnouncer(chatEvents: Pick<ChatEvents, 'publish'>): (chatId: number) => void {
  /** Chats of which was told within the last second, and whether there is more. */
  const told = new Map<number, { isMore: boolean }>();

  function announce(chatId: number): void {
    const state = { isMore: false };
    told.set(chatId, state);
    chatEvents.publish(chatId, { kind: 'join' });
    setTimeout(() => {
      told.delete(chatId);
      if (state.isMore) {
        announce(chatId);
      }
    }, announceEveryMs).unref();
  }

  return (chatId) => {
    const state = told.get(chatId);
    if (state === undefined) {
      announce(chatId);
    } else {
      state.isMore = true;
    }
  };
}

type Asking = ReturnType<typeof createJoinAsking>;
type AskingMessage = NonNullable<Awaited<ReturnType<Asking['setTask']>>>;

type TaskAnswer =
  | { readonly kind: 'passed' | 'failed' | 'foreign' | 'over' }
  /** Another task; `left` are the tries. */
  | { readonly kind: 'wrong'; readonly left: number; readonly message: AskingMessage }
  | { readonly kind: 'stale'; readonly message: AskingMessage }
  /** The task of who has pressed the button for all newcomers. */
  | { readonly kind: 'task'; readonly message: AskingMessage };

/** What a press on a button for newcomers leads to. */
function createTaskAnswers(
  { database }: Dependencies,
  { endings, asking }: { readonly endings: JoinEndings; readonly asking: Asking },
) {
  const checks = createJoinCheckRepository(database.db);

  async function end(check: JoinCheck, state: 'passed' | 'failed'): Promise<TaskAnswer> {
    const isEnded = await endings.settle(check, state);
    await asking.close(check.chatId);
    return { kind: isEnded ? state : 'over' };
  }

  async function answerShared(check: JoinCheck): Promise<TaskAnswer> {
    if (check.kind === 'button') {
      return end(check, 'passed');
    }
    const message = await asking.setTask(check);
    return message === undefined ? { kind: 'over' } : { kind: 'task', message };
  }

  async function answerOpen(
    check: JoinCheck,
    pressed: Extract<NonNullable<ReturnType<Asking['readPress']>>, { kind: 'task' }>,
  ): Promise<TaskAnswer> {
    const isRight = asking.isRight(check, pressed);
    if (isRight === true) {
      return end(check, 'passed');
    }
    const tries = check.tries + (isRight === false ? 1 : 0);
    if (tries >= joinRules.maxTries) {
      return end(check, 'failed');
    }
    const message = await asking.setTask(check, tries);
    if (message === undefined) {
      return { kind: 'over' };
    }
    return isRight === false
      ? { kind: 'wrong', left: joinRules.maxTries - tries, message }
      : { kind: 'stale', message };
  }

  return {
    /** `data` is what the button says. May be repeated with the same press. */
    async answerTask(who: Newcomer, data: string): Promise<TaskAnswer> {
      const pressed = asking.readPress(data);
      if (pressed === undefined) {
        return { kind: 'over' };
      }
      if (pressed.kind === 'task' && pressed.telegramId !== who.telegramId) {
        return { kind: 'foreign' };
      }
      const check = await checks.find(who.chatId, who.telegramId);
      if (check === undefined || check.kind === 'gate') {
        return { kind: 'over' };
      }
      if (check.state !== 'open') {
        // A press that is handled again may have to finish what it began.
        await endings.finish(check);
        return { kind: check.state === 'passed' ? 'passed' : 'over' };
      }
      return pressed.kind === 'shared' ? answerShared(check) : answerOpen(check, pressed);
    },
  };
}

/** What managers see of open checks, and decide. */
function createJoinList(
  { database, clock }: Dependencies,
  {
    chatAccess,
    endings,
    asking,
    gate,
    findNames,
  }: Pick<Tools, 'chatAccess' | 'gate'> & {
    readonly endings: JoinEndings;
    readonly asking: Asking;
    readonly findNames: Tools['memberCommands']['seenPeople']['findNames'];
  },
) {
  const checks = createJoinCheckRepository(database.db);

  return {
    /** The newest first. Throws what `requireManager` throws. */
    async listJoins(telegramId: number, givenId: number) {
      const chatId = await chatAccess.requireManager(givenId, telegramId, 'read');
      const open = await checks.listOpen(chatId, joinRules.maxListed);
      const names = await findNames(open.map((check) => check.telegramId));
      return open
        .filter(({ dueAt }) => dueAt > clock())
        .map((check) => ({ check, name: names.get(check.telegramId) ?? '' }));
    },

    /** Throws what `requireManager` throws, and `not_found` when the check is settled. */
    async settleJoin(
      telegramId: number,
      {
        chatId: givenId,
        newcomerId,
        result,
      }: {
        readonly chatId: number;
        readonly newcomerId: number;
        readonly result: 'let_in' | 'failed';
      },
    ): Promise<void> {
      const chatId = await chatAccess.requireManager(givenId, telegramId, 'change');
      const who = { chatId, telegramId: newcomerId };
      const check = await checks.find(chatId, newcomerId);
      const isSettled =
        check?.kind === 'gate' ? await gate.decide(who, result) : await endings.settle(who, result);
      await asking.close(chatId);
      if (!isSettled) {
        throw new AppError('not_found');
      }
    },
  };
}

export { createJoinGate, type JoinGate } from './gate.ts';
export * as gateTextModule from './gate-texts.ts';
export { sayTime } from './raids.ts';
export * as joiningTextModule from './texts.ts';
export { joiningTexts } from './texts.ts';
