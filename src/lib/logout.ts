/** Whether the question before logging out is open. The shell shows it. */
import { create } from 'zustand';

import { getPlatform } from './platform.ts';

export const useLogoutQuestion = create<{ readonly isOpen: boolean }>()(() => ({ isOpen: false }));

/** Asks for confirmation before logging out. */
export function askToLogout(): void {
  getPlatform().haptic('warning');
  useLogoutQuestion.setState({ isOpen: true });
}

/** Closes the question. */
export function cancelLogout(): void {
  useLogoutQuestion.setState({ isOpen: false });
}
