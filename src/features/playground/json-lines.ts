/**
 * Lays JSON out in lines without copying it: a line is a piece of the text as it came and a depth. So ten
 * megabytes need no second string, and numbers that JavaScript would round stay as they were sent.
 */

export type JsonLines = {
  readonly count: number;
  /** Where each line begins and ends in the text. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly depths: Uint16Array;
  /** Of a line that opens an object or a list: the line that closes it. Else 0. */
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
  const open: number[] = [];
  let start = skipSpace(text, 0);
  let at = start;
  /** After the last character that is no space. */
  let end = start;

  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === code.quote) {
      at = endOfString(text, at);
      end = at;
    } else if (char === code.openObject || char === code.openList) {
      const next = skipSpace(text, at + 1);
      if (isClosing(text.charCodeAt(next))) {
        // Empty: it stays where it is.
        at = next + 1;
        end = at;
      } else {
        open.push(lines.add(start, at + 1, open.length));
        [start, at, end] = [next, next, next];
      }
    } else if (isClosing(char)) {
      lines.add(start, end, open.length);
      lines.close(open.pop() ?? 0);
      start = at;
      at += 1;
      end = at;
    } else if (char === code.comma) {
      lines.add(start, at + 1, open.length);
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
    lines.add(start, end, open.length);
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

/** The place after the string that begins here. */
function endOfString(text: string, from: number): number {
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

/** Arrays of numbers that grow; ordinary ones would take four times as long to send to another thread. */
class LineWriter {
  private count = 0;
  private starts: Uint32Array<ArrayBuffer>;
  private ends: Uint32Array<ArrayBuffer>;
  private depths: Uint16Array<ArrayBuffer>;
  private closes: Uint32Array<ArrayBuffer>;

  constructor(length: number) {
    const room = Math.max(64, length >> 3);
    this.starts = new Uint32Array(room);
    this.ends = new Uint32Array(room);
    this.depths = new Uint16Array(room);
    this.closes = new Uint32Array(room);
  }

  /** Answers the number of the line. */
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

  /** What this line opened is closed by the next one. */
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
    const room = this.starts.length * 2;
    const bigger = (old: Uint32Array) => {
      const array = new Uint32Array(room);
      array.set(old);
      return array;
    };
    const depths = new Uint16Array(room);
    depths.set(this.depths);
    this.starts = bigger(this.starts);
    this.ends = bigger(this.ends);
    this.closes = bigger(this.closes);
    this.depths = depths;
  }
}
