/** The scripts of the build by the source they come from: their own names say nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readManifest } from '#scripts/chunks.ts';

const manifest = join(import.meta.dirname, '../../dist/.vite/manifest.json');

/** Whether an address is that of the chunk that begins with a source file. */
export async function createChunkMatcher(source: string): Promise<(url: URL | string) => boolean> {
  const file = readManifest(await readFile(manifest, 'utf8'))[source]?.file;
  if (file === undefined) {
    throw new Error(`The build has no chunk of ${source}`);
  }
  return (url) => new URL(url).pathname === `/${file}`;
}
