/** What people calculate in any chat. */
import {
  assert as assertProperty,
  constantFrom,
  letrec,
  nat,
  oneof,
  pre,
  property,
  string,
  tuple,
} from 'fast-check';
import { expect, test } from 'vitest';

import { calculate, formatNumber } from '#server/lib/calculator';

function show(text: string): string {
  const calculated = calculate(text);
  return 'value' in calculated ? formatNumber(calculated.value) : calculated.problem;
}

test.each([
  ['2+3*4', '14'],
  ['(2+3)*4', '20'],
  ['2^10 / 3', '341.333333333'],
  ['2^3^2', '512'],
  ['-2^2', '-4'],
  ['2**-1', '0.5'],
  ['7 - -3', '10'],
  ['0,1 + .2', '0.3'],
  ['6 × 7 ÷ 2 − 1', '20'],
  ['10%', '0.1'],
  ['200 * 15% + 1', '31'],
  ['10 % 4', '2'],
  ['2pi', '6.28318530718'],
  ['2(3 + 4)', '14'],
  ['SQRT(2) ^ 2', '2'],
  ['sin(pi / 2) + cos(0) + tan(0)', '2'],
  ['ln(e) + log(1000)', '4'],
  ['abs(-3) + round(2.5) - round(-2.5)', '9'],
  ['2^1000', '1.07150860719e301'],
  ['-0', '0'],
])('%s is %s', (text, result) => {
  expect(show(text)).toBe(result);
});

test.each([
  ['1/0', 'division by zero'],
  ['5 % (3 - 3)', 'division by zero'],
  ['0^-1', 'division by zero'],
  ['9^9^9', 'too large'],
  ['sqrt(-1)', 'no number'],
  ['ln(0)', 'no number'],
  ['(-8)^(1/3)', 'no number'],
  ['', 'not understood'],
  ['2 +', 'not understood'],
  ['(2', 'not understood'],
  ['2)', 'not understood'],
  ['2 3', 'not understood'],
  ['1.2.3', 'not understood'],
  ['hello', 'not understood'],
  ['sqrt 4', 'not understood'],
  ['constructor(1)', 'not understood'],
  ['1'.repeat(101), 'too long'],
  ['('.repeat(100), 'not understood'],
])('%s has no result: %s', (text, problem) => {
  expect(show(text)).toBe(problem);
});

type Formula = { readonly text: string; readonly value: number };

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

const { formula } = letrec<{ formula: Formula }>((tie) => ({
  formula: oneof(
    { maxDepth: 3, withCrossShrink: true },
    nat(99).map((value) => ({ text: String(value), value })),
    tuple(tie('formula'), constantFrom(...Object.keys(operators)), tie('formula')).map(
      ([a, sign, b]) => ({
        text: `(${a.text} ${sign} ${b.text})`,
        value: operators[sign]?.(a.value, b.value) ?? Number.NaN,
      }),
    ),
    tie('formula').map(({ text, value }) => ({ text: `(-${text})`, value: -value })),
  ),
}));

test('every formula has the result that it has in arithmetic', () => {
  assertProperty(
    property(formula, ({ text, value }) => {
      pre(text.length <= 100);
      const calculated = calculate(text);
      const result = 'value' in calculated ? calculated.value : Number.NaN;
      expect(Number.isFinite(value) ? result : Number.NaN).toBe(
        Number.isFinite(value) ? value : Number.NaN,
      );
    }),
  );
});

test('whatever is typed has an answer, and a result can be calculated with again', () => {
  const typed = string({
    unit: constantFrom(...Array.from('0123456789.,+-*/^%() episqrtlnxπ×')),
    maxLength: 120,
  });
  assertProperty(
    property(oneof(typed, string()), (text) => {
      const calculated = calculate(text);
      const result = 'value' in calculated ? formatNumber(calculated.value) : '0';
      expect(calculate(result.replace('e', '*10^'))).toHaveProperty('value');
    }),
  );
});
