/** Begins a page in the window of a test, and closes it: nothing of it reaches the next page, as after a real reload. */
import { on, targetOrigin } from '@telegram-apps/sdk-react';
import { vi } from 'vitest';

// Telegram's SDK is a package: its modules outlive a page, and so does the listener that it adds at its first use.
on('reload_iframe', () => undefined);

/** Returns what closes the page. Until then modules that are imported are those of this page. */
export function beginPage(): () => void {
  vi.resetModules();
  const { addEventListener } = window;
  const added: Parameters<typeof addEventListener>[] = [];
  window.addEventListener = (...listening: Parameters<typeof addEventListener>) => {
    added.push(listening);
    addEventListener.apply(window, listening);
  };
  return () => {
    window.addEventListener = addEventListener;
    for (const listening of added) {
      window.removeEventListener(...listening);
    }
    targetOrigin.reset();
  };
}
