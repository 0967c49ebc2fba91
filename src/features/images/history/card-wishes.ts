/** What the cards of the history ask their panel for; by context, so that the gallery's cards stay the same. */
import { createContext } from 'react';

import { type GenerationRecord } from '../common/records.ts';

export type CardWish = 'enlarge' | 'details' | 'delete' | 'remove' | 'use again';

export type CardWishes = {
  readonly grant: (wish: CardWish, record: GenerationRecord) => void;
  /** There is a form into which a picture's recipe can be taken over. */
  readonly canUseAgain: boolean;
};

export const CardWishesContext = createContext<CardWishes>({
  grant: () => undefined,
  canUseAgain: false,
});
