/** `npm run shots`: the browser of the end-to-end tests, taking pictures in place of testing. */
import { defineConfig } from '@playwright/test';

import endToEnd from '../playwright.config.ts';

export default defineConfig({
  ...endToEnd,
  testDir: import.meta.dirname,
  testMatch: 'shots.ts',
  outputDir: '../test-results/shots',
  reporter: 'list',
});
