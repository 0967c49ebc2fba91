/** Adds languages to a site that was built in the first one. `npm run build` starts it: <folder> <tags>. */
import process from 'node:process';

import { languageOfBuild } from './lib/languages/build-language.ts';
import { giveUp } from './lib/say.mjs';
import { buildClient, compress, removeBuildCache, writePages } from './site-build.ts';

const [dist = '', ...tags] = process.argv.slice(2);
/** The best quality takes twice as long for 1.5 % less, and there are many pages. One less saves no time, and costs 6 %. */
const brotliQuality = 10;

try {
  for (const tag of tags) {
    const site = { language: languageOfBuild(tag), dist };
    const client = await buildClient(site);
    const { files } = await writePages(site, client);
    await compress([...client.added, ...files], brotliQuality);
  }
} catch (failure) {
  giveUp(failure);
} finally {
  await removeBuildCache();
}
