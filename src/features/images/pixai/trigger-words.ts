/** Finds, adds and removes the trigger words of LoRAs in a prompt: phrases between commas, in any case. */

/** A phrase without case, brackets and weight: `(Glow Style:1.2)` is `glow style`. */
function normalize(phrase: string): string {
  return phrase
    .replaceAll(/^[\s([{]+|[\s)\]}]+$/g, '')
    .replace(/:\s*\d+(?:\.\d+)?$/, '')
    .trim()
    .toLowerCase();
}

/** The index of the phrase at which a word begins, or -1. A word may be several phrases. */
function findWord(phrases: readonly string[], word: string): number {
  const wanted = word.split(',').map(normalize);
  return phrases.findIndex((_, start) =>
    wanted.every((phrase, index) => normalize(phrases[start + index] ?? '') === phrase),
  );
}

/** Whether the prompt has this word as a phrase of its own. */
export function hasWord(prompt: string, word: string): boolean {
  return findWord(prompt.split(','), word) >= 0;
}

/** The prompt with the word at its end. */
export function withWord(prompt: string, word: string): string {
  const start = prompt.trimEnd().replace(/,$/, '');
  return start === '' ? word.trim() : `${start}, ${word.trim()}`;
}

/** The prompt without the word, and otherwise as the user has written it. */
export function withoutWord(prompt: string, word: string): string {
  const phrases = prompt.split(',');
  const start = findWord(phrases, word);
  return start < 0
    ? prompt
    : phrases.toSpliced(start, word.split(',').length).join(',').trimStart();
}
