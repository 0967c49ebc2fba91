/** `npm run bench:lighthouse`: Lighthouse's mobile figures of the built product on its own server. Median of three runs. */
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
const pages = ['/', '/login', '/features', '/privacy-policy'];
const runsPerPage = 3;
/** Lighthouse sometimes loses the beginning of its own trace, and then asks to be run again. */
const lostTrace = 'NO_NAVSTART';
const triesPerRun = 4;
/** Largest contentful paint at most (ms), performance score at least (of 100). */
const budget = { lcp: 1000, performance: 97 };
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

/** Throws `Stop` when a page misses the budget. */
async function measure(origin: string): Promise<void> {
  const misses: string[] = [];
  process.stdout.write(`${'page'.padEnd(18)}${Object.keys(columns).join('  ')}\n`);
  for (const page of pages) {
    // One at a time: two browsers at once would slow each other down.
    const reports = await visit(`${origin}${page}`);
    show(page, reports);
    const flawed = perfect.filter((name) => Math.round(median(reports.map(columns[name]))) < 100);
    misses.push(...flawed.map((name) => `  ${page}: ${name} is below 100`));
    const lcp = median(reports.map(columns.lcp));
    const performance = Math.round(median(reports.map(columns.performance)));
    if (lcp > budget.lcp || performance < budget.performance) {
      misses.push(
        `  ${page}: LCP ${lcp.toFixed(0)} ms (at most ${budget.lcp}), performance ${performance} (at least ${budget.performance})`,
      );
    }
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
  say(
    `LCP ≤ ${budget.lcp} ms, performance ≥ ${budget.performance}, ${perfect.join(', ')} of 100: kept.`,
  );
}

function show(page: string, reports: readonly Report[]): void {
  const cells = Object.entries(columns).map(([name, read]) => {
    const value = median(reports.map(read));
    return value.toFixed(name === 'cls' ? 3 : 0).padStart(name.length);
  });
  process.stdout.write(`${page.padEnd(18)}${cells.join('  ')}\n`);
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
