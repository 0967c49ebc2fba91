/** What is typed into the search: shown at once, and in the address when the typing pauses. */
import { useEffect, useEffectEvent, useState } from 'react';

/** Browsers refuse an address that changes with every key of a quick typist. */
const pauseMs = 300;

/** `known` is the term of the address; `write` changes it there. */
export function useSearchTerm(
  known: string,
  write: (term: string) => void,
): readonly [string, (term: string) => void] {
  const [typed, setTyped] = useState<string>();
  const settle = useEffectEvent((term: string) => {
    if (term !== known) {
      write(term);
    }
  });

  useEffect(() => {
    if (typed === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => settle(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  return [typed ?? known, setTyped];
}
