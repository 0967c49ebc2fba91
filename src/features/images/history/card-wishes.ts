/** What the cards of the history ask their panel for; by context, so that the gallery's cards stay the same. */
import { createContext } from 'react';

import { type GenerationRecord } from '../shared/records.ts';

export type CardWish =
  | 'enlarge'
  | 'all'
  | 'download'
  | 'details'
  | 'delete'
  | 'remove'
  | 'use again'
  | 'make again';

export type GrantWish = (wish: CardWish, record: GenerationRecord) => void;

export const CardWishesContext = createContext<GrantWish>(() => undefined);
