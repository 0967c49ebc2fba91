/** The question before logging out, which the shell shows, and what is sent before it. */
import { create } from 'zustand';

import { getPlatform } from './platform.ts';

export const useLogoutQuestion = create<{ readonly isOpen: boolean }>()(() => ({ isOpen: false }));

/** Called while the token is still valid. The server is told about the logout when they have resolved. */
export const beforeLogout = new Set<() => Promise<unknown>>();

/** Asks for confirmation before logging out. */
export function askToLogout(): void {
  getPlatform().haptic('warning');
  useLogoutQuestion.setState({ isOpen: true });
}

/** Closes the question. */
export function cancelLogout(): void {
  useLogoutQuestion.setState({ isOpen: false });
}
