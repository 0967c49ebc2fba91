/** The key of a server that was given none: made once, and kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Characters of a key that nobody guesses. */
export const minKeyLength = 32;

/** The key from the data folder, made on the first start; only its owner may read the file. */
export function readOrMakeSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) {
    // Written whole before it gets its name: a power cut must not leave half a key behind.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(draft, file);
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < minKeyLength) {
    // Anybody could forge codes that are hashed with an empty key.
    throw new Error(`the key in ${file} is too short. Remove the file to have a new one made.`);
  }
  return key;
}
