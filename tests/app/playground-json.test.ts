/** JSON is split into lines as `JSON.stringify` would format it, without rounding numbers. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

// oxlint-disable-next-line no-restricted-imports -- Rules without a screen, which a screen could not vary enough.
import { layOut } from '../../src/features/playground/json-lines.ts';
// oxlint-disable-next-line no-restricted-imports -- As above.
import { prettyText } from '../../src/features/playground/json-text.ts';

const pretty = (text: string) => prettyText(text, layOut(text));

describe('JSON', () => {
  test('is formatted as by JSON.stringify, whatever spaces it has', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.constantFrom(0, 1, 4),
        (value, spaces) => {
          const text = JSON.stringify(value, undefined, spaces);
          // Long lines are cut only in the viewer.
          expect(pretty(text)).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
        },
      ),
    );
  });

  test('keeps numbers that JavaScript would round', () => {
    expect(pretty('{"id":1234567890123456789,"share":1.0}')).toBe(
      '{\n  "id": 1234567890123456789,\n  "share": 1.0\n}',
    );
  });

  test('knows which line closes which line', () => {
    const lines = layOut('[{"a":[1]},{}]');

    expect([...lines.closes]).toEqual([7, 5, 4, 0, 0, 0, 0, 0]);
  });
});
