/** A deployment replaces the chunks of an open page. Reloading the page loads the new ones. */
import { tabMarks } from '#lib/storage';

/** A second failure within this time means that reloading does not help. */
const reloadPauseMs = 30_000;

/** A chunk could not be loaded. */
class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
}

/** Loads a chunk. Rejects with `MissingChunk`. */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingChunk('A part of the app could not be loaded.', { cause });
  }
}

/** Whether reloading the page may fix the error. Not offline: the reload would lose the page as well. */
export function isFixedByReload(error: unknown): boolean {
  const last = Number(tabMarks.read('reloaded_at') ?? 0);
  return error instanceof MissingChunk && navigator.onLine && Date.now() - last > reloadPauseMs;
}

/** Reloads the page and remembers the time, so that this does not repeat. */
export function reloadForChunks(): void {
  tabMarks.write('reloaded_at', String(Date.now()));
  window.location.reload();
}
