/**
 * Calculates what people type: + - * / ^, brackets, percentages and remainders, a few functions and constants. Every sign is
 * read once, so that neither time nor depth grows beyond the length of the text.
 */

/** Characters of what is calculated. */
export const maxFormulaLength = 100;

export type Calculated =
  | { readonly value: number }
  | {
      readonly problem:
        | 'not understood'
        | 'too long'
        | 'division by zero'
        | 'too large'
        | 'no number';
    };

type Problem = Exclude<Calculated, { readonly value: number }>['problem'];

class Failed extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem);
    this.problem = problem;
  }
}

const functions: ReadonlyMap<string, (value: number) => number> = new Map([
  ['sqrt', Math.sqrt],
  ['sin', Math.sin],
  ['cos', Math.cos],
  ['tan', Math.tan],
  ['ln', Math.log],
  ['log', Math.log10],
  ['abs', Math.abs],
  // Half away from zero, also below it.
  ['round', (value: number) => Math.sign(value) * Math.round(Math.abs(value))],
]);

const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
]);

/** How else people write the same signs. */
const signs: ReadonlyMap<string, string> = new Map([
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  [':', '/'],
  ['−', '-'],
  ['–', '-'],
  ['**', '^'],
]);

const token = /\s*(?:(\d+(?:[.,]\d+)?|[.,]\d+)|([a-z]+|π)|(\*\*|[-+*/^%()×·÷:−–]))/iuy;

type Token = { readonly number?: number; readonly name?: string; readonly sign?: string };

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trim();
  token.lastIndex = 0;
  while (token.lastIndex < trimmed.length) {
    const [, number, name, sign] = token.exec(trimmed) ?? [];
    if (number !== undefined) {
      tokens.push({ number: Number(number.replace(',', '.')) });
    } else if (name !== undefined) {
      tokens.push({ name: name.toLowerCase() });
    } else if (sign === undefined) {
      throw new Failed('not understood');
    } else {
      tokens.push({ sign: signs.get(sign) ?? sign });
    }
  }
  return tokens;
}

/** Goes through the signs, one after the other. */
function createReader(tokens: readonly Token[]) {
  let place = 0;
  const isSign = (sign: string) => tokens[place]?.sign === sign;

  return {
    isSign,
    peek: (): Token => tokens[place] ?? {},
    isAtEnd: (): boolean => place >= tokens.length,
    next: (): void => void (place += 1),
    back: (): void => void (place -= 1),
    /** Whether a number, a name or a bracket begins here. */
    isOperand: (): boolean =>
      isSign('(') || tokens[place]?.number !== undefined || tokens[place]?.name !== undefined,
    /** Takes one of these signs, if it comes next. */
    take: (...wanted: readonly string[]): string | undefined => {
      const { sign } = tokens[place] ?? {};
      if (sign === undefined || !wanted.includes(sign)) {
        return undefined;
      }
      place += 1;
      return sign;
    },
  };
}

type Reader = ReturnType<typeof createReader>;

/** Each throws `Failed`. */
function createParser(reader: Reader) {
  const { take, peek, isSign, isAtEnd } = reader;

  function readSum(): number {
    let value = readProduct();
    for (let sign = take('+', '-'); sign !== undefined; sign = take('+', '-')) {
      const other = readProduct();
      value = check(sign === '+' ? value + other : value - other);
    }
    return value;
  }

  function readProduct(): number {
    let value = readSigned();
    for (;;) {
      const sign = take('*', '/', '%');
      if (sign === '*') {
        value = check(value * readSigned());
      } else if (sign !== undefined) {
        const divisor = readSigned();
        if (divisor === 0) {
          throw new Failed('division by zero');
        }
        value = check(sign === '/' ? value / divisor : value % divisor);
      } else if (peek().name !== undefined || isSign('(')) {
        // 2pi, 2(3 + 4)
        value = check(value * readSigned());
      } else {
        return value;
      }
    }
  }

  function readSigned(): number {
    const sign = take('+', '-');
    if (sign === undefined) {
      return readPower();
    }
    return sign === '-' ? -readSigned() : readSigned();
  }

  function readPower(): number {
    const base = applyPercents(reader, readOperand());
    if (take('^') === undefined) {
      return base;
    }
    const exponent = readSigned();
    if (base === 0 && exponent < 0) {
      throw new Failed('division by zero');
    }
    return check(base ** exponent);
  }

  function readOperand(): number {
    const { number, name } = peek();
    if (take('(') !== undefined) {
      return readRest();
    }
    reader.next();
    if (number !== undefined) {
      return check(number);
    }
    const constant = constants.get(name ?? '');
    if (constant !== undefined) {
      return constant;
    }
    const apply = functions.get(name ?? '');
    if (apply === undefined || take('(') === undefined) {
      throw new Failed('not understood');
    }
    return requireNumber(apply(readRest()));
  }

  /** What is in brackets, after the first. */
  function readRest(): number {
    const value = readSum();
    if (take(')') === undefined) {
      throw new Failed('not understood');
    }
    return value;
  }

  return (): number => {
    const value = readSum();
    if (!isAtEnd()) {
      throw new Failed('not understood');
    }
    return value;
  };
}

/** 10% is a tenth; in 10 % 3 the sign is that of the remainder. */
function applyPercents(reader: Reader, value: number): number {
  if (reader.take('%') === undefined) {
    return value;
  }
  if (reader.isOperand()) {
    reader.back();
    return value;
  }
  return applyPercents(reader, value / 100);
}

/** Infinity is none either: that of a logarithm of zero. */
function requireNumber(value: number): number {
  if (!Number.isFinite(value)) {
    throw new Failed('no number');
  }
  return value;
}

function check(value: number): number {
  if (Number.isNaN(value)) {
    throw new Failed('no number');
  }
  if (!Number.isFinite(value)) {
    throw new Failed('too large');
  }
  return value;
}

export function calculate(text: string): Calculated {
  if (Array.from(text).length > maxFormulaLength) {
    return { problem: 'too long' };
  }
  try {
    return { value: createParser(createReader(readTokens(text)))() };
  } catch (error) {
    if (error instanceof Failed) {
      return { problem: error.problem };
    }
    throw error;
  }
}

/** As many digits as are certain. */
const digits = 12;

/** Without what only rounding has added: 0.1 + 0.2 is 0.3. */
export function formatNumber(value: number): string {
  const rounded = Number(value.toPrecision(digits));
  // Below zero and too small to show it is zero.
  return String(rounded === 0 ? 0 : rounded).replace('e+', 'e');
}
