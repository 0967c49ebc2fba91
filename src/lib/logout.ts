/** Whether the person is being asked to confirm that they want to log out; the shell shows the question. */
import { create } from 'zustand';

import { getPlatform } from './platform.ts';

export const useLogoutQuestion = create<{ readonly isOpen: boolean }>()(() => ({ isOpen: false }));

/** Asks for confirmation before logging out. */
export function askToLogout(): void {
  getPlatform().haptic('warning');
  useLogoutQuestion.setState({ isOpen: true });
}

/** Takes the question back. */
export function cancelLogout(): void {
  useLogoutQuestion.setState({ isOpen: false });
}
