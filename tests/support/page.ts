/** Begins a page in the window of a test, and closes it: nothing of it reaches the next page, as after a real reload. */
// oxlint-disable-next-line no-restricted-imports -- What a page leaves in the SDK is cleared here.
import { on, targetOrigin } from '@telegram-apps/sdk-react';
import { vi } from 'vitest';

// Telegram's SDK is a package: its modules outlive a page, and so does the listener that it adds at its first use.
on('reload_iframe', () => undefined);

/** Returns what closes the page. Until then modules that are imported are those of this page. */
export function beginPage(): () => void {
  vi.resetModules();
  const listening = vi.spyOn(window, 'addEventListener');
  return () => {
    for (const call of listening.mock.calls) {
      window.removeEventListener(...call);
    }
    listening.mockRestore();
    targetOrigin.reset();
  };
}
