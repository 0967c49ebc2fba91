/**
 * Whether the person has said, on this visit, that they are an adult. A visit lasts as long as the
 * screen that asked stays open; nothing of it is kept on the device.
 */
import { useEffect } from 'react';
import { create } from 'zustand';

type Age = {
  readonly isConfirmed: boolean;
  /** The person has said so. */
  readonly confirm: () => void;
};

/** Whether it has been confirmed; for the parts of a screen that called `useAgeOfVisit`. */
export const useAge = create<Age>()((set) => ({
  isConfirmed: false,
  confirm: () => set({ isConfirmed: true }),
}));

/** Called by each screen with content for adults: what was confirmed there ends with the visit. */
export function useAgeOfVisit(): Age {
  useEffect(() => () => useAge.setState({ isConfirmed: false }), []);
  return useAge();
}

/** What the question says, wherever it is asked. */
export const ageTexts = {
  title: 'Age Confirmation',
  question:
    'The content in this section is intended for adults (18+) only. Please confirm that you are at least 18 years old and want to see it.',
  cancel: 'Cancel',
  confirm: 'I am 18+',
} as const;
