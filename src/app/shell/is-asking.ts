/** Whether the shell has a question to ask: then, and not before, its dialogs are loaded. */
import { useLogoutQuestion } from '#lib/logout';
import { usePopups } from '#lib/popup';

export function useIsAsking(): boolean {
  const isLogoutAsked = useLogoutQuestion((state) => state.isOpen);
  const hasPopup = usePopups((state) => state.questions.length > 0);
  return isLogoutAsked || hasPopup;
}
