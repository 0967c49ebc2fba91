/** Calls back when the person comes back to the window. */
import { useEffect, useEffectEvent } from 'react';

export function useOnReturn(look: () => void): void {
  const lookAgain = useEffectEvent(look);
  useEffect(() => {
    // A window that was only behind another one gains the focus without having been hidden.
    const listen = () => lookAgain();
    window.addEventListener('focus', listen);
    return () => window.removeEventListener('focus', listen);
  }, []);
}
