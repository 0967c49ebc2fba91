/** Which lines of a body have what is searched for, and which lines are left when some are folded. */
import { type JsonLines } from './json-lines.ts';
import { finderOf } from './json-text.ts';

/** More finds than anybody steps through. */
const mostHits = 10_000;

export type Hits = { readonly lines: readonly number[]; readonly isMore: boolean };

/** The line of each find, in order; a line with two is there twice. */
export function findIn(text: string, lines: JsonLines, term: string): Hits {
  const found: number[] = [];
  if (term === '') {
    return { lines: found, isMore: false };
  }
  for (const { index } of text.matchAll(finderOf(term))) {
    if (found.length === mostHits) {
      return { lines: found, isMore: true };
    }
    found.push(lineAt(lines, index));
  }
  return { lines: found, isMore: false };
}

function lineAt({ starts, count }: JsonLines, place: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

export type Folded = {
  /** Lines that open something and are folded. */
  readonly at: ReadonlySet<number>;
  /** The lines that are left; undefined when all are. */
  readonly visible: Uint32Array | undefined;
};

export const unfolded: Folded = { at: new Set(), visible: undefined };

export function fold(lines: JsonLines, at: ReadonlySet<number>): Folded {
  if (at.size === 0) {
    return unfolded;
  }
  const visible = new Uint32Array(lines.count);
  let count = 0;
  for (let line = 0; line < lines.count; line += 1) {
    visible[count] = line;
    count += 1;
    if (at.has(line)) {
      // The line that closes it is shown at its end.
      line = lines.closes[line] ?? line;
    }
  }
  return { at, visible: visible.slice(0, count) };
}

/** Everything but the outermost. */
export function foldAll(lines: JsonLines): Folded {
  const at = new Set<number>();
  for (let line = 0; line < lines.count; line += 1) {
    if ((lines.closes[line] ?? 0) > 0 && (lines.depths[line] ?? 0) === 1) {
      at.add(line);
    }
  }
  return fold(lines, at);
}

/** With the line in sight: what was folded around it is open. */
export function showing(lines: JsonLines, folded: Folded, line: number): Folded {
  const around = [...folded.at].filter(
    (opener) => opener < line && line <= (lines.closes[opener] ?? 0),
  );
  return around.length === 0
    ? folded
    : fold(lines, new Set([...folded.at].filter((opener) => !around.includes(opener))));
}

/** Where a line is among those that are left. */
export function placeOf({ visible }: Folded, line: number): number {
  if (!visible) {
    return line;
  }
  let [low, high] = [0, visible.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((visible[middle] ?? 0) <= line) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
