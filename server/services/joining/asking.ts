/**
 * Asks who joins to press a button or to do a small task: by a message for them alone, and by one for all newcomers when
 * many join, or when a newcomer has not answered for a while: what only one person sees may be lost.
 */
import * as v from 'valibot';

import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import {
  createJoinCheckRepository,
  createRecentJoinRepository,
  type JoinCheck,
} from '#server/db/join-checks';
import { createSigner, deriveKeys } from '#server/lib/derived-keys';
import { type Say } from '#server/lib/languages';
import { joinRules } from '#server/lib/limits';
import { type DueJob } from '#server/services/due-jobs';
import {
  type ActionOutcome,
  type BotMessage,
  buttonData,
  type ChatActions,
} from '#server/upstream/telegram/chat-actions';
import { sayExactly } from '#services/members';

import { type JoinEndings, type JoinTools } from './endings.ts';
import { gateWords } from './gate-texts.ts';
import { checkKind, toCheckJobId } from './records.ts';
import { joiningTexts } from './texts.ts';

type Word = keyof typeof gateWords;

/** What the choices of a task show. Pictures that look like each other are not among them. */
const pictures: readonly (readonly [Word, picture: string])[] = [
  ['apple', '🍎'],
  ['banana', '🍌'],
  ['grapes', '🍇'],
  ['dog', '🐕'],
  ['fish', '🐟'],
  ['elephant', '🐘'],
  ['car', '🚗'],
  ['bicycle', '🚲'],
  ['ship', '🚢'],
  ['shoe', '👞'],
  ['hat', '🎩'],
  ['guitar', '🎸'],
];
/** Of as many, three tries at random find the right one one time in four. */
const choicesPerTask = 12;
const choicesInRow = 3;
const largestNumber = 12;

const captchaVerb = 'captcha';
const sharedData = 'all';
/** Stands for the newcomer until the sentence is known. */
const nameMark = '\uE000';

const minuteMs = 60_000;
const retryAfterMs = 10_000;
/** A mute ends by itself somewhat after the check, should the bot be gone by then. */
const muteMarginS = 300;

const sharedKind = 'join-shared';
const toSharedId = (chatId: number) => `${sharedKind}:${chatId}`;
const sharedBody = v.object({ messageId: v.optional(v.number()) });

const readMessageId = ({ body }: DueJob) => v.parse(sharedBody, JSON.parse(body)).messageId;

/** The end of the mute of a check; by it, the bot's own mute is told from one that an administrator wanted. */
export const toMuteUntil = ({ dueAt }: Pick<JoinCheck, 'dueAt'>): number =>
  Math.ceil(dueAt / 1000) + muteMarginS;

type Needs = Pick<
  Dependencies,
  'database' | 'clock' | 'chatActions' | 'languages' | 'random' | 'env'
>;

type Tools = JoinTools & {
  readonly endings: JoinEndings;
  readonly readLanguage: (chatId: number) => Promise<Language>;
  readonly findNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
};

type AskingMessage = Pick<BotMessage, 'text' | 'entities' | 'buttons'>;

export type JoinAsking = ReturnType<typeof createJoinAsking>;

export function createJoinAsking(deps: Needs, tools: Tools) {
  const { database, clock } = deps;
  const { dueJobs, endings } = tools;
  const checks = createJoinCheckRepository(database.db);
  const recentJoins = createRecentJoinRepository(database.db);
  const tasks = createTasks(deps);
  const { setTask, askAlone, mute } = createQuestions(deps, tools, tasks);
  const shared = createShared(deps, tools);

  async function noteAsked(check: JoinCheck, messageId: number): Promise<void> {
    const asked = await checks.changeOpen(check, {
      asked_at: clock(),
      asked_id: messageId > 0 ? messageId : null,
    });
    if (asked === undefined && messageId > 0) {
      // It was settled meanwhile.
      await endings.deleteMessages(check.chatId, [messageId]);
    }
  }

  function comeBack(check: JoinCheck, inMs: number): Promise<void> {
    const { chatId, telegramId, dueAt } = check;
    return dueJobs.addAgain({
      id: toCheckJobId(check),
      kind: checkKind,
      chatId,
      telegramId,
      body: '{}',
      dueAt: Math.floor(Math.min(clock() + inMs, Math.max(dueAt, clock() + 1))),
    });
  }

  async function areMany(chatId: number): Promise<boolean> {
    const recent = await recentJoins.listSince(chatId, clock() - minuteMs);
    return recent.filter(({ isLetIn }) => !isLetIn).length > joinRules.maxAskedAlone;
  }

  /** Mutes a newcomer and asks them, if that is not done yet. What Telegram does not take now is done a little later. */
  async function askNewcomer(check: JoinCheck): Promise<void> {
    const { chatId } = check;
    const muted = await mute(check);
    if (muted.kind === 'refused') {
      // Who cannot be muted is not asked: they would wait for nothing.
      await endings.settle(check, 'let_in', { isMuted: false });
      return;
    }
    if (muted.kind !== 'done') {
      await comeBack(check, retryAfterMs);
      return;
    }
    if (await areMany(chatId)) {
      await shared.show(chatId);
      await noteAsked(check, 0);
      await comeBack(check, check.dueAt - clock());
      return;
    }
    const asked = await askAlone(check);
    if (asked.kind === 'done') {
      await noteAsked(check, asked.result.messageId);
      await comeBack(check, Math.min(joinRules.remindAfterMs, (check.dueAt - clock()) / 2));
    } else if (asked.kind === 'refused') {
      await endings.settle(check, 'let_in');
    } else {
      await comeBack(check, retryAfterMs);
    }
  }

  return {
    askNewcomer,

    /** Looks after a check that is not due yet: asks once more, so that all see it. */
    async remind(check: JoinCheck): Promise<void> {
      if (check.askedAt === undefined) {
        await askNewcomer(check);
        return;
      }
      if (check.askedId === undefined) {
        await shared.show(check.chatId);
      }
      await comeBack(check, check.dueAt - clock());
    },

    /** To be called when a check is settled: the message for all goes with the last. */
    close: shared.close,

    readPress: tasks.readPress,
    setTask,
    isRight: tasks.isRight,
  };
}

/** Sets tasks, and sends them. */
function createQuestions(
  { database, chatActions, languages }: Needs,
  { outbox, findNames, readLanguage }: Tools,
  tasks: Tasks,
) {
  const checks = createJoinCheckRepository(database.db);

  function call<T>(
    chatId: number,
    make: (api: ChatActions, id: number) => Promise<ActionOutcome<T>>,
    memberId?: number,
  ): Promise<ActionOutcome<T>> {
    return outbox.send(
      chatId,
      (id) =>
        chatActions === undefined
          ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
          : make(chatActions, id),
      memberId,
    );
  }

  /** The task that a check has from now on; undefined when it is settled, or has got another one meanwhile. */
  async function setTask(
    check: JoinCheck,
    tries = check.tries,
  ): Promise<AskingMessage | undefined> {
    const { chatId, telegramId } = check;
    const language = await readLanguage(chatId);
    const names = await findNames([telegramId]);
    const task = tasks.make(check, languages.textsIn(language));
    const changed = await checks.replaceTask(check, { answerHash: task.answerHash, tries });
    const name = names.get(telegramId) || String(telegramId);
    return changed && withName(task, { telegramId, name });
  }

  /** Where Telegram has no messages for one person alone, all see it. */
  async function askAlone(
    check: JoinCheck,
  ): Promise<ActionOutcome<{ readonly messageId: number }>> {
    const { chatId, telegramId } = check;
    const message = await setTask(check);
    if (message === undefined) {
      return { kind: 'done', result: { messageId: 0 } };
    }
    const alone = await call(chatId, (api, id) =>
      api.send({ ...message, chatId: id, onlyFor: { telegramId } }),
    );
    return alone.kind === 'refused'
      ? call(chatId, (api, id) => api.send({ ...message, chatId: id }))
      : alone;
  }

  /** Who has passed while others were waited for is not muted. */
  async function mute(check: JoinCheck): Promise<ActionOutcome> {
    const { chatId, telegramId, startedAt } = check;
    const read = () => checks.find(chatId, telegramId);
    const make = async (api: ChatActions, id: number): Promise<ActionOutcome> => {
      const now = await read();
      return now?.state === 'open' && now.startedAt === startedAt
        ? api.mute(id, telegramId, toMuteUntil(check))
        : { kind: 'done', result: true };
    };
    const muted = await call(chatId, make, telegramId);
    const after = await read();
    if (after?.state === 'passed' && after.startedAt === startedAt) {
      // Another process has heard of it meanwhile.
      await call(chatId, (api, id) => api.unmute(id, telegramId), telegramId);
    }
    return muted;
  }

  return { setTask, askAlone, mute };
}

/** The message for all newcomers of a chat, of which there is one at most: the row of its job says which. */
function createShared({ clock, database, chatActions, languages }: Needs, tools: Tools) {
  const { outbox, dueJobs, endings } = tools;
  const checks = createJoinCheckRepository(database.db);

  async function send(chatId: number): Promise<ActionOutcome<{ readonly messageId: number }>> {
    const language = await tools.readLanguage(chatId);
    const texts = languages.textsIn(language)(joiningTexts).questions;
    const buttons = [[{ text: texts.sharedPress, data: buttonData(captchaVerb, sharedData) }]];
    return outbox.send(
      chatId,
      (id) =>
        chatActions?.send({ chatId: id, text: texts.shared, buttons }) ??
        Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
  }

  async function remove(chatId: number, job: DueJob): Promise<void> {
    const messageId = readMessageId(job);
    if (messageId !== undefined) {
      await endings.deleteMessages(chatId, [messageId]);
    }
  }

  async function close(chatId: number): Promise<void> {
    if (!(await checks.hasOpenInGroup(chatId))) {
      const job = await dueJobs.take(toSharedId(chatId));
      await (job && remove(chatId, job));
    }
  }

  dueJobs.handle(sharedKind, async (job) => {
    const { chatId } = job;
    if (readMessageId(job) !== undefined || !(await checks.hasOpenInGroup(chatId))) {
      await close(chatId);
      await ((await dueJobs.find(job.id)) &&
        dueJobs.addAgain({ ...job, dueAt: clock() + minuteMs }));
      return true;
    }
    const sent = await send(chatId);
    if (sent.kind !== 'done') {
      return sent.kind === 'refused';
    }
    const body = JSON.stringify({ messageId: sent.result.messageId });
    if (await dueJobs.changeBody(job, body)) {
      await dueJobs.addAgain({ ...job, body, dueAt: clock() + minuteMs });
      await close(chatId);
    } else {
      // The last check was settled meanwhile.
      await endings.deleteMessages(chatId, [sent.result.messageId]);
    }
    return true;
  });

  return {
    close,
    show: (chatId: number): Promise<void> =>
      dueJobs.add({
        id: toSharedId(chatId),
        kind: sharedKind,
        chatId,
        telegramId: undefined,
        body: '{}',
        dueAt: clock(),
      }),
  };
}

type Tasks = ReturnType<typeof createTasks>;

type Task = {
  readonly write: (name: string) => string;
  /** Labels; a button alone is the right one. */
  readonly choices: readonly string[];
  readonly right: number;
};

const pressPattern = /^(\d+)\.([\w-]{8})\.(\d{1,2})$/;

/** What a pressed button says: that of a task, or that of the message for all newcomers. */
type PressedTask =
  | { readonly kind: 'shared' }
  | {
      readonly kind: 'task';
      readonly telegramId: number;
      readonly nonce: string;
      readonly choice: number;
    };

const toText = (
  { chatId, telegramId, startedAt }: JoinCheck,
  { nonce, choice }: { readonly nonce: string; readonly choice: number },
) => `${chatId}|${telegramId}|${startedAt}|${nonce}|${choice}`;

/** Makes tasks. Only a keyed hash of the answer is stored, with what the buttons of its message are known by. */
function createTasks({ env, random, clock }: Needs) {
  const signer = createSigner(deriveKeys(env.secretKeys, 'nori newcomer tasks'));
  const choose = (below: number) => random.bytes(4).readUInt32BE() % below;

  function shuffle<T>(list: readonly T[]): readonly T[] {
    const left = [...list];
    return list.flatMap(() => left.splice(choose(left.length), 1));
  }

  function makeSum(say: Say, duration: string): Task {
    const [first, second] = [1 + choose(largestNumber), 1 + choose(largestNumber)];
    const others = Array.from({ length: largestNumber * 2 - 1 }, (_one, index) => index + 2);
    const wrong = shuffle(others.filter((one) => one !== first + second));
    const choices = shuffle([first + second, ...wrong.slice(0, choicesPerTask - 1)]);
    return {
      write: (name) => say(joiningTexts).questions.sum(name, first, second, duration),
      choices: choices.map(String),
      right: choices.indexOf(first + second),
    };
  }

  function makeChoice(say: Say, duration: string, isPicture: boolean): Task {
    const shown = shuffle(pictures).slice(0, choicesPerTask);
    const right = choose(shown.length);
    const word = say(gateWords)[shown[right]?.[0] ?? 'apple'];
    const texts = say(joiningTexts).questions;
    return {
      write: (name) => (isPicture ? texts.picture : texts.word)(name, word, duration),
      choices: shown.map(([id, picture]) => (isPicture ? picture : say(gateWords)[id])),
      right,
    };
  }

  function makeTask({ kind, dueAt }: JoinCheck, say: Say): Task {
    const leftS = Math.max(60, Math.ceil((dueAt - clock()) / minuteMs) * 60);
    const duration = sayExactly(leftS, say);
    if (kind === 'button') {
      const texts = say(joiningTexts).questions;
      return { write: (name) => texts.button(name, duration), choices: [texts.press], right: 0 };
    }
    const which = choose(3);
    return which === 0 ? makeSum(say, duration) : makeChoice(say, duration, which === 1);
  }

  return {
    make(check: JoinCheck, say: Say) {
      const { write, choices, right } = makeTask(check, say);
      const nonce = random.bytes(6).toString('base64url');
      const buttons = choices.map((text, choice) => ({
        text,
        data: buttonData(captchaVerb, `${check.telegramId}.${nonce}.${choice}`),
      }));
      const signature = signer.sign(toText(check, { nonce, choice: right })).toString('hex');
      return {
        write,
        answerHash: `${nonce}.${signature}`,
        buttons: Array.from({ length: Math.ceil(buttons.length / choicesInRow) }, (_one, row) =>
          buttons.slice(row * choicesInRow, (row + 1) * choicesInRow),
        ),
      };
    },

    /** Undefined for a button that is none of ours. */
    readPress: (data: string): PressedTask | undefined => {
      const [, id, nonce, choice] = pressPattern.exec(data) ?? [];
      if (data === sharedData) {
        return { kind: 'shared' };
      }
      return id === undefined || nonce === undefined
        ? undefined
        : { kind: 'task', telegramId: Number(id), nonce, choice: Number(choice) };
    },

    /** Undefined when it is the answer to an earlier task. */
    isRight: (
      check: JoinCheck,
      press: PressedTask & { readonly kind: 'task' },
    ): boolean | undefined => {
      const [nonce, signature = ''] = check.answerHash?.split('.') ?? [];
      return nonce === press.nonce
        ? signer.isSigned(toText(check, press), Buffer.from(signature, 'hex'))
        : undefined;
    },
  };
}

/** Telegram shows the name as a link to the person, and tells them. */
function withName(
  { write, buttons }: ReturnType<Tasks['make']>,
  { telegramId, name }: { readonly telegramId: number; readonly name: string },
): AskingMessage {
  const template = write(nameMark);
  const offset = template.indexOf(nameMark);
  const user = { id: telegramId, is_bot: false, first_name: name };
  return {
    text: template.replace(nameMark, () => name),
    entities: [{ type: 'text_mention', offset, length: name.length, user }],
    buttons,
  };
}
