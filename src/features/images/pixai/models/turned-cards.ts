/** Cards that show their back; they stay so when the gallery has scrolled on and comes back. */
import { create } from 'zustand';

type TurnedCards = {
  /** IDs of models. */
  readonly turned: readonly string[];
  readonly turn: (id: string) => void;
};

export const useTurnedCards = create<TurnedCards>()((set) => ({
  turned: [],
  turn: (id) =>
    set(({ turned }) => ({
      turned: turned.includes(id) ? turned.filter((each) => each !== id) : [...turned, id],
    })),
}));
