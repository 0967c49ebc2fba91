/** End-to-end tests: real journeys in a real Chromium. Each test starts its own server on a free port. */
import { chromium, defineConfig } from '@playwright/test';
import fs from 'node:fs';
import process from 'node:process';

import { systemBrowser } from './scripts/lib/browser.mjs';

const isRoot = process.getuid?.() === 0;
/** `npm test` names one; else Playwright's own where it was downloaded, else the system's. */
const executablePath =
  process.env['NORI_CHROMIUM'] ??
  (fs.existsSync(chromium.executablePath()) ? undefined : systemBrowser());

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/e2e',
  workers: 2,
  retries: 0,
  // All of them together, in ms: a run that hangs must end by itself.
  globalTimeout: 150 * 60_000,
  // A journey takes seconds; a busy machine makes them many.
  timeout: 60_000,
  // A test that waits for what never comes ends after 25 s, as in Vitest. On a machine with much else to do,
  // two pictures that are painted at once take more than 15.
  expect: { timeout: 25_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 25_000,
    navigationTimeout: 25_000,
    // What a worker answers, a test cannot change. The tests of a page without a network allow it.
    serviceWorkers: 'block',
    // Recording every step takes as long as the steps; `--trace on` does it for whoever looks for a cause.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        // Chromium refuses its sandbox to root, and containers usually are root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // The simulated Telegram host and the app are both on this machine; Chromium would ask before they may talk.
        // It would also start a process in reserve for each page, though few tests open a second.
        '--disable-features=LocalNetworkAccessChecks,SpareRendererForSitePerProcess',
      ],
    },
  },
});
