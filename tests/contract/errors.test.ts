/** Reading the refusals of every backend, without throwing. */
import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';

import { errorTexts } from '#contract/endpoints/error-texts';
import { errorStatuses, readErrorBody } from '#contract/endpoints/errors';

test('a refusal of Nori has a sentence and a stable code', () => {
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
  ['the sentence in the language of the page', { detail: 'Nope', message: 'Нет' }, 'Нет'],
  ['spaces around', { detail: '  Nope  ' }, 'Nope'],
])('a backend answer with %s is understood', (_case, body, detail) => {
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
])('%s contains no sentence, and reading it does not throw', (_case, body) => {
  expect(readErrorBody(body)).toEqual({});
});

test('the reader returns a text or undefined, whatever the body is', () => {
  assert(
    property(anything(), (body) => {
      const { detail, code } = readErrorBody(body);
      expect(['string', 'undefined']).toContain(typeof detail);
      expect(['string', 'undefined']).toContain(typeof code);
      expect(detail?.trim()).not.toBe('');
    }),
  );
});

test('every refusal has an error status and a sentence that describes what happened', () => {
  expect(Object.keys(errorStatuses)).toEqual(Object.keys(errorTexts));
  for (const status of Object.values(errorStatuses)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
  for (const detail of Object.values(errorTexts)) {
    expect(detail).toMatch(/^[A-Z]/);
  }
});
