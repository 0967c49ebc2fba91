/**
 * `npm run bench:lighthouse`: Lighthouse's mobile figures of the built product on its own server: the
 * median of five runs, and below it the worst. Paths as arguments measure these pages only.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

import { ensureBrowser } from './lib/browser.mjs';
import { run } from './lib/run.mjs';
import { giveUp, say, Stop } from './lib/say.mjs';
import { startServer } from './lib/server.mjs';

/** Lighthouse's command line, which also starts the browser. */
const lighthouse = fileURLToPath(import.meta.resolve('lighthouse/cli/index.js'));
const runsPerPage = 5;
/** Lighthouse sometimes loses the beginning of its own trace, and then asks to be run again. */
const lostTrace = 'NO_NAVSTART';
const triesPerRun = 4;
type Budget = {
  /** Largest contentful paint at most (ms), in the median. */
  readonly lcp: number;
  /** Performance score at least (of 100), in the median. */
  readonly performance: number;
  /** The performance score is kept in every run. */
  readonly isStrict?: boolean;
  /** Cumulative layout shift at most, in every run. */
  readonly cls?: number;
};
const plain: Budget = { lcp: 1000, performance: 97 };
/** Pages whose lists come from the server. */
const lists: Budget = { lcp: 1200, performance: 97, cls: 0 };
const pages: Readonly<Record<string, Budget>> = {
  '/': { ...plain, isStrict: true },
  '/login': plain,
  '/features': plain,
  '/privacy-policy': plain,
  '/models': lists,
  '/models?view=models': lists,
  '/api': lists,
};
/** Scores are better when they are higher; times and shifts when they are lower. */
const lowerIsBetter: ReadonlySet<string> = new Set(['lcp', 'fcp', 'tbt', 'cls']);
/** Categories that must score 100 on every page. */
const perfect = ['accessibility', 'best practices', 'seo'] as const;
/** The address of another site that is measured in the same run, such as the official template's build. */
const besideUrl = process.env['LIGHTHOUSE_BESIDE'];

// Chromium refuses its sandbox to root, and containers usually run as root.
const chromeFlags = '--headless=new --no-sandbox --disable-gpu';

const score = v.object({ score: v.number() });
const timing = v.object({ numericValue: v.number() });
/** The part of Lighthouse's report that this script reads. */
const lighthouseReport = v.object({
  categories: v.object({
    performance: score,
    accessibility: score,
    'best-practices': score,
    seo: score,
  }),
  audits: v.object({
    'largest-contentful-paint': timing,
    'first-contentful-paint': timing,
    'total-blocking-time': timing,
    'cumulative-layout-shift': timing,
  }),
});
type Report = v.InferOutput<typeof lighthouseReport>;

/** The columns of the table, in this order. Scores are of 100, times in ms. */
const columns = {
  performance: ({ categories }) => categories.performance.score * 100,
  lcp: ({ audits }) => audits['largest-contentful-paint'].numericValue,
  fcp: ({ audits }) => audits['first-contentful-paint'].numericValue,
  tbt: ({ audits }) => audits['total-blocking-time'].numericValue,
  cls: ({ audits }) => audits['cumulative-layout-shift'].numericValue,
  accessibility: ({ categories }) => categories.accessibility.score * 100,
  'best practices': ({ categories }) => categories['best-practices'].score * 100,
  seo: ({ categories }) => categories.seo.score * 100,
} as const satisfies Record<string, (report: Report) => number>;
type Column = keyof typeof columns;
const columnNames: readonly Column[] = [
  'performance',
  'lcp',
  'fcp',
  'tbt',
  'cls',
  'accessibility',
  'best practices',
  'seo',
];
const pageWidth = 22;

const folder = path.join(os.tmpdir(), `nori-lighthouse-${process.pid}`);
try {
  process.env['CHROME_PATH'] = await ensureBrowser();
  const server = await startServer();
  fs.mkdirSync(folder);
  try {
    await measure(server.url);
  } finally {
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
} catch (failure) {
  giveUp(failure);
}

/** Throws `Stop` when a page misses its budget. */
async function measure(origin: string): Promise<void> {
  const misses: string[] = [];
  const asked = process.argv.slice(2);
  const chosen = Object.entries(pages).filter(
    ([page]) => asked.length === 0 || asked.includes(page),
  );
  process.stdout.write(`${'page'.padEnd(pageWidth)}${columnNames.join('  ')}\n`);
  for (const [page, budget] of chosen) {
    // One at a time: two browsers at once would slow each other down.
    const reports = await visit(`${origin}${page}`);
    show(page, reports);
    misses.push(...findMisses(reports, budget).map((miss) => `  ${page}: ${miss}`));
  }
  if (besideUrl === undefined) {
    say(
      'the official Mini App template was not measured beside: LIGHTHOUSE_BESIDE is to name a running build of it.',
    );
  } else {
    show('beside', await visit(besideUrl));
  }
  if (misses.length > 0) {
    throw new Stop(`over the budget:\n${misses.join('\n')}`);
  }
  say(`the budgets of ${chosen.map(([page]) => page).join(', ')} are kept.`);
}

function findMisses(reports: readonly Report[], budget: Budget): string[] {
  const read = budget.isStrict ? worst : median;
  const performance = Math.round(read(reports, 'performance'));
  const lcp = Math.round(median(reports, 'lcp'));
  const cls = worst(reports, 'cls').toFixed(3);
  return [
    ...perfect
      .filter((name) => Math.round(median(reports, name)) < 100)
      .map((name) => `${name} is below 100`),
    ...(lcp > budget.lcp ? [`LCP ${lcp} ms (at most ${budget.lcp})`] : []),
    ...(performance < budget.performance
      ? [
          `performance ${performance} (at least ${budget.performance}${budget.isStrict ? ' in every run' : ''})`,
        ]
      : []),
    ...(Number(cls) > (budget.cls ?? Number.POSITIVE_INFINITY)
      ? [`CLS ${cls} (at most ${budget.cls})`]
      : []),
  ];
}

function show(page: string, reports: readonly Report[]): void {
  showLine(page, (column) => median(reports, column));
  showLine('  worst', (column) => worst(reports, column));
}

function showLine(name: string, read: (column: Column) => number): void {
  const cells = columnNames.map((column) =>
    read(column)
      .toFixed(column === 'cls' ? 3 : 0)
      .padStart(column.length),
  );
  process.stdout.write(`${name.padEnd(pageWidth)}${cells.join('  ')}\n`);
}

async function visit(url: string): Promise<Report[]> {
  const reports: Report[] = [];
  for (let count = 0; count < runsPerPage; count += 1) {
    reports.push(await visitOnce(url));
  }
  return reports;
}

async function visitOnce(url: string, triesLeft = triesPerRun): Promise<Report> {
  const file = path.join(folder, 'report.json');
  const { code, output } = await run(
    process.execPath,
    [
      lighthouse,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--chrome-flags=${chromeFlags}`,
    ],
    { isQuiet: true },
  );
  if (code !== 0 && triesLeft > 1 && output.includes(lostTrace)) {
    return visitOnce(url, triesLeft - 1);
  }
  if (code !== 0) {
    throw new Stop(`Lighthouse could not measure ${url}:\n${output}`);
  }
  return v.parse(lighthouseReport, JSON.parse(fs.readFileSync(file, 'utf8')));
}

function median(reports: readonly Report[], column: Column): number {
  const values = reports.map(columns[column]).toSorted((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

function worst(reports: readonly Report[], column: Column): number {
  const values = reports.map(columns[column]);
  return lowerIsBetter.has(column) ? Math.max(...values) : Math.min(...values);
}
