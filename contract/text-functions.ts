/** What translations need: the parameters of text functions, and the invisible marks of texts that are written from right to left. */

/**
 * The names of a function's parameters in order, which are the arguments of its translations. Throws a
 * `TypeError` when one is no plain name: no pattern, no default, no rest.
 */
export function parameterNames(text: (...parameters: never[]) => string): string[] {
  const source = text.toString();
  // An arrow function, one with a single bare parameter, or a method.
  const [, list = '', single = ''] =
    /^(?:(?:function\b\s*)?[\w$]*\s*\(([^()]*)\)|([\w$]+)\s*=>)/.exec(source) ?? [];
  const names = (single || list)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.some((name) => !/^[\w$]+$/.test(name)) || names.length !== text.length) {
    throw new TypeError(`The parameters of a text are plain names: ${source}`);
  }
  return names;
}

/**
 * The ICU pattern of a right-to-left language with marks, so that each part of it runs its own way. Addresses, usernames
 * and negative numbers are isolated: their first or last mark would otherwise move to their other side ("ada@",
 * "1001234567890-"). Where nothing but arguments says which way the pattern runs, it begins with a right-to-left mark: a
 * list that is an argument itself would otherwise run from left to right.
 */
export function markDirections(pattern: string): string {
  const words = pattern.replaceAll(/\{\w+\}/g, '');
  const isUndirected = pattern.match(/\{\w+\}.*\{\w+\}/s) !== null && !/\p{L}/u.test(words);
  const isolated = pattern.replaceAll(
    /(?<![^\s(«])(?:https?:\/\/[^\s»]*|@(?:[A-Za-z]\w*|\{\w+\}))|(?<=\s)-\d+/g,
    '\u2066$&\u2069',
  );
  return isUndirected ? `\u200F${isolated}` : isolated;
}
