/**
 * `npm run bench:offline`: what the service worker costs. The first contentful paint on a slow phone, at the first visit
 * and at a later one, in turn with the worker and without it.
 */
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { ensureBrowser } from './lib/browser.mjs';
import { startDemoServer } from './lib/demo-server.ts';
import { giveUp, say, Stop } from './lib/say.mjs';

const rounds = 15;
const paths = ['/', '/features', '/login'] as const;
/** In ms: how much later the median paint of a later visit may be. */
const budget = 50;
const slowCpu = 4;
/** Lighthouse's slow 4G. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const ways = ['block', 'allow'] as const;
type Paints = Readonly<Record<(typeof ways)[number], ReturnType<typeof newPaints>>>;

function newPaints() {
  const first: number[] = [];
  const later: number[] = [];
  return { first, later };
}

/** Opens a page as a slow phone does. Returns its first contentful paint, in ms. */
async function measurePaint(context: BrowserContext, url: string, waits: boolean): Promise<number> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowCpu });
  await devtools.send('Network.emulateNetworkConditions', slowNetwork);
  await page.goto(url);
  const paint = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const [first] = list.getEntriesByName('first-contentful-paint');
          if (first) {
            resolve(first.startTime);
          }
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  if (waits) {
    await page.waitForFunction(
      async (wanted) =>
        (await (await caches.open('nori-pages')).match(wanted)) !== undefined &&
        navigator.serviceWorker.controller !== null,
      new URL(url).pathname,
    );
  }
  await page.close();
  return paint;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
}

try {
  const executablePath = await ensureBrowser();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-bench-'));
  const server = await startDemoServer(dataDir);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  let worst = 0;
  try {
    for (const at of paths) {
      worst = Math.max(worst, await comparePage(browser, server.url + at));
    }
  } finally {
    await browser.close();
    server.child.kill();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
  if (worst > budget) {
    throw new Stop(
      `a later visit paints ${worst.toFixed(0)} ms later with the worker; at most ${budget}.`,
    );
  }
} catch (failure) {
  giveUp(failure);
}

/** Prints the medians of a page. Returns how much later it paints at a later visit with the worker, in ms. */
async function comparePage(browser: Browser, url: string): Promise<number> {
  const paints: Paints = { block: newPaints(), allow: newPaints() };
  const order = Array.from({ length: rounds }, (_, round) =>
    round % 2 === 0 ? ways : ways.toReversed(),
  ).flat();
  for (const way of order) {
    const context = await browser.newContext({
      serviceWorkers: way,
      viewport: { width: 390, height: 844 },
    });
    paints[way].first.push(await measurePaint(context, url, way === 'allow'));
    paints[way].later.push(await measurePaint(context, url, false));
    await context.close();
  }
  const { block, allow } = paints;
  say(
    `${new URL(url).pathname}  first visit ${median(block.first)} ms without, ${median(allow.first)} ms with the worker; ` +
      `later ${median(block.later)} and ${median(allow.later)} ms`,
  );
  return median(allow.later) - median(block.later);
}
