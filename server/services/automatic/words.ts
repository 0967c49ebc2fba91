/**
 * Finds words and phrases in texts. What it costs has a bound that no entry and no text exceeds: phrases are read by one
 * trie in one pass, and each pattern with wildcards costs at most one step for each sign.
 */
import { maxPatternSigns } from '#contract/chats/values';

import {
  endFlag,
  foldText,
  replaceStandIns,
  type Signs,
  space,
  standIns,
  startFlag,
  toCode,
  toSigns,
} from './signs.ts';

/** How an entry is read: with wildcards or as it is written. */
export type WordEntry = { readonly text: string; readonly hasWildcards: boolean };

/** What was found, and how many signs were compared for it. */
type Search = {
  /** The index of an entry. */
  readonly found: number | undefined;
  readonly steps: number;
};

export type WordMatcher = { readonly find: (signs: Signs) => Search };

export const hasWildcard = (text: string): boolean => /[*?]/.test(text);

/** Returns what finds entries: words and phrases, with `*` and `?` in those that say so. */
export function compileWords(entries: readonly WordEntry[]): WordMatcher {
  const phrases: Phrase[] = [];
  const patterns: Pattern[] = [];
  for (const [index, { text, hasWildcards }] of entries.entries()) {
    const pattern = hasWildcards && hasWildcard(text) ? readPattern(text, index) : undefined;
    if (pattern !== undefined) {
      patterns.push(pattern);
    } else if (!hasWildcards || !hasWildcard(text)) {
      phrases.push({ codes: toEntryCodes(text), index });
    }
  }
  const findByPhrase = compilePhrases(phrases.filter(({ codes }) => codes.length > 0));
  const findPattern = compilePatterns(patterns);
  return {
    find: (signs) => {
      const byPhrase = findByPhrase(signs);
      if (byPhrase.found !== undefined) {
        return byPhrase;
      }
      const { found, steps } = findPattern(signs);
      return { found, steps: byPhrase.steps + steps };
    },
  };
}

/** The letters that an entry means: what stands for letters in it does so in the text, too. */
const toEntryCodes = (text: string): readonly number[] => [...toSigns(foldText(text)).asLetters];

type Phrase = { readonly codes: readonly number[]; readonly index: number };

/** Reads a text once for each way to read the digits in it. */
function compilePhrases(phrases: readonly Phrase[]): (signs: Signs) => Search {
  const trie = createTrie(phrases);
  return ({ codes, asLetters, asOtherLetters, flags }) => {
    const counter = { steps: 0 };
    let found: number | undefined;
    for (const written of phrases.length === 0 ? [] : new Set([codes, asLetters, asOtherLetters])) {
      found ??= findPhrase(trie, { codes: written, flags }, counter);
    }
    return { found, steps: counter.steps };
  };
}

/** Adds to `steps`. */
function findPhrase(
  trie: Node,
  { codes, flags }: Pick<Signs, 'codes' | 'flags'>,
  counter: { steps: number },
): number | undefined {
  let node = trie;
  for (let at = 0; at < codes.length; at += 1) {
    node = follow(node, codes[at] ?? 0, counter);
    let end = ((flags[at] ?? 0) & endFlag) === 0 ? undefined : toEnd(node);
    for (; end !== undefined; end = end.shorter) {
      counter.steps += 1;
      if (((flags[at - end.depth + 1] ?? 0) & startFlag) !== 0) {
        return end.phrase;
      }
    }
  }
  return undefined;
}

type Node = {
  readonly depth: number;
  readonly children: Map<number, Node>;
  /** The index of the phrase that ends here. */
  phrase: number | undefined;
  /** The longest other beginning of a phrase that the signs up to here end with. */
  fallback: Node | undefined;
  /** The longest other phrase that they end with. */
  shorter: Node | undefined;
};

const createNode = (depth: number): Node => ({
  depth,
  children: new Map(),
  phrase: undefined,
  fallback: undefined,
  shorter: undefined,
});

/** The node after a sign, and how many were looked at for it. */
function follow(from: Node, code: number, counter: { steps: number }): Node {
  let node = from;
  for (;;) {
    counter.steps += 1;
    const child = node.children.get(code);
    if (child !== undefined || node.fallback === undefined) {
      return child ?? node;
    }
    node = node.fallback;
  }
}

const toEnd = (node: Node): Node | undefined => (node.phrase === undefined ? node.shorter : node);

/** One trie with a link from each node to the longest other beginning that the signs so far end with (Aho and Corasick). */
function createTrie(phrases: readonly Phrase[]): Node {
  const root = createNode(0);
  for (const { codes, index } of phrases) {
    let node = root;
    for (const code of codes) {
      const child = node.children.get(code) ?? createNode(node.depth + 1);
      node.children.set(code, child);
      node = child;
    }
    // Of two that mean the same the first counts.
    node.phrase ??= index;
  }
  // Those with fewer signs first, because the others are made from them.
  const open = [root];
  for (const parent of open) {
    for (const [code, node] of parent.children) {
      node.fallback =
        parent.fallback === undefined ? root : follow(parent.fallback, code, { steps: 0 });
      node.shorter = toEnd(node.fallback);
      open.push(node);
    }
  }
  return root;
}

/** A sign, or undefined for `?`, and whether any run of signs may follow it. */
type PatternSign = { readonly code: number | undefined; isLoose: boolean };
type Pattern = {
  readonly index: number;
  readonly signs: readonly PatternSign[];
  readonly beginsAnywhere: boolean;
  readonly endsAnywhere: boolean;
  /** Whether `*` also stands for spaces. */
  readonly isPhrase: boolean;
};

/** Undefined for one that has no sign of its own, or too many. */
function readPattern(text: string, index: number): Pattern | undefined {
  const codes = toPatternCodes(text);
  const signs: PatternSign[] = [];
  for (const code of codes) {
    const last = signs.at(-1);
    if (code !== toCode('*')) {
      signs.push({ code: code === toCode('?') ? undefined : code, isLoose: false });
    } else if (last !== undefined) {
      last.isLoose = true;
    }
  }
  const own = signs.filter(({ code }) => code !== undefined && code !== space);
  const last = signs.at(-1);
  if (own.length === 0 || last === undefined || signs.length > maxPatternSigns) {
    return undefined;
  }
  const endsAnywhere = last.isLoose;
  last.isLoose = false;
  return {
    index,
    signs,
    beginsAnywhere: codes[0] === toCode('*'),
    endsAnywhere,
    isPhrase: codes.includes(space),
  };
}

/** Wildcards between letters belong to their word, and stand for themselves alone. */
function toPatternCodes(text: string): readonly number[] {
  const folded = toSigns(foldText(text));
  // For a wildcard a letter stands, so that `c?s1no` is one word.
  const joined = folded.codes.map((code) =>
    code === toCode('*') || code === toCode('?') ? toCode('_') : code,
  );
  const { asLetters } = replaceStandIns(joined);
  return [...asLetters].map((code, at) =>
    joined[at] === folded.codes[at] ? code : (folded.codes[at] ?? 0),
  );
}

/** What has a place in one number: patterns one after the other, a bit for each sign. */
type Lane = {
  used: number;
  readonly patterns: { readonly pattern: Pattern; readonly at: number }[];
};

/** Fills lanes with the longest first, so that they are few. */
function toLanes(patterns: readonly Pattern[]): readonly Lane[] {
  const lanes: Lane[] = [];
  const byLength = patterns.toSorted((one, other) => other.signs.length - one.signs.length);
  for (const pattern of byLength) {
    const { length } = pattern.signs;
    let lane = lanes.find(({ used }) => used + length <= maxPatternSigns);
    if (lane === undefined) {
      lane = { used: 0, patterns: [] };
      lanes.push(lane);
    }
    lane.patterns.push({ pattern, at: lane.used });
    lane.used += length;
  }
  return lanes;
}

/** Classes of signs: what no pattern has, spaces, then each sign of a pattern. */
const otherClass = 0;
const spaceClass = 1;
const firstClass = 2;

/**
 * Follows all patterns of a lane at once: a bit is set while the signs up to it have been found (Baeza-Yates and
 * Gonnet). A sign of the text costs a lane one step, whatever the patterns are.
 */
function compilePatterns(patterns: readonly Pattern[]): (signs: Signs) => Search {
  const classes = new Map<number, number>([[space, spaceClass]]);
  for (const { code } of patterns.flatMap(({ signs }) => signs)) {
    if (code !== undefined) {
      classes.set(code, classes.get(code) ?? classes.size + firstClass - 1);
    }
  }
  const toClass = (code: number) => classes.get(code) ?? otherClass;
  const standInClasses = new Map<number, number>();
  for (const code of standIns.keys()) {
    standInClasses.set(code, classes.size + firstClass - 1 + standInClasses.size);
  }
  const width = classes.size + firstClass - 1 + standInClasses.size;
  /** The classes that a class stands for. */
  const meanings = Array.from({ length: width }, (_item, index) => [index]);
  for (const [code, [letter, other]] of standIns) {
    meanings[standInClasses.get(code) ?? otherClass] = [code, letter, other].map(toClass);
  }
  const lanes = toLanes(patterns).map((lane) => compileLane(lane, { toClass, meanings }));
  const packed = packLanes(lanes);
  const size = lanes.reduce((sum, { used }) => sum + used, 0);

  function toKeys({ codes, asLetters, flags }: Signs): Uint16Array {
    const keys = new Uint16Array(codes.length);
    for (let at = 0; at < keys.length; at += 1) {
      const code = codes[at] ?? 0;
      const one = code === asLetters[at] ? toClass(code) : (standInClasses.get(code) ?? otherClass);
      keys[at] = toKey(one, flags[at] ?? 0);
    }
    return keys;
  }

  return (signs) => {
    if (lanes.length === 0) {
      return { found: undefined, steps: 0 };
    }
    const keys = toKeys(signs);
    const present = new Set([...new Set(keys)].flatMap((key) => meanings[toClassAgain(key)] ?? []));
    const likely = lanes.flatMap((lane, index) => (lane.mayMatch(present) ? [index] : []));
    const { found, steps } = searchLanes(lanes, packed, { likely, keys });
    return { found, steps: steps + size };
  };
}

/** Compares the named lanes, two at a time; of an odd number the last one with itself. */
function searchLanes(
  lanes: readonly CompiledLane[],
  { masks, width }: PackedLanes,
  { likely, keys }: { readonly likely: readonly number[]; readonly keys: Uint16Array },
): Search {
  let steps = 0;
  for (let place = 0; place < likely.length; place += 2) {
    const index = likely[place] ?? 0;
    const otherIndex = likely[place + 1] ?? index;
    const [one, other] = [lanes[index], lanes[otherIndex]];
    steps += (one === other ? 1 : 2) * keys.length;
    const compared = { keys, masks, start: index * width, otherStart: otherIndex * width };
    if (one !== undefined && other !== undefined && endsInEither(compared, one.bits, other.bits)) {
      return { found: one.find(keys) ?? other.find(keys), steps };
    }
  }
  return { found: undefined, steps };
}

/** A class and the flags of a position in one number. */
const toKey = (one: number, flag: number): number => one * 4 + flag;
const toClassAgain = (key: number): number => key >> 2;

type Classes = {
  readonly toClass: (code: number) => number;
  readonly meanings: readonly (readonly number[])[];
};

type CompiledLane = ReturnType<typeof compileLane>;

function compileLane(lane: Lane, classes: Classes) {
  const { patterns, used } = lane;
  const bits = toBits(lane);
  const masks = toMasks(lane, bits, classes);
  const needed = patterns.map(({ pattern: { signs } }) => [
    ...new Set(signs.flatMap(({ code }) => (code === undefined ? [] : [classes.toClass(code)]))),
  ]);

  return {
    used,
    bits,
    masks,
    /** Whether all signs of one of its patterns are in the text. */
    mayMatch: (present: ReadonlySet<number>): boolean =>
      needed.some((signs) => signs.every((one) => present.has(one))),
    /** The index of the pattern that ends first. */
    find(keys: Uint16Array): number | undefined {
      const ended = findEnd(keys, { masks, bits });
      return patterns.find(
        ({ pattern, at }) => (ended & (1 << (at + pattern.signs.length - 1))) !== 0,
      )?.pattern.index;
    },
  };
}

/** The bits of the patterns that end at the first place where any does; 0 where none does. */
function findEnd(
  keys: Uint16Array,
  { masks, bits }: { readonly masks: Int32Array; readonly bits: ReturnType<typeof toBits> },
): number {
  const { first, last, open, loose, looseOverSpaces } = bits;
  let found = 0;
  for (const key of keys) {
    const stays = toClassAgain(key) === spaceClass ? looseOverSpaces : loose;
    found = (((found << 1) | first) & (masks[key] ?? 0)) | (found & stays);
    const ended = found & ((key & endFlag) === 0 ? open : last);
    if (ended !== 0) {
      return ended;
    }
  }
  return 0;
}

/** The masks of all lanes one after the other, so that they are near each other in memory. */
type PackedLanes = {
  readonly masks: Int32Array;
  /** How many masks a lane has. */
  readonly width: number;
};

function packLanes(lanes: readonly CompiledLane[]): PackedLanes {
  const width = lanes[0]?.masks.length ?? 0;
  const masks = new Int32Array(lanes.length * width);
  for (const [index, lane] of lanes.entries()) {
    masks.set(lane.masks, index * width);
  }
  return { masks, width };
}

type Compared = {
  readonly keys: Uint16Array;
  readonly masks: Int32Array;
  /** Where the masks of each lane begin. */
  readonly start: number;
  readonly otherStart: number;
};

/**
 * Whether a pattern of one of two lanes ends anywhere: what `findEnd` does, in two lanes side by side, as a processor does
 * it in little more time than in one. Of all that is done for a message, this takes longest.
 */
function endsInEither(
  { keys, masks, start, otherStart }: Compared,
  { first, last, open, loose, looseOverSpaces }: LaneBits,
  {
    first: otherFirst,
    last: otherLast,
    open: otherOpen,
    loose: otherLoose,
    looseOverSpaces: otherOverSpaces,
  }: LaneBits,
): boolean {
  let found = 0;
  let otherFound = 0;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? 0;
    const isSpace = key >> 2 === spaceClass;
    const isInside = (key & endFlag) === 0;
    found =
      (((found << 1) | first) & (masks[start + key] ?? 0)) |
      (found & (isSpace ? looseOverSpaces : loose));
    otherFound =
      (((otherFound << 1) | otherFirst) & (masks[otherStart + key] ?? 0)) |
      (otherFound & (isSpace ? otherOverSpaces : otherLoose));
    const ended = found & (isInside ? open : last);
    if ((ended | (otherFound & (isInside ? otherOpen : otherLast))) !== 0) {
      return true;
    }
  }
  return false;
}

type LaneBits = ReturnType<typeof toBits>;

function toBits({ patterns }: Lane) {
  let [first, free, last, open, loose, looseOverSpaces] = [0, 0, 0, 0, 0, 0];
  for (const { pattern, at } of patterns) {
    const { signs, beginsAnywhere, endsAnywhere, isPhrase } = pattern;
    const lastBit = 1 << (at + signs.length - 1);
    first |= 1 << at;
    free |= beginsAnywhere ? 1 << at : 0;
    last |= lastBit;
    open |= endsAnywhere ? lastBit : 0;
    for (const [index, { isLoose }] of signs.entries()) {
      const bit = isLoose ? 1 << (at + index) : 0;
      loose |= bit;
      looseOverSpaces |= isPhrase ? bit : 0;
    }
  }
  return { first, free, last, open, loose, looseOverSpaces };
}

/** For each key the bits of the signs that may stand there. */
function toMasks(
  { patterns }: Lane,
  { first, free }: ReturnType<typeof toBits>,
  { toClass, meanings }: Classes,
): Int32Array {
  const single = new Int32Array(meanings.length);
  let anySign = 0;
  for (const { pattern, at } of patterns) {
    for (const [index, { code }] of pattern.signs.entries()) {
      const bit = 1 << (at + index);
      if (code === undefined) {
        anySign |= bit;
      } else {
        single[toClass(code)] = (single[toClass(code)] ?? 0) | bit;
      }
    }
  }
  const masks = new Int32Array(meanings.length * 4);
  for (const [one, meant] of meanings.entries()) {
    const mask = meant.reduce(
      (sum, meaning) => sum | (single[meaning] ?? 0),
      one === spaceClass ? 0 : anySign,
    );
    for (let flag = 0; flag < 4; flag += 1) {
      masks[toKey(one, flag)] = (flag & startFlag) === 0 ? mask & ~(first & ~free) : mask;
    }
  }
  return masks;
}
