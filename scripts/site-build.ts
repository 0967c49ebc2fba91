/** Builds the site in one language: the scripts, one prerendered page per route, and compressed copies. */
import {
  constants as access,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type InlineConfig } from 'vite';

import { languagePath, languagePrefix, sourceLanguage } from '#contract/languages';
import { atAddress, siteOrigin } from '#server/http/site-address';

import type * as Renderer from '../src/app/prerender.tsx';
import { manifestJson } from './lib/head.ts';
import { type BuildLanguage, isPseudoLanguage } from './lib/languages/build-language.ts';
import { translations } from './lib/languages/plugin.ts';
import { root } from './lib/run.mjs';
import { createPageWriter, type Manifest } from './pages.ts';
import { purgeUnusedCss } from './purge-unused-css.ts';

type Site = {
  readonly language: BuildLanguage;
  /** The folder of the built site, which all languages share. */
  readonly dist: string;
};

type Client = {
  /** The page that Vite built, without content. */
  readonly template: string;
  readonly manifest: Manifest;
  /** Paths of the files that were added to the site. */
  readonly added: readonly string[];
};

/** Its own for each process, as tests build for other backends meanwhile. */
const cache = join(root, `node_modules/.cache/nori-build-${process.pid}`);

/**
 * Builds what the pages of the first language load: the one whose addresses name no language. It empties
 * the folder. The others follow.
 */
export async function buildFirstClient({ language, dist }: Site): Promise<Client> {
  await rm(dist, { recursive: true, force: true });
  await viteBuild(language, {
    build: { outDir: dist },
    plugins: [translations(language), purgeUnusedCss()],
  });
  // One for the pages of all languages: it says nothing.
  const worker = await buildScript(language, 'src/lib/service-worker.ts');
  await writeFile(join(dist, 'service-worker.js'), worker);
  return { ...(await readClient(dist)), added: await listFiles(dist) };
}

/**
 * Builds what the pages of another language load, into the folder of the first. Files have the hash of
 * their content in their names, so those that are alike are one.
 */
export async function buildClient({ language, dist }: Site): Promise<Client> {
  const outDir = join(cache, language);
  await viteBuild(language, {
    build: { outDir, copyPublicDir: false },
    plugins: [translations(language), purgeUnusedCss(dist)],
  });
  await copyFile(
    join(outDir, '.vite/manifest.json'),
    join(dist, `.vite/manifest.${language}.json`),
  );
  const assets = await listFiles(join(outDir, 'assets'));
  const copies = assets.map(async (file) => {
    const target = join(dist, relative(outDir, file));
    return (await copyNew(file, target)) ? [target] : [];
  });
  return { ...(await readClient(outDir)), added: (await Promise.all(copies)).flat() };
}

async function readClient(folder: string): Promise<Omit<Client, 'added'>> {
  const manifest: Manifest = JSON.parse(
    await readFile(join(folder, '.vite/manifest.json'), 'utf8'),
  );
  return { template: await readFile(join(folder, 'index.html'), 'utf8'), manifest };
}

/** Whether there was no such file yet. */
async function copyNew(file: string, target: string): Promise<boolean> {
  try {
    await copyFile(file, target, access.COPYFILE_EXCL);
    return true;
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'EEXIST') {
      return false;
    }
    throw failure;
  }
}

async function viteBuild(language: BuildLanguage, config: InlineConfig): Promise<void> {
  // `vite.config.ts` reads it.
  process.env['NORI_LANGUAGE'] = language;
  await build({ root, logLevel: 'warn', ...config });
}

/**
 * Packages that are not bundled into the renderer: Node loads them once for all languages. The others are, because Node
 * cannot load the style sheets that packages import, and the build replaces parts of some.
 */
const loadedByNode = ['react', 'react-dom', 'axios', 'valibot', '@tanstack/react-query'] as const;

async function loadRenderer(language: BuildLanguage): Promise<typeof Renderer> {
  const outDir = join(cache, `${language}-renderer`);
  await viteBuild(language, {
    build: { ssr: 'src/app/prerender.tsx', outDir, copyPublicDir: false },
    plugins: [translations(language)],
    ssr: { noExternal: true, external: [...loadedByNode] },
  });
  const renderer: typeof Renderer = await import(pathToFileURL(join(outDir, 'prerender.js')).href);
  return renderer;
}

/** The script of the join gate. It stands in its page, so that nothing is loaded before that can be read. */
const buildGateScript = (language: BuildLanguage): Promise<string> =>
  buildScript(language, 'src/features/gate/entry.ts');

/** Builds a script that imports nothing when it runs, and returns it. */
async function buildScript(language: BuildLanguage, source: string): Promise<string> {
  const outDir = join(cache, `${language}-${basename(source, '.ts')}`);
  await viteBuild(language, {
    build: {
      outDir,
      copyPublicDir: false,
      manifest: false,
      rolldownOptions: {
        input: join(root, source),
        output: { format: 'iife', entryFileNames: 'script.js', codeSplitting: false },
      },
    },
    plugins: [translations(language)],
  });
  return readFile(join(outDir, 'script.js'), 'utf8');
}

/** Writes every page in the language, below its part of the addresses. */
export async function writePages({ language, dist }: Site, { template, manifest }: Client) {
  const renderer = await loadRenderer(language);
  const ownLanguage = isPseudoLanguage(language) ? sourceLanguage : language;
  const gate = { script: await buildGateScript(language), path: renderer.gatePath };
  const fill = createPageWriter({ dist, template, manifest, language, gate });
  const { siteName, pictureText, hosts, rareHosts } = renderer;
  const origin = siteOrigin(process.env['PUBLIC_URL']);

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
    const ownPath = page.isPublic ? languagePath(ownLanguage, path) : undefined;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, origin === undefined ? html : atAddress(html, origin, ownPath));
    return { file, listed: page.isPublic ? [path] : [] };
  };
  const folder = join(dist, languagePrefix(ownLanguage));
  const pages = await Promise.all([
    ...renderer.prerenderedPaths.map((path) =>
      render(path, join(folder, path, 'index.html'), true),
    ),
    render('/404', join(folder, '404.html'), false),
  ]);

  const { description } = await renderer.renderPage('/');
  const manifestFile = join(folder, 'manifest.webmanifest');
  await writeFile(manifestFile, manifestJson({ siteName, description, language: ownLanguage }));

  return {
    files: [...pages.map(({ file }) => file), manifestFile],
    /** Paths that search engines may list, without the language. */
    listed: pages.flatMap(({ listed }) => listed).toSorted(),
  };
}

/** Text is compressed once, here, and not on every request. `quality` is that of Brotli. */
export async function compress(files: readonly string[], quality: number): Promise<void> {
  await Promise.all(
    files
      .filter((file) => /\.(?:html|js|css|svg|json|txt|webmanifest|xml)$/.test(file))
      .map(async (path) => {
        const content = await readFile(path);
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
        await writeFile(
          `${path}.br`,
          await promisify(brotliCompress)(content, {
            params: { [constants.BROTLI_PARAM_QUALITY]: quality },
          }),
        );
      }),
  );
}

/** Removes what the builds of this process needed only themselves. */
export async function removeBuildCache(): Promise<void> {
  await rm(cache, { recursive: true, force: true });
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
