/**
 * Splits JSON into lines without copying it: a line is a range of the original text and a depth. So 10 MB
 * need no second string, and numbers that JavaScript would round stay as they were sent. Also says which
 * lines are visible when some are folded.
 */

export type JsonLines = {
  readonly count: number;
  /** Where each line begins and ends in the text. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly depths: Uint16Array;
  /** For a line that opens an object or a list: the line that closes it. Else 0. */
  readonly closes: Uint32Array;
};

const code = {
  quote: 34,
  comma: 44,
  openList: 91,
  backslash: 92,
  closeList: 93,
  openObject: 123,
  closeObject: 125,
} as const;

/** `text` has to be valid JSON. */
export function layOut(text: string): JsonLines {
  const lines = new LineWriter(text.length);
  const openLines: number[] = [];
  let start = skipSpace(text, 0);
  let at = start;
  /** After the last character that is not a space. */
  let end = start;

  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === code.quote) {
      at = skipString(text, at);
      end = at;
    } else if (char === code.openObject || char === code.openList) {
      const next = skipSpace(text, at + 1);
      if (isClosing(text.charCodeAt(next))) {
        // An empty object or list stays on its line.
        at = next + 1;
        end = at;
      } else {
        openLines.push(lines.add(start, at + 1, openLines.length));
        [start, at, end] = [next, next, next];
      }
    } else if (isClosing(char)) {
      lines.add(start, end, openLines.length);
      lines.close(openLines.pop() ?? 0);
      start = at;
      at += 1;
      end = at;
    } else if (char === code.comma) {
      lines.add(start, at + 1, openLines.length);
      start = skipSpace(text, at + 1);
      [at, end] = [start, start];
    } else {
      at += 1;
      if (char > 32) {
        end = at;
      }
    }
  }
  if (end > start) {
    lines.add(start, end, openLines.length);
  }
  return lines.done();
}

function isClosing(char: number): boolean {
  return char === code.closeObject || char === code.closeList;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) {
    at += 1;
  }
  return at;
}

/** Returns the position after the string that begins at `from`. */
function skipString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === code.backslash) {
      slashes += 1;
    }
    if (slashes % 2 === 0) {
      return end + 1;
    }
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Growing typed arrays; ordinary arrays would take four times as long to send to another thread. */
class LineWriter {
  private count = 0;
  private starts: Uint32Array<ArrayBuffer>;
  private ends: Uint32Array<ArrayBuffer>;
  private depths: Uint16Array<ArrayBuffer>;
  private closes: Uint32Array<ArrayBuffer>;

  constructor(length: number) {
    const capacity = Math.max(64, length >> 3);
    this.starts = new Uint32Array(capacity);
    this.ends = new Uint32Array(capacity);
    this.depths = new Uint16Array(capacity);
    this.closes = new Uint32Array(capacity);
  }

  /** Returns the number of the line. */
  add(start: number, end: number, depth: number): number {
    if (this.count === this.starts.length) {
      this.grow();
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.depths[this.count] = depth;
    this.count += 1;
    return this.count - 1;
  }

  /** The next line closes what this line opened. */
  close(line: number): void {
    this.closes[line] = this.count;
  }

  done(): JsonLines {
    const { count, starts, ends, depths, closes } = this;
    return {
      count,
      starts: starts.slice(0, count),
      ends: ends.slice(0, count),
      depths: depths.slice(0, count),
      closes: closes.slice(0, count),
    };
  }

  private grow(): void {
    const capacity = this.starts.length * 2;
    const enlarge = (old: Uint32Array) => {
      const array = new Uint32Array(capacity);
      array.set(old);
      return array;
    };
    const depths = new Uint16Array(capacity);
    depths.set(this.depths);
    this.starts = enlarge(this.starts);
    this.ends = enlarge(this.ends);
    this.closes = enlarge(this.closes);
    this.depths = depths;
  }
}

/** The line at a position of the text. */
export function findLine({ starts, count }: JsonLines, position: number): number {
  return lastUpTo(starts, count, position);
}

/** The index of the last value that is not greater than `limit`, among `count` ascending values; else 0. */
function lastUpTo(values: Uint32Array, count: number, limit: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) <= limit) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

export type Folding = {
  /** Folded lines; each opens an object or a list. */
  readonly at: ReadonlySet<number>;
  /** The lines that are not hidden; undefined when none is. */
  readonly visible: Uint32Array | undefined;
};

export const unfolded: Folding = { at: new Set(), visible: undefined };

export function fold(lines: JsonLines, at: ReadonlySet<number>): Folding {
  if (at.size === 0) {
    return unfolded;
  }
  const visible = new Uint32Array(lines.count);
  let count = 0;
  for (let line = 0; line < lines.count; line += 1) {
    visible[count] = line;
    count += 1;
    if (at.has(line)) {
      // The closing line is shown at the end of the folded one.
      line = lines.closes[line] ?? line;
    }
  }
  return { at, visible: visible.slice(0, count) };
}

/** Folds everything but the outermost object or list. */
export function foldAll(lines: JsonLines): Folding {
  const at = new Set<number>();
  for (let line = 0; line < lines.count; line += 1) {
    if ((lines.closes[line] ?? 0) > 0 && (lines.depths[line] ?? 0) === 1) {
      at.add(line);
    }
  }
  return fold(lines, at);
}

/** Unfolds what hides a line. */
export function reveal(lines: JsonLines, folding: Folding, line: number): Folding {
  const hides = (opener: number) => opener < line && line <= (lines.closes[opener] ?? 0);
  const at = new Set([...folding.at].filter((opener) => !hides(opener)));
  return at.size === folding.at.size ? folding : fold(lines, at);
}

/** The row of a line among those that are visible. */
export function toRow({ visible }: Folding, line: number): number {
  return visible ? lastUpTo(visible, visible.length, line) : line;
}
