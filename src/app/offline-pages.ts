/** Has the service worker store what the device has loaded, so that it opens without a network, too. */

const address = '/service-worker.js';

/** Call when the page is at rest. Where the browser has no such worker, or refuses it, nothing changes. */
export async function keepPagesOffline(): Promise<void> {
  // A page that is not served by HTTPS has none.
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
  try {
    await workers?.register(toTrusted(address));
    const { active } = (await workers?.ready) ?? {};
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker is of this origin.
    active?.postMessage(listLoaded());
  } catch {
    // Private windows and some web views have no place for it.
  }
}

/** The paths of the page and of its files. */
function listLoaded(): readonly string[] {
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname);
  return [location.pathname, ...files];
}

/** The server's policy of pages names the policy of this address. */
const rules = { createScriptURL: () => address };

function toTrusted(url: string) {
  return (window.trustedTypes?.createPolicy('nori-offline', rules) ?? rules).createScriptURL(url);
}
