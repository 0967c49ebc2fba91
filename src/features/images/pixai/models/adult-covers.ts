/** Whether covers for adults are shown, and how to ask for it. */
import { createContext } from 'react';

type AdultCovers = { readonly areShown: boolean; readonly ask: () => void };

export const AdultCoversContext = createContext<AdultCovers>({
  areShown: false,
  ask: () => undefined,
});
