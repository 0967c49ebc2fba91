/** What the cards of the history ask their panel for; by context, so that the gallery's cards stay the same. */
import { createContext } from 'react';

import { type GenerationRecord } from '../shared/records.ts';

export type CardAction =
  | 'enlarge'
  | 'all'
  | 'download'
  | 'details'
  | 'delete'
  | 'remove'
  | 'use again'
  | 'make again';

export type OnCardAction = (action: CardAction, record: GenerationRecord) => void;

export const CardActionContext = createContext<OnCardAction>(() => undefined);
