/**
 * `npm run bench:blocklist`: how long a message of 4,096 signs takes with 500 entries, from the text as it comes to the
 * entry that is found: the worst lists that are known, and a usual one. Fails when the worst takes longer than may be.
 */
import process from 'node:process';

import { maxPatternSigns } from '#contract/chats/values';
import { foldText, toSigns } from '#server/services/automatic/signs';
import { compileWords } from '#server/services/automatic/words';

import { giveUp, Stop } from './lib/say.mjs';

const entryCount = 500;
const textLength = 4096;
const rounds = 300;
/** A message is no first one where messages are many. */
const warmUpRounds = 20;
/** In ms of the processor, the median for the worst list: what else the computer does makes rounds slower, and does not count. */
const budget = 5;

let state = 1;
/** The same in every run. */
function next(max: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
  return state % max;
}

const pick = (signs: string, length: number): string =>
  Array.from({ length }, () => signs.charAt(next(signs.length))).join('');

const list = (make: (index: number) => string): readonly string[] =>
  Array.from({ length: entryCount }, (_item, index) => make(index));

const fill = (part: string): string => part.repeat(textLength).slice(0, textLength);

/** Nothing is found in any of them, so that all is compared. The last signs of a text are those that an entry ends with. */
const end = ' z y';
const upTo = (text: string): string => text.slice(0, textLength - end.length) + end;

const cases: Readonly<Record<string, readonly [entries: readonly string[], text: string]>> = {
  'stars between all signs': [
    list((index) =>
      `*${Array.from(`${pick('ab', maxPatternSigns - 2)}zy`).join('*')}${index % 2 ? '' : '*'}`.slice(
        0,
        64,
      ),
    ),
    upTo(fill('ab')),
  ],
  'long with ?': [list(() => `*${pick('ab?', maxPatternSigns - 2)}z*y`), upTo(fill('aabab'))],
  'digits for letters': [
    list(() => `*${pick('ilase?', maxPatternSigns - 2)}z*y`),
    upTo(fill('1a4$e3@s')),
  ],
  'phrases that end alike': [
    list((index) => `${pick('ab', 9)} ${'a '.repeat((index % 25) + 1)}z`),
    upTo(fill('xa ')),
  ],
  'written out': [list(() => `*${pick('キロメートル', 20)}z*y`), upTo(fill('㌖'))],
  'a usual list': [
    list(
      (index) =>
        `${index % 2 ? '*' : ''}${pick('abcdefghijklmnopqrstuvwxyz', 8)}${index % 3 ? '*' : ''}`,
    ),
    fill('hello everyone, how are you doing today? '),
  ],
};

try {
  let worst = 0;
  for (const [name, [entries, text]] of Object.entries(cases)) {
    const startedAt = performance.now();
    const matcher = compileWords(entries.map((entry) => ({ text: entry, hasWildcards: true })));
    const compiledMs = performance.now() - startedAt;
    const times: number[] = [];
    let steps = 0;
    for (let round = 0; round < warmUpRounds; round += 1) {
      matcher.find(toSigns(foldText(text)));
    }
    const processor: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const used = process.cpuUsage();
      const before = performance.now();
      steps = matcher.find(toSigns(foldText(text))).steps;
      times.push(performance.now() - before);
      const { user, system } = process.cpuUsage(used);
      processor.push((user + system) / 1000);
    }
    processor.sort((one, other) => one - other);
    const processorMs = processor[rounds >> 1] ?? Number.NaN;
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.min(rounds - 1, Math.floor(rounds * share))] ?? 0;
    worst = Math.max(worst, processorMs);
    process.stdout.write(
      `${name.padEnd(24)} ${processorMs.toFixed(2)} ms of the processor, p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms, max ${at(1).toFixed(2)} ms, ${steps} steps, compiled in ${compiledMs.toFixed(0)} ms\n`,
    );
  }
  process.stdout.write(`The worst: ${worst.toFixed(2)} ms, the budget is ${budget} ms\n`);
  if (!(worst < budget)) {
    throw new Stop('over the budget of blocklists.');
  }
} catch (failure) {
  giveUp(failure);
}
