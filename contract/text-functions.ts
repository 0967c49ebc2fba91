/** What translations need to know about the functions of text modules. */

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
