/** Keeps a second server away from a data folder that is in use. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DataFolderInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Another Nori server is already using the data folder ${dataDir}. Stop it first, or set NORI_DATA_DIR to another folder.`,
    );
    this.name = 'DataFolderInUse';
  }
}

/**
 * Locks the folder until the returned function is called or the process ends. The lock is the
 * kernel's, on a database of its own: it goes with the process, however that ends, and never stales.
 */
export function lockDataFolder(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'app.lock'));
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    throw error instanceof Error && error.message.includes('locked')
      ? new DataFolderInUse(dataDir)
      : error;
  }
  return () => lock.close();
}
