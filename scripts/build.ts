/** Builds the static app into dist/: the bundle, one prerendered page per route, and compressed copies. */
import { readFile, readdir, rm, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

import type * as Renderer from '../src/app/prerender.tsx';
import { fingerprint, markBuilt } from './lib/build.mjs';
import { loadEnvFile } from './lib/run.mjs';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const rendererDir = join(root, 'node_modules/.cache/nori-prerender');

type ManifestEntry = {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
  src?: string;
};
type Manifest = Record<string, ManifestEntry>;

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

/** The chunks and sheets that one page needs at once: the entry's are in the template, so only the screen's. */
function filesOfScreen(
  manifest: Manifest,
  source: string | undefined,
): { scripts: string[]; styles: string[] } {
  const found = { scripts: new Set<string>(), styles: new Set<string>() };
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  const known = new Set(entry?.imports);
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || known.has(key) || chunk.isEntry) {
      return;
    }
    known.add(key);
    found.scripts.add(chunk.file);
    chunk.css?.forEach((file) => found.styles.add(file));
    chunk.imports?.forEach(visit);
  };
  if (source) {
    visit(source);
  }
  return { scripts: [...found.scripts], styles: [...found.styles] };
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The template with every linked sheet of the entry inlined: one round trip to the first paint. */
async function inlineStyles(template: string): Promise<string> {
  const links = [...template.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g)];
  const sheets = await Promise.all(
    links.map(([, href = '']) => readFile(join(dist, href), 'utf8')),
  );
  return links.reduce(
    (page, [tag], index) => page.replace(tag, () => `<style>${sheets[index]?.trim()}</style>`),
    template,
  );
}

async function writePage(file: string, html: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

async function prerenderPages(renderer: typeof Renderer): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));
  const template = await inlineStyles(await readFile(join(dist, 'index.html'), 'utf8'));

  const fill = async (path: string, isFound: boolean) => {
    const page = await renderer.renderPage(path);
    const { scripts, styles } = filesOfScreen(manifest, await renderer.screenSource(path));
    const sheets = await Promise.all(styles.map((file) => readFile(join(dist, file), 'utf8')));
    const head = [
      ...sheets.map((css) => `<style>${css.trim()}</style>`),
      ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ].join('');
    return template
      .replace(/<title>.*<\/title>/, () => `<title>${escapeHtml(page.title)}</title>`)
      .replace(
        /(<meta name="description" content=")"/,
        (_, start) => `${start}${escapeHtml(page.description)}"`,
      )
      .replace(
        /(<meta name="robots" content=")[^"]*"/,
        (_, start) => `${start}${isFound && page.isPublic ? 'index,follow' : 'noindex'}"`,
      )
      .replace('</head>', () => `${head}</head>`)
      .replace(
        '<div id="root"></div>',
        () => `<div id="root"${isFound ? ` data-path="${path}"` : ''}>${page.html}</div>`,
      );
  };

  await Promise.all(
    renderer.prerenderedPaths.map(async (path) =>
      writePage(join(dist, path, 'index.html'), await fill(path, true)),
    ),
  );
  await writePage(join(dist, '404.html'), await fill('/404', false));
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
// Taken first: a source that changes meanwhile makes this build an old one.
const mark = fingerprint(root, process.env);
await rm(dist, { recursive: true, force: true });
await build({ root, logLevel: 'warn' });
await prerenderPages(await loadRenderer());
await compress(dist);
markBuilt(root, mark);
