/** How JSON is laid out without copying it: as `JSON.stringify` would, and without rounding what it cannot hold. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

// oxlint-disable-next-line no-restricted-imports -- Rules without a screen, which a screen could not vary enough.
import { layOut } from '../../src/features/playground/json-lines.ts';
// oxlint-disable-next-line no-restricted-imports -- As above.
import { prettyText } from '../../src/features/playground/json-text.ts';

const pretty = (text: string) => prettyText(text, layOut(text));

describe('JSON', () => {
  test('is laid out as people know it, whatever spaces it came with', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.constantFrom(0, 1, 4),
        (value, spaces) => {
          const text = JSON.stringify(value, undefined, spaces);
          // Lines are cut where they are shown, not where they are copied.
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

  test('knows which line closes which', () => {
    const lines = layOut('[{"a":[1]},{}]');

    expect([...lines.closes]).toEqual([7, 5, 4, 0, 0, 0, 0, 0]);
  });
});
