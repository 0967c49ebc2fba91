/** How people solve the tasks for newcomers: those of the join gate, and those in the group. */
import { pbkdf2Sync } from 'node:crypto';

import { type Gate } from '#contract/endpoints/gate';

const belonging: Readonly<Record<string, readonly string[]>> = {
  'Choose the three fruits.': ['apple', 'banana', 'grapes', 'lemon', 'cherries', 'strawberry'],
  'Choose the three animals.': ['dog', 'cat', 'horse', 'fish', 'elephant', 'rabbit'],
  'Choose the three vehicles.': ['car', 'bus', 'train', 'bicycle', 'ship', 'plane'],
  'Choose the three things to wear.': ['shirt', 'shoe', 'hat', 'gloves', 'socks', 'trousers'],
  'Choose the three musical instruments.': [
    'guitar',
    'violin',
    'piano',
    'drum',
    'trumpet',
    'saxophone',
  ],
};

export type Task = NonNullable<Gate['task']>;

/** The positions that a person chooses. */
export function solve({ question, words }: Pick<Task, 'question' | 'words'>): readonly number[] {
  return [...words.keys()].filter((at) => belonging[question]?.includes(words[at]?.word ?? ''));
}

/** Another three. */
export const mistake = (task: Task): readonly number[] =>
  [...task.words.keys()].filter((at) => !solve(task).includes(at)).slice(0, 3);

export function workOut({ ticket, work }: Pick<Task, 'ticket' | 'work'>): number {
  const { candidates, iterations, target } = work;
  for (let number = 0; number < candidates; number += 1) {
    const made = pbkdf2Sync(String(number), ticket, iterations, 16, 'sha256').toString('hex');
    if (made === target) {
      return number;
    }
  }
  throw new Error('None of the numbers makes the target');
}

/** Pictures as a person knows them. */
const pictures: Readonly<Record<string, string>> = {
  apple: '🍎',
  banana: '🍌',
  grapes: '🍇',
  dog: '🐕',
  fish: '🐟',
  elephant: '🐘',
  car: '🚗',
  bicycle: '🚲',
  ship: '🚢',
  shoe: '👞',
  hat: '🎩',
  guitar: '🎸',
};

/** What a person presses below a question in the group; undefined when they do not know what to do. */
export function solveCaptcha(text: string, labels: readonly string[]): string | undefined {
  const [, one, other] = /(\d+) \+ (\d+)/.exec(text) ?? [];
  if (one !== undefined) {
    return labels.find((label) => Number(label) === Number(one) + Number(other));
  }
  const [, word] = /Press “([^”]+)”/.exec(text) ?? [];
  const [, pictured = ''] = /picture of this: (.+?)\. /.exec(text) ?? [];
  const wanted = word ?? pictures[pictured];
  return wanted === undefined && labels.length === 1
    ? labels[0]
    : labels.find((label) => label === wanted);
}
