/**
 * Builds the static app into dist/, or into the folder that is given as an argument: the bundle, one
 * prerendered page per route, and compressed copies.
 */
import { readFile, readdir, rm, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

import { atAddress, robotsText, siteOrigin, sitemapXml } from '#server/http/site-address';

import type * as Renderer from '../src/app/prerender.tsx';
import { fingerprint, markBuilt } from './lib/build.mjs';
import { manifestJson } from './lib/head.ts';
import { loadEnvFile } from './lib/run.mjs';
import { createPageWriter, type Manifest } from './pages.ts';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, process.argv[2] ?? 'dist');
// Its own for each process, as tests build for other backends meanwhile.
const rendererDir = join(root, `node_modules/.cache/nori-prerender-${process.pid}`);

async function loadRenderer(): Promise<typeof Renderer> {
  await build({
    root,
    logLevel: 'warn',
    build: {
      ssr: 'src/app/prerender.tsx',
      outDir: rendererDir,
      emptyOutDir: true,
      copyPublicDir: false,
    },
    // Bundled whole, because Node cannot load the style sheets that packages import.
    ssr: { noExternal: true },
  });
  const renderer: typeof Renderer = await import(
    pathToFileURL(join(rendererDir, 'prerender.js')).href
  );
  return renderer;
}

async function writePage(file: string, html: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

async function prerenderPages(renderer: typeof Renderer): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));
  const fill = await createPageWriter(dist, manifest);

  const { siteName, pictureText, hosts, rareHosts } = renderer;
  const origin = siteOrigin(process.env['PUBLIC_URL']);
  const listed: string[] = [];

  const render = async (path: string, file: string, isFound: boolean) => {
    const page = await renderer.renderPage(path);
    const source = await renderer.screenSource(path);
    // Links to chats open the first page.
    const chatSource =
      path === renderer.firstPath ? await renderer.screenSource(renderer.chatsPath) : undefined;
    const html = await fill({
      ...page,
      siteName,
      pictureText,
      hosts,
      rareHosts,
      source,
      chatSource,
      path: isFound ? path : undefined,
    });
    const ownPath = page.isPublic ? path : undefined;
    listed.push(...(ownPath === undefined ? [] : [ownPath]));
    await writePage(file, origin === undefined ? html : atAddress(html, origin, ownPath));
  };
  await Promise.all([
    ...renderer.prerenderedPaths.map((path) => render(path, join(dist, path, 'index.html'), true)),
    render('/404', join(dist, '404.html'), false),
  ]);

  const { description } = await renderer.renderPage('/');
  await writeFile(join(dist, 'manifest.webmanifest'), manifestJson(siteName, description));
  // Our own server generates these; a static host needs the files.
  await writeFile(join(dist, 'robots.txt'), robotsText(origin));
  if (origin !== undefined) {
    await writeFile(join(dist, 'sitemap.xml'), sitemapXml(origin, listed.toSorted()));
  }
}

/** Text is compressed once, here, and not on every request. */
async function compress(directory: string): Promise<void> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  await Promise.all(
    files
      .filter(
        (file) =>
          file.isFile() && /\.(?:html|js|css|svg|json|txt|webmanifest|xml)$/.test(file.name),
      )
      .map(async (file) => {
        const path = join(file.parentPath, file.name);
        const content = await readFile(path);
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
        await writeFile(
          `${path}.br`,
          await promisify(brotliCompress)(content, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
          }),
        );
      }),
  );
}

loadEnvFile();
// Taken before the build: if a source changes meanwhile, the next command builds again.
const mark = fingerprint(root, process.env);
await rm(dist, { recursive: true, force: true });
await build({ root, logLevel: 'warn', build: { outDir: dist } });
try {
  await prerenderPages(await loadRenderer());
} finally {
  await rm(rendererDir, { recursive: true, force: true });
}
await compress(dist);
if (dist === join(root, 'dist')) {
  markBuilt(root, mark);
}
