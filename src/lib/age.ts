/**
 * Whether the user has confirmed to be an adult. The confirmation lasts as long as the screen that
 * asked for it stays open; it is not stored.
 */
import { useEffect } from 'react';
import { create } from 'zustand';

type Age = {
  readonly isConfirmed: boolean;
  readonly confirm: () => void;
};

/** For the parts of a screen that calls `useAgeOfVisit`. */
export const useAge = create<Age>()((set) => ({
  isConfirmed: false,
  confirm: () => set({ isConfirmed: true }),
}));

/** For each screen with content for adults. The confirmation ends when the screen is left. */
export function useAgeOfVisit(): Age {
  useEffect(() => () => useAge.setState({ isConfirmed: false }), []);
  return useAge();
}
