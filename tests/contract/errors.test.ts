/** Reading refusals of every backend, without throwing. */
import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';

import { errorCodes, readErrorBody } from '#contract/endpoints/errors';

test('our own refusals carry a sentence and a stable code', () => {
  const body = { detail: 'Please log in to continue.', code: 'unauthenticated' };

  expect(readErrorBody(body)).toEqual(body);
});

test.each([
  ['one sentence', { detail: 'Nope' }, 'Nope'],
  [
    'a list of issues',
    {
      detail: [
        { loc: ['body', 'email'], msg: 'Bad email', type: 'value_error' },
        { msg: 'Bad id' },
      ],
    },
    'Bad email. Bad id',
  ],
  ['a bare message', { message: 'Internal error' }, 'Internal error'],
  ['a message beside a detail of no known shape', { detail: { a: 1 }, message: 'Sorry' }, 'Sorry'],
  ['spaces around', { detail: '  Nope  ' }, 'Nope'],
])('a backend that answers %s is understood', (_case, body, detail) => {
  expect(readErrorBody(body).detail).toBe(detail);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a page', '<html><h1>502 Bad Gateway</h1></html>'],
  ['a list', []],
  ['a number', 42],
  ['an empty object', {}],
  ['an empty sentence', { detail: '   ' }],
  ['an empty list of issues', { detail: [] }],
  ['an object for a detail', { detail: { msg: 'x' } }],
])('%s says nothing, and that is no reason to fail', (_case, body) => {
  expect(readErrorBody(body)).toEqual({});
});

test('whatever the body, the reader gives a text or nothing', () => {
  assert(
    property(anything(), (body) => {
      const { detail, code } = readErrorBody(body);
      expect(['string', 'undefined']).toContain(typeof detail);
      expect(['string', 'undefined']).toContain(typeof code);
      expect(detail?.trim()).not.toBe('');
    }),
  );
});

test('every refusal has an error status and says what happened in a sentence', () => {
  for (const { status, detail } of Object.values(errorCodes)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(detail).toMatch(/^[A-Z]/);
  }
});
