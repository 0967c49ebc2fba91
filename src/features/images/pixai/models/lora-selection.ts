/** LoRAs that are ticked in the model browser, waiting to be generated with. */
import { create } from 'zustand';

import { type ChosenLora } from '../draft.ts';

type LoraSelection = {
  readonly ticked: readonly ChosenLora[];
  /** Ticks a LoRA, or takes the tick away. */
  readonly toggle: (lora: ChosenLora) => void;
  readonly clear: () => void;
};

export const useLoraSelection = create<LoraSelection>()((set) => ({
  ticked: [],
  toggle: (lora) =>
    set(({ ticked }) => ({
      ticked: ticked.some(({ id }) => id === lora.id)
        ? ticked.filter(({ id }) => id !== lora.id)
        : [...ticked, lora],
    })),
  clear: () => set({ ticked: [] }),
}));
