/** Says for two seconds what came of copying, and only when it has come. */
import { useEffect, useState } from 'react';

const saidForMs = 2000;
const sayings = { copied: 'Copied!', refused: 'Could not copy' } as const;

/** Copies a text, and says whether that worked. */
export type Copy = () => Promise<boolean>;

/** `said` is what to show in place of the label or beside it; `press` copies. */
export function useCopied(copy: Copy) {
  const [outcome, setOutcome] = useState<keyof typeof sayings>();

  useEffect(() => {
    if (outcome === undefined) {
      return undefined;
    }
    const timer = setTimeout(setOutcome, saidForMs, undefined);
    return () => clearTimeout(timer);
  }, [outcome]);

  return {
    isCopied: outcome === 'copied',
    said: outcome && sayings[outcome],
    press: async (): Promise<void> => setOutcome((await copy()) ? 'copied' : 'refused'),
  };
}
