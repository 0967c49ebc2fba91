/**
 * `npm run bench:gallery`: scrolls the model browser with 1,000 and 10,000 cards on a slow phone.
 * Fails on what does not depend on the machine: layout shifts, blank areas and elements. Times are only
 * shown. Decision 008 has the libraries that it was compared with.
 */
import { type Browser, chromium, type CDPSession } from '@playwright/test';
import process from 'node:process';

import { ensureBrowser } from './lib/browser.mjs';
import { startGalleryPage } from './lib/gallery-page.ts';
import { type Scrolled } from './lib/gallery/measure.ts';
import { giveUp, say, Stop } from './lib/say.mjs';

const viewport = { width: 390, height: 844 };
const slowDown = 4;
/** In px/s: a strong fling. */
const speed = 6000;
const seconds = 6;

/** Numbers of cards. */
const counts = [1000, 10_000] as const;

/** Rounds, each with every number; times are the medians. */
const rounds = 3;

const budget = { shift: 0, blank: 0, nodes: 350, nodesPerCard: 25, jump: 1, heapGrowth: 3 };

type Result = Omit<Scrolled, 'frames' | 'distance'> & {
  readonly what: string;
  readonly p95: number;
  readonly slow: number;
  /** CPU time of the main thread, in ms per 1,000 px of scrolling: depends less on other programs. */
  readonly work: number;
  /** MB in use after garbage collection: the items alone, and what the gallery adds. */
  readonly data: number;
  readonly heap: number;
  /** How far the visible cards move when an item is inserted before them, in px. */
  readonly jump: number;
  /** Elements that were removed from the page and are not freed. */
  readonly detached: number;
};

/** The columns of the table, in this order. */
const columns = {
  'p95 ms': ({ p95 }) => p95.toFixed(1),
  'work ms/1,000 px': ({ work }) => work.toFixed(1),
  'frames > 34 ms': ({ slow }) => String(slow),
  'blank %': ({ blank }) => (blank * 100).toFixed(2),
  CLS: ({ shift }) => shift.toFixed(4),
  'nodes (max)': ({ nodes }) => String(nodes),
  'per card': ({ nodesPerCard }) => String(nodesPerCard),
  'cards (max)': ({ cards }) => String(cards),
  'jump px': ({ jump }) => jump.toFixed(0),
  detached: ({ detached }) => String(detached),
  'items MB': ({ data }) => data.toFixed(1),
  'gallery MB': ({ heap }) => heap.toFixed(1),
} as const satisfies Record<string, (result: Result) => string>;

try {
  const executablePath = await ensureBrowser();
  const page = await startGalleryPage();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    report(await measureAll(browser, page.url));
  } finally {
    await browser.close();
    await page.stop();
  }
} catch (failure) {
  giveUp(failure);
}

/** One number after the other, then all of them again, so that other programs slow each down alike. */
async function measureAll(browser: Browser, url: string): Promise<Result[]> {
  const results: Result[][] = counts.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, count] of counts.entries()) {
      say(`round ${round} of ${rounds}: ${count.toLocaleString('en')} items …`);
      // One at a time: two at once would slow each other down.
      results[index]?.push(await measure(browser, url, count));
    }
  }
  return results.map(summarise);
}

/** Medians of times and heaps, the worst value of everything that has a budget. */
function summarise(results: readonly Result[]): Result {
  const all = (read: (result: Result) => number) => results.map(read).toSorted((a, b) => a - b);
  const middle = (read: (result: Result) => number) => all(read)[results.length >> 1] ?? 0;
  const worst = (read: (result: Result) => number) => all(read).at(-1) ?? 0;
  return {
    what: results[0]?.what ?? '',
    p95: middle(({ p95 }) => p95),
    work: middle(({ work }) => work),
    slow: middle(({ slow }) => slow),
    data: middle(({ data }) => data),
    heap: middle(({ heap }) => heap),
    blank: worst(({ blank }) => blank),
    shift: worst(({ shift }) => shift),
    nodes: worst(({ nodes }) => nodes),
    nodesPerCard: worst(({ nodesPerCard }) => nodesPerCard),
    jump: worst(({ jump }) => jump),
    cards: worst(({ cards }) => cards),
    detached: worst(({ detached }) => detached),
  };
}

async function measure(browser: Browser, url: string, count: number): Promise<Result> {
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2, hasTouch: true });
  const page = await context.newPage();
  page.on('pageerror', (error) => giveUp(error));
  const devtools = await context.newCDPSession(page);
  await page.goto(url);
  await page.evaluate((items) => window.bench?.prepare(items), count);
  const data = await usedHeap(devtools);
  await page.evaluate(() => window.bench?.show());
  await page.getByRole('article').first().waitFor();
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const workBefore = await readWorkMs(devtools);
  const scrolled = await page.evaluate((options) => window.bench?.scroll(options), {
    speed,
    seconds,
  });
  const work = (await readWorkMs(devtools)) - workBefore;
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  if (scrolled === undefined) {
    throw new Stop('the page of the bench did not start.');
  }
  const heap = (await usedHeap(devtools)) - data;
  const detached = await detachedNodes(devtools);
  const jump = (await page.evaluate(() => window.bench?.insertFirst())) ?? Number.NaN;
  await context.close();
  const { frames, distance, ...seen } = scrolled;
  const sorted = frames.toSorted((a, b) => a - b);
  return {
    what: `${count.toLocaleString('en')} items`,
    ...seen,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    work: (work / distance) * 1000,
    slow: frames.filter((ms) => ms > 34).length,
    data,
    heap,
    jump,
    detached,
  };
}

/** CPU time of the main thread so far, in ms. */
async function readWorkMs(devtools: CDPSession): Promise<number> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** In MB. */
async function usedHeap(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

async function detachedNodes(devtools: CDPSession): Promise<number> {
  const { detachedNodes: found } = await devtools.send('DOM.getDetachedDomNodes');
  return found.length;
}

function report(results: readonly Result[]): void {
  const names = Object.keys(columns);
  const lines = results.map((result) => {
    const cells = Object.entries(columns).map(([name, read]) => read(result).padStart(name.length));
    return `${result.what.padEnd(20)}${cells.join('  ')}`;
  });
  process.stdout.write(`\n${''.padEnd(20)}${names.join('  ')}\n${lines.join('\n')}\n`);
  const misses = results.flatMap(findMisses);
  const [small, large] = results;
  if (small && large && large.heap - small.heap > budget.heapGrowth) {
    misses.push(`the heap grows by ${(large.heap - small.heap).toFixed(1)} MB with the items`);
  }
  if (small && large && large.nodes > small.nodes * 1.1) {
    misses.push(`the elements grow from ${small.nodes} to ${large.nodes} with the items`);
  }
  if (misses.length > 0) {
    throw new Stop(`over the gallery's budget:\n${misses.map((miss) => `  ${miss}`).join('\n')}`);
  }
}

function findMisses(result: Result): string[] {
  const limits = ['shift', 'blank', 'nodes', 'nodesPerCard', 'jump'] as const;
  return limits
    .filter((name) => result[name] > budget[name])
    .map((name) => `${result.what}: ${name} is ${result[name]}, the budget is ${budget[name]}`);
}
