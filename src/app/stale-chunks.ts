/** A deploy replaces the chunks under an open page; loading the page anew fetches the present ones. */
import { tabMarks } from '#lib/storage';

/** A second failure within this time means that reloading does not help; the page then says so. */
const patienceMs = 30_000;

/** A part of the app did not arrive. */
class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
}

/** Loads a part of the app; rejects with `MissingChunk`. */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingChunk('A part of the app could not be loaded.', { cause });
  }
}

/**
 * Whether loading the page anew may mend this. Not without a network: nothing was replaced then, and
 * the page would be lost, too.
 */
export function isMendedByReload(error: unknown): boolean {
  const last = Number(tabMarks.read('reloaded_at') ?? 0);
  return error instanceof MissingChunk && navigator.onLine && Date.now() - last > patienceMs;
}

/** Loads the page anew, and remembers it, so that this happens once. */
export function reloadForChunks(): void {
  tabMarks.write('reloaded_at', String(Date.now()));
  window.location.reload();
}
