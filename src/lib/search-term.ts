/** Searching: the term of a search field, and what makes terms and texts comparable. */
import { useEffect, useEffectEvent, useState } from 'react';

/** Browsers limit how often the address may change. */
const pauseMs = 300;

/**
 * The term of a search field: shown at once, and written to the address when typing pauses. `known` is the
 * term in the address; `write` changes it there. Returns the term and its setter.
 */
export function useSearchTerm(
  known: string,
  write: (term: string) => void,
): readonly [string, (term: string) => void] {
  const [typed, setTyped] = useState<string>();
  const writeIfChanged = useEffectEvent((term: string) => {
    if (term !== known) {
      write(term);
    }
  });

  useEffect(() => {
    if (typed === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => writeIfChanged(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  return [typed ?? known, setTyped];
}

/** Accents of Latin and Cyrillic letters, the vowel signs of Arabic, and the invisible space within Persian words. */
const marks = /[\u0300-\u036F\u064B-\u065F\u200C]/g;

/** Letters that look alike, of which keyboards have one or the other. */
const alike: Readonly<Record<string, string>> = {
  ı: 'i',
  ʻ: "'",
  ʼ: "'",
  '‘': "'",
  '’': "'",
  ي: 'ی',
  ك: 'ک',
};

/**
 * Text for comparing, without case and accents: "Ç" is found by "c". The device's language must not count:
 * on Turkish ones "ID" would become "ıd", which "id" does not find.
 */
export function toSearchable(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(/[ıʻʼ‘’يك]/g, (letter) => alike[letter] ?? letter);
}
