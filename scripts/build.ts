/**
 * Builds the static app into dist/, or into the folder that is given as an argument: for each language
 * the bundle, one prerendered page per route, and compressed copies.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { languagePath } from '#contract/languages';
import { robotsText, siteOrigin, sitemapXml } from '#server/http/site-address';

import { fingerprint, markBuilt } from './lib/build.mjs';
import { languagesToBuild, siteLanguages } from './lib/languages/build-language.ts';
import { loadEnvFile, root } from './lib/run.mjs';
import { duration, giveUp, say, Stop } from './lib/say.mjs';
import { buildFirstClient, compress, removeBuildCache, writePages } from './site-build.ts';

const bestBrotliQuality = 11;

try {
  loadEnvFile();
  const start = Date.now();
  const dist = resolve(root, process.argv[2] ?? 'dist');
  // Taken before the build: if a source changes meanwhile, the next command builds again.
  const mark = fingerprint(root, process.env);
  const [language, ...others] = languagesToBuild(process.env['NORI_LANGUAGES']);
  const site = { language, dist };
  const client = await buildFirstClient(site);
  const rest = addLanguages(dist, others);
  const written = await writeFirstPages(site, client);
  await compress([...client.added, ...written], bestBrotliQuality);
  await rest;
  if (others.length > 0) {
    say(`built ${others.length + 1} languages in ${duration(Date.now() - start)}`);
  }
  if (dist === resolve(root, 'dist')) {
    markBuilt(root, mark);
  }
} catch (failure) {
  giveUp(failure);
} finally {
  await removeBuildCache();
}

async function writeFirstPages(
  site: Parameters<typeof writePages>[0],
  client: Parameters<typeof writePages>[1],
): Promise<string[]> {
  const { files, listed } = await writePages(site, client);
  const origin = siteOrigin(process.env['PUBLIC_URL']);
  const paths = siteLanguages().flatMap((tag) => listed.map((path) => languagePath(tag, path)));
  const more = {
    // Our own server generates these; a static host needs the files.
    'robots.txt': robotsText(origin),
    ...(origin !== undefined && { 'sitemap.xml': sitemapXml(origin, paths) }),
  };
  const added = Object.entries(more).map(async ([name, text]) => {
    const file = join(site.dist, name);
    await writeFile(file, text);
    return file;
  });
  return [...files, ...(await Promise.all(added))];
}

/** Builds the other languages in processes of their own, as many as the machine has cores. */
async function addLanguages(dist: string, languages: readonly string[]): Promise<void> {
  const count = Math.min(languages.length, availableParallelism());
  const shares = Array.from({ length: count }, (_, share) =>
    languages.filter((_tag, index) => index % count === share),
  );
  await Promise.all(
    shares.map(async (tags) => {
      const worker = fork(join(root, 'scripts/build-languages.ts'), [dist, ...tags]);
      const [code] = await once(worker, 'exit');
      if (code !== 0) {
        throw new Stop(`the build of ${tags.join(', ')} failed; the reason is above.`);
      }
    }),
  );
}
