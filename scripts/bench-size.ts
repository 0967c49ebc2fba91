/** `npm run bench:size`: what a visitor downloads, compared with the budget. kB = 1,000 bytes. */
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { type Language, languagePrefix, languageTags, sourceLanguage } from '#contract/languages';

import { chunksBeforePaint, chunksOfPage, type Manifest, readManifest } from './lib/chunks.ts';
import { root } from './lib/run.mjs';
import { giveUp, Stop } from './lib/say.mjs';

type Line = {
  readonly what: string;
  readonly bytes: Sizes;
  /** Gzip, in kB. */
  readonly budget: number;
};
type Sizes = { readonly gzip: number; readonly brotli: number };

const dist = path.join(root, 'dist');

/** The public pages, the page file each is served from, and the chunk of its screen. */
const pages = [
  { path: '/', files: ['index.html'], screen: /\/home-screen\.tsx$/ },
  { path: '/login', files: ['login.html', 'login/index.html'], screen: /\/login-screen\.tsx$/ },
] as const;

const budgets = {
  beforePaint: 118,
  page: 150,
  telegram: 170,
  css: 18,
  lazyChunk: 60,
  html: 14,
  gate: 18,
  hub: 185,
};

/** What other languages may take beyond that: their letters need more bytes, and they know their plurals. */
const extra = { beforePaint: 1.5, page: 3, telegram: 3, html: 2 };

try {
  report(measure());
} catch (failure) {
  giveUp(failure);
}

function measure(): Line[] {
  const chunks = readChunks(sourceLanguage);
  const built = languageTags.filter((language) => fs.existsSync(manifestPath(language)));
  return [
    ...built.flatMap((language) => pages.flatMap((page) => measurePage(page, language))),
    ...built.map(measureGate),
    measureHub(chunks),
    ...measureLazy(chunks),
    ...built.map(measureStyles),
  ];
}

/** Each language has its own; English has the one that Vite wrote. */
function manifestPath(language: Language): string {
  const name = language === sourceLanguage ? 'manifest.json' : `manifest.${language}.json`;
  return path.join(dist, '.vite', name);
}

function readChunks(language: Language): Manifest {
  return readManifest(fs.readFileSync(manifestPath(language), 'utf8'));
}

/** All style sheets that a screen may load, those for Telegram included. Counts the largest screen of the language. */
function measureStyles(language: Language): Line {
  const chunks = readChunks(language);
  const lines = Object.keys(chunks)
    .filter((name) => name.endsWith('-screen.tsx'))
    .map((name) => {
      const all = [
        ...chunksOfPage(chunks, new RegExp(`/${path.basename(name, '.tsx')}[.]tsx$`), true),
      ];
      const files = new Set(all.flatMap((chunk) => chunks[chunk]?.css ?? []));
      return {
        what: `${languagePrefix(language)}/  most styles of a screen: ${path.basename(name, '-screen.tsx')}`,
        bytes: total([...files].map((file) => path.join(dist, file))),
        budget: budgets.css,
      };
    })
    .toSorted((a, b) => b.bytes.gzip - a.bytes.gzip);
  const [most] = lines;
  if (!most) {
    throw new Stop('the build has no screens.');
  }
  return most;
}

function measurePage(page: (typeof pages)[number], language: Language): Line[] {
  const prefix = languagePrefix(language);
  const folder = path.join(dist, prefix);
  const html = page.files.find((file) => fs.existsSync(path.join(folder, file)));
  const address = `${prefix}${page.path}`;
  if (html === undefined) {
    throw new Stop(`the build has no page for ${address} (looked for ${page.files.join(', ')}).`);
  }
  const chunks = readChunks(language);
  const asked = readScripts(fs.readFileSync(path.join(folder, html), 'utf8'));
  const scripts = (names: ReadonlySet<string>) => total(jsFiles(chunks, names, asked));
  const budget = (name: keyof typeof extra) =>
    budgets[name] + (language === sourceLanguage ? 0 : extra[name]);
  return [
    {
      what: `${address}  scripts before first paint`,
      bytes: scripts(chunksBeforePaint(chunks, page.screen)),
      budget: budget('beforePaint'),
    },
    {
      what: `${address}  all scripts of the page`,
      bytes: scripts(chunksOfPage(chunks, page.screen, false)),
      budget: budget('page'),
    },
    {
      what: `${address}  all scripts inside Telegram`,
      bytes: scripts(chunksOfPage(chunks, page.screen, true)),
      budget: budget('telegram'),
    },
    {
      what: `${address}  page (HTML with its styles)`,
      bytes: total([path.join(folder, html)]),
      budget: budget('html'),
    },
  ];
}

/** The join gate loads nothing else: its styles and its script are in the page. */
function measureGate(language: Language): Line {
  const page = `${languagePrefix(language)}/gate`;
  return {
    what: `${page}  page with its script and styles, all that it loads`,
    bytes: total([path.join(dist, page, 'index.html')]),
    budget: budgets.gate + (language === sourceLanguage ? 0 : extra.html),
  };
}

/** The image hub draws no picture before it has all of these. */
function measureHub(chunks: Manifest): Line {
  const html = fs.readFileSync(path.join(dist, 'models/index.html'), 'utf8');
  const names = chunksBeforePaint(chunks, /\/hub-screen\.tsx$/);
  return {
    what: '/models  scripts before first picture',
    bytes: total(jsFiles(chunks, names, readScripts(html))),
    budget: budgets.hub,
  };
}

/** The chunks that load after the page, each by itself. */
function measureLazy(chunks: Manifest): Line[] {
  const eager = new Set(
    pages.flatMap(({ screen }) => jsFiles(chunks, chunksBeforePaint(chunks, screen), [])),
  );
  return Object.entries(chunks)
    .map(([key, { name }]) => ({ name, files: jsFiles(chunks, new Set([key]), []) }))
    .filter(({ files }) => files.some((file) => !eager.has(file)))
    .map(({ name, files }) => ({
      what: `later: ${name}`,
      bytes: total(files),
      budget: budgets.lazyChunk,
    }))
    .toSorted((a, b) => b.bytes.gzip - a.bytes.gzip);
}

/** Full paths of the scripts of these chunks and of those that the page's HTML loads, each once. */
function jsFiles(chunks: Manifest, names: ReadonlySet<string>, asked: readonly string[]): string[] {
  const files = [...names].map((name) => chunks[name]?.file ?? '');
  return [...new Set([...files, ...asked])]
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(dist, file));
}

/** Scripts that a page's HTML loads or preloads. */
function readScripts(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)].map(([, file]) => file ?? '');
}

/** Of the compressed copies that the build has made. */
function total(files: readonly string[]): Sizes {
  const sum = (ending: string) =>
    files.reduce((bytes, file) => bytes + fs.statSync(file + ending).size, 0);
  return { gzip: sum('.gz'), brotli: sum('.br') };
}

function report(lines: readonly Line[]): void {
  const width = Math.max(...lines.map(({ what }) => what.length)) + 2;
  const rows = lines.map(
    ({ what, bytes, budget }) =>
      `${what.padEnd(width)}${kB(bytes.gzip)}  ${kB(bytes.brotli)}  ${String(budget).padStart(6)}${isOver({ bytes, budget }) ? '  OVER' : ''}`,
  );
  process.stdout.write(
    `Sizes in kB (1,000 bytes)\n${' '.repeat(width)}  gzip  brotli  budget\n${rows.join('\n')}\n`,
  );
  const over = lines.filter(isOver);
  if (over.length > 0) {
    const list = over.map(
      ({ what, bytes, budget }) =>
        `  ${what}: ${kB(bytes.gzip).trim()} kB gzip, the budget is ${budget} kB`,
    );
    throw new Stop(`over the size budget:\n${list.join('\n')}`);
  }
}

function isOver({ bytes, budget }: Pick<Line, 'bytes' | 'budget'>): boolean {
  return bytes.gzip > budget * 1000;
}

function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(6);
}
