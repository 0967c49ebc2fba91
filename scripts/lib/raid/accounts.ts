/** Who joins in `npm run bench:raid`: a few people, who read what they are to do, and many raiders, who do not. */
import { setTimeout as sleep } from 'node:timers/promises';

import { pick, type Random } from '../cluster/people.ts';
import { type Choose, chooseAll, chooseAny, chooseRight, type GateVisits } from './gate.ts';
import { type Account, type RaidGroup } from './group.ts';
import { findTask, type SeenTask } from './tasks.ts';

/**
 * `spammer`: only writes. `guesser`: presses any button. `liar`: presses wrong ones. `leaver`: leaves and joins again.
 * `returner`: joins again when it was removed.
 */
type Role = 'person' | 'spammer' | 'guesser' | 'liar' | 'leaver' | 'returner';

export type Newcomer = Account & {
  readonly role: Role;
  readonly joinsAtMs: number;
  /** How many messages it tries to write. */
  readonly messages: number;
};

export type Answer = { readonly at: number; readonly id: number; readonly isRight: boolean };

export type Numbers = {
  readonly joins: number;
  readonly people: number;
  readonly messages: number;
  readonly seconds: number;
};

const firstId = 800_000_001;
/** Of all raiders; the rest are spammers. */
const shares: readonly (readonly [role: Role, share: number])[] = [
  ['guesser', 0.15],
  ['liar', 0.1],
  ['leaver', 0.1],
  ['returner', 0.15],
];

function pickRole(random: Random): Role {
  let chance = random();
  for (const [role, share] of shares) {
    chance -= share;
    if (chance < 0) {
      return role;
    }
  }
  return 'spammer';
}

/** The people are spread among the raiders. */
export function makeNewcomers(
  { joins, people, messages, seconds }: Numbers,
  random: Random,
): readonly Newcomer[] {
  const places = Array.from({ length: joins }, (_, index) => ({ index, chance: random() }));
  const persons = new Set(
    places
      .toSorted((one, other) => one.chance - other.chance)
      .slice(0, people)
      .map(({ index }) => index),
  );
  const spamEach = Math.max(0, messages - people * 4) / Math.max(1, joins - people);
  let due = 0;
  function countSpam(): number {
    const before = Math.floor(due);
    due += spamEach;
    return Math.floor(due) - before;
  }
  return places.map(({ index }) => {
    const isPerson = persons.has(index);
    return {
      id: firstId + index,
      name: `${isPerson ? 'Pia' : 'Rex'} ${index}`,
      isPerson,
      role: isPerson ? 'person' : pickRole(random),
      joinsAtMs: random() * seconds * 1000,
      messages: isPerson ? 3 + Math.floor(random() * 3) : countSpam(),
    };
  });
}

type Tools = {
  readonly group: RaidGroup;
  readonly random: Random;
  readonly answers: Answer[];
  /** Nothing more is done. */
  readonly over: AbortSignal;
  /** Undefined where accounts join at once. */
  readonly gate: GateVisits | undefined;
  /** For how long after its joining an account writes what it has to say. */
  readonly writesForMs: number;
};

type Act = Tools & { readonly rest: (ms: number) => Promise<void> };

const lookEveryMs = 250;
/** Who pressed a button waits so long for what comes of it. */
const maxWaitMs = 8000;

/** What one account does. Rejects with the reason of `over`. */
export async function actOut(newcomer: Newcomer, tools: Tools): Promise<void> {
  const rest = (ms: number) => sleep(ms, undefined, { signal: tools.over });
  await rest(newcomer.joinsAtMs);
  const act = { ...tools, rest };
  await (newcomer.isPerson ? actAsPerson(newcomer, act) : actAsRaider(newcomer, act));
}

const smallTalk = [
  'Hello, nice to meet you.',
  'Does the meeting on Friday take place?',
  'I have read the rules, thank you.',
  'Where can I find the pictures of the otters?',
  'Good morning from the river.',
];

async function actAsPerson(person: Newcomer, act: Act): Promise<void> {
  const { group, random, rest } = act;
  if (act.gate === undefined) {
    group.join(person.id);
    if (random() < 0.3) {
      group.write(person, { text: 'Hello everyone!' });
    }
    await letIn(person, act);
  } else {
    act.gate.request(person);
    await passGate(person, act, act.gate);
  }
  for (let left = person.messages; left > 0;) {
    if (group.write(person, { text: pick(smallTalk, random) })) {
      left -= 1;
    } else if (act.gate === undefined) {
      // It was muted only now.
      await letIn(person, act);
    }
    await rest(2500 + (random() * act.writesForMs) / person.messages);
  }
}

/** Solves tasks until the bot has let the person in. */
async function letIn(person: Newcomer, act: Act): Promise<void> {
  const { group, random, rest } = act;
  let isLetIn = false;
  while (!isLetIn) {
    if ((await untilSeen(person, act)) === undefined) {
      continue;
    }
    await rest(2000 + random() * 8000);
    // What it says may have changed meanwhile.
    const task = findTask(group, person);
    isLetIn = task !== undefined && press(person, act, { task, label: task.right });
    // Until the bot mutes a newcomer they can write, too, but they have not been let in.
    for (let waited = 0; isLetIn && !group.isLetIn(person.id); waited += lookEveryMs) {
      isLetIn = waited < maxWaitMs;
      await rest(lookEveryMs);
    }
  }
}

const readMs = (random: Random) => 2100 + random() * 7900;

/** Answers until the person is in. */
async function passGate(person: Newcomer, act: Act, gate: GateVisits): Promise<void> {
  const { group, random, rest, answers } = act;
  while (!group.isIn(person.id)) {
    await gate.answer(person, {
      readMs: readMs(random),
      rest,
      choose: (task) => {
        answers.push({ at: performance.now(), id: person.id, isRight: true });
        return chooseRight(task);
      },
    });
    await rest(1000);
  }
}

/** Undefined when nothing came. */
async function untilSeen(newcomer: Newcomer, { group, rest }: Act): Promise<SeenTask | undefined> {
  for (let waited = 0; waited < maxWaitMs; waited += lookEveryMs) {
    const task = findTask(group, newcomer);
    if (task !== undefined) {
      return task;
    }
    await rest(lookEveryMs);
  }
  return undefined;
}

/** Returns false when there is no such button any more. */
function press(
  { id }: Newcomer,
  { group, answers }: Act,
  { task, label }: { readonly task: SeenTask; readonly label: string | undefined },
): boolean {
  if (label === undefined) {
    return false;
  }
  answers.push({ at: performance.now(), id, isRight: label === task.right });
  group.api.presses.press(task.message, id, label);
  return true;
}

/** Written as soon as it has joined. */
const burst = 4;
const burstPauseMs = 200;
const spamTexts = [
  'Earn 500 $ a day from home, write me now!!!',
  'Free crypto for the first hundred members',
  'Look at my private pictures, link in my profile',
];

async function actAsRaider(raider: Newcomer, act: Act): Promise<void> {
  const { gate } = act;
  if (gate === undefined) {
    act.group.join(raider.id);
    await Promise.all([spam(raider, act), turns[raider.role](raider, act)]);
  } else {
    gate.request(raider);
    await Promise.all([spam(raider, act), gateTurns[raider.role](raider, act, gate)]);
  }
}

async function spam(raider: Newcomer, act: Act): Promise<void> {
  for (let written = 0; written < raider.messages; written += 1) {
    act.group.write(raider, { text: pick(spamTexts, act.random) });
    const pauseMs = written < burst ? burstPauseMs : (2 * act.writesForMs) / raider.messages;
    await act.rest(act.random() * pauseMs);
  }
}

const presses = 5;

/** What raiders do besides writing. */
const turns: Record<Role, (raider: Newcomer, act: Act) => Promise<void>> = {
  person: async () => undefined,
  spammer: async () => undefined,
  guesser: (raider, act) => guess(raider, act, () => true),
  liar: (raider, act) => guess(raider, act, (label, { right }) => label !== right),
  leaver: async (raider, { group, rest, random }) => {
    await rest(500 + random() * 2000);
    group.leave(raider.id);
    await rest(random() * 4000);
    group.join(raider.id);
  },
  returner: async (raider, { group, rest, random }) => {
    while (group.isIn(raider.id)) {
      await rest(lookEveryMs);
    }
    await rest(1000 + random() * 4000);
    group.join(raider.id);
  },
};

async function guess(
  raider: Newcomer,
  act: Act,
  isTried: (label: string, task: SeenTask) => boolean,
): Promise<void> {
  const { group, random, rest } = act;
  for (let left = presses; left > 0 && group.isIn(raider.id); left -= 1) {
    const task = await untilSeen(raider, act);
    const labels = task?.labels.filter((label) => isTried(label, task)) ?? [];
    if (task !== undefined && labels.length > 0) {
      press(raider, act, { task, label: pick(labels, random) });
    }
    await rest(1000 + random() * 2000);
  }
  await floodIfLetIn(raider, act);
}

async function floodIfLetIn(raider: Newcomer, act: Act): Promise<void> {
  const { group, rest } = act;
  while (group.isIn(raider.id)) {
    if (group.mayWrite(raider.id)) {
      await spam({ ...raider, messages: floodSize }, { ...act, writesForMs: floodMs });
      return;
    }
    await rest(lookEveryMs);
  }
}

/** What is written at once by who was lucky. */
const floodSize = 20;
const floodMs = 3000;

/** What raiders do at the gate besides trying to write. */
const gateTurns: Record<Role, (raider: Newcomer, act: Act, gate: GateVisits) => Promise<void>> = {
  person: async () => undefined,
  spammer: async () => undefined,
  guesser: async (raider, act, gate) => {
    const { group, random, rest, answers } = act;
    for (let left = presses; left > 0 && !group.isIn(raider.id); left -= 1) {
      const choose: Choose = (task) => {
        const chosen = chooseAny(random)(task);
        const right = chooseRight(task);
        const isRight = chosen.every((at) => right.includes(at));
        answers.push({ at: performance.now(), id: raider.id, isRight });
        return chosen;
      };
      await gate.answer(raider, { readMs: readMs(random), rest, choose });
    }
    await floodIfLetIn(raider, act);
  },
  // Answers before a person could have read anything, and with too many words.
  liar: async (raider, { random, rest }, gate) => {
    for (let left = presses; left > 0; left -= 1) {
      await gate.answer(raider, { readMs: random() * 4000, rest, choose: chooseAll });
    }
  },
  leaver: async (raider, { random, rest }, gate) => {
    await rest(500 + random() * 2000);
    gate.withdraw(raider);
    await rest(random() * 4000);
    gate.request(raider);
  },
  returner: async (raider, { group, random, rest }, gate) => {
    while (group.isWaiting(raider.id)) {
      await rest(lookEveryMs);
    }
    await rest(1000 + random() * 4000);
    gate.request(raider);
  },
};
