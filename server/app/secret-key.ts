/** The key in the data folder that protects codes and tokens when the operator sets none. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shorter key could be guessed. */
export const minKeyLength = 32;

export function keyFile(dataDir: string): string {
  return join(dataDir, 'secret-key');
}

/** Returns the key, which is made at the first start. Only the owner of the file may read it. */
export function readOrMakeKey(dataDir: string): string {
  const file = keyFile(dataDir);
  if (!existsSync(file)) {
    // Renamed when it is complete: a power cut must not leave half a key behind.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(draft, file);
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < minKeyLength) {
    throw new Error(`the key in ${file} is too short. Remove the file to have a new one made.`);
  }
  return key;
}
