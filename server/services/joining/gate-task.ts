/**
 * The task of the join gate: three of nine words belong together. Everything of a task is derived from its check and the
 * key of the server, so that nothing about it is stored but a keyed hash of the answer, and closing and opening the page
 * again shows the same one.
 */
import { createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import { gateTask } from '#contract/endpoints/gate';
import { type JoinCheck } from '#server/db/join-checks';
import { type Keys } from '#server/lib/derived-keys';
import { type Say } from '#server/lib/languages';

import { gateQuestions, gateWords } from './gate-texts.ts';

type Kind = keyof typeof gateQuestions;
type Word = keyof typeof gateWords;

/** The pictures are for people; they say no more than the words. */
const kinds: Readonly<Record<Kind, readonly (readonly [Word, picture: string])[]>> = {
  fruit: [
    ['apple', '🍎'],
    ['banana', '🍌'],
    ['grapes', '🍇'],
    ['lemon', '🍋'],
    ['cherries', '🍒'],
    ['strawberry', '🍓'],
  ],
  animals: [
    ['dog', '🐕'],
    ['cat', '🐈'],
    ['horse', '🐎'],
    ['fish', '🐟'],
    ['elephant', '🐘'],
    ['rabbit', '🐇'],
  ],
  vehicles: [
    ['car', '🚗'],
    ['bus', '🚌'],
    ['train', '🚆'],
    ['bicycle', '🚲'],
    ['ship', '🚢'],
    ['plane', '✈️'],
  ],
  clothes: [
    ['shirt', '👕'],
    ['shoe', '👞'],
    ['hat', '🎩'],
    ['gloves', '🧤'],
    ['socks', '🧦'],
    ['trousers', '👖'],
  ],
  instruments: [
    ['guitar', '🎸'],
    ['violin', '🎻'],
    ['piano', '🎹'],
    ['drum', '🥁'],
    ['trumpet', '🎺'],
    ['saxophone', '🎷'],
  ],
};
const kindNames: readonly Kind[] = ['fruit', 'animals', 'vehicles', 'clothes', 'instruments'];

/**
 * One of so many numbers has to be found by so many rounds each: about a second of a cheap phone, and the same work for a
 * program. The server makes one of them.
 */
const workRules = { candidates: 32, iterations: 8000, bytes: 16 } as const;

export type GateTask = {
  readonly kind: Kind;
  readonly words: readonly (readonly [Word, picture: string])[];
  /** Positions, in order: `0,4,7`. */
  readonly answer: string;
};

/** What a task is made from. */
type TaskSource = Pick<JoinCheck, 'chatId' | 'telegramId' | 'startedAt' | 'tries'>;

const toText = ({ chatId, telegramId, startedAt, tries }: TaskSource): string =>
  `${chatId}/${telegramId}/${startedAt}/${tries}`;

const sign = (key: Buffer, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}/${text}`).digest();

/** Another task for each try: the answers that were wrong say nothing about it. */
function makeTask(key: Buffer, check: TaskSource): GateTask {
  const chance = createChance(key, toText(check));
  const [kind = 'fruit', ...others] = chance.shuffle(kindNames);
  const right = chance.shuffle(kinds[kind]).slice(0, gateTask.choose);
  const wrong = chance
    .shuffle(others.flatMap((other) => kinds[other]))
    .slice(0, gateTask.words - gateTask.choose);
  const words = chance.shuffle([...right, ...wrong]);
  const positions = [...words.keys()].filter((at) => right.some((one) => one === words[at]));
  return { kind, words, answer: positions.join(',') };
}

/** The same for the same seed, and not to be foreseen without the key. */
function createChance(key: Buffer, seed: string) {
  let drawn = 0;
  const next = (below: number) => {
    drawn += 1;
    return sign(key, 'draw', `${seed}/${drawn}`).readUInt32BE() % below;
  };
  return {
    shuffle<T>(list: readonly T[]): readonly T[] {
      const left = [...list];
      return list.flatMap(() => left.splice(next(left.length), 1));
    },
  };
}

const hashAnswer = (key: Buffer, check: TaskSource, answer: string): string =>
  sign(key, 'answer', `${toText(check)}/${answer}`).toString('base64url');

/** What is stored of the answer to the task that a check has now. */
export function hashRightAnswer([key]: Keys, check: TaskSource): string {
  return hashAnswer(key, check, makeTask(key, check).answer);
}

/** The task of a check, and how an answer to it is looked at; undefined when its key is none of the server any more. */
export function findTask(keys: Keys, check: JoinCheck) {
  for (const key of keys) {
    const task = makeTask(key, check);
    if (hashAnswer(key, check, task.answer) === check.answerHash) {
      return {
        task,
        isRight: (answer: readonly number[]): boolean => {
          const given = [...new Set(answer)].toSorted((one, other) => one - other).join(',');
          return areEqual(hashAnswer(key, check, given), check.answerHash ?? '');
        },
        ...createTickets(key, check),
      };
    }
  }
  return undefined;
}

/**
 * A ticket says when the task was shown, so that this is not stored, and salts the work, so that it is done anew for each
 * showing.
 */
function createTickets(key: Buffer, check: TaskSource) {
  const seal = (shownAt: string) =>
    sign(key, 'ticket', `${toText(check)}/${shownAt}`)
      .toString('base64url')
      .slice(0, 32);
  const getWork = (ticket: string) =>
    sign(key, 'work', ticket).readUInt32BE() % workRules.candidates;

  return {
    ticketAt: (now: number): string => `${now.toString(36)}.${seal(now.toString(36))}`,

    /** When the task was shown with this ticket; undefined for a ticket of another task. */
    readTicket(ticket: string): number | undefined {
      const [shownAt = '', signature = ''] = ticket.split('.');
      return areEqual(seal(shownAt), signature) ? Number.parseInt(shownAt, 36) : undefined;
    },

    isWorkDone: (ticket: string, work: number): boolean => work === getWork(ticket),

    async makeWork(ticket: string) {
      const { candidates, iterations, bytes } = workRules;
      const found = String(getWork(ticket));
      const target = await derive(found, ticket, iterations, bytes, 'sha256');
      return { iterations, candidates, target: target.toString('hex') };
    },
  };
}

const derive = promisify(pbkdf2);

function areEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The task as its page shows it. */
export function sayTask({ kind, words }: GateTask, say: Say) {
  return {
    question: say(gateQuestions)[kind],
    words: words.map(([word, picture]) => ({ word: say(gateWords)[word], picture })),
  };
}
