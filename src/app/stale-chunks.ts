/** A deploy replaces the chunks under an open page; loading the page anew fetches the present ones. */
import { tabMarks } from '#lib/storage';

/** A second failure within this time means that reloading does not help; the error screen says so. */
const patienceMs = 30_000;

/** Reloads once when a chunk is gone. */
export function reloadWhenStale(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) {
      // Nothing was replaced: the network is gone, and loading anew would lose the page, too.
      return;
    }
    const last = Number(tabMarks.read('reloaded_at') ?? 0);
    const now = Date.now();
    if (now - last > patienceMs) {
      event.preventDefault();
      tabMarks.write('reloaded_at', String(now));
      window.location.reload();
    }
  });
}
