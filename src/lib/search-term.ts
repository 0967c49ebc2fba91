/** The term of a search field: shown at once, and written to the address when typing pauses. */
import { useEffect, useEffectEvent, useState } from 'react';

/** Browsers limit how often the address may change. */
const pauseMs = 300;

/** `known` is the term in the address; `write` changes it there. Returns the term and its setter. */
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
