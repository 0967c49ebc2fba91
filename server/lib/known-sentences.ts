/** English sentences that one of our texts has made before: those of the contract's schemas, and stored ones. */
import { isTextFunction, type Say, type Sentence } from './languages.ts';

/** Returns how to say an English sentence in every language; undefined when it is none of our texts. */
export type FindSentence = (english: string) => Sentence | undefined;

/** Knows the texts at the top of these trees. A text that chooses between words is known by its plural. */
export function createSentenceFinder(trees: readonly object[]): FindSentence {
  const constants = new Map<string, Sentence>();
  const readers: FindSentence[] = [];
  for (const tree of trees) {
    for (const [name, text] of Object.entries(tree)) {
      const find = (say: Say): unknown => Reflect.get(say(tree), name);
      if (typeof text === 'string') {
        constants.set(text, (say) => String(find(say)));
      } else if (isTextFunction(text)) {
        readers.push(createReader(text, find));
      }
    }
  }
  return (english) => {
    const constant = constants.get(english);
    return constant ?? readers.map((read) => read(english)).find((found) => found !== undefined);
  };
}

/** Stands for an argument: two signs that no text of ours contains, around its number. */
const toMark = (index: number) => `\uE000${index}\uE000`;
const mark = /\uE000(\d)\uE000/;

/** Reads the arguments out of a sentence that `text` has made. `find` returns the text in another language. */
function createReader(
  text: (...values: unknown[]) => string,
  find: (say: Say) => unknown,
): FindSentence {
  const pieces = text(...Array.from({ length: text.length }, (_none, index) => toMark(index)));
  // Every second piece is the number of an argument.
  const split = pieces.split(mark);
  const order = split.filter((_piece, index) => index % 2 === 1).map(Number);
  const words = split.filter((_piece, index) => index % 2 === 0);
  const pattern = new RegExp(`^${words.map(escapePattern).join('(.+?)')}$`, 's');

  return (english) => {
    const [, ...found] = pattern.exec(english) ?? [];
    if (found.length === 0) {
      return undefined;
    }
    const values = Array.from({ length: text.length }, (_none, index) => {
      const value = found[order.indexOf(index)] ?? '';
      return /^\d{1,15}$/.test(value) ? Number(value) : value;
    });
    return (say) => {
      const translated = find(say);
      return isTextFunction(translated) ? translated(...values) : english;
    };
  };
}

function escapePattern(words: string): string {
  return words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
