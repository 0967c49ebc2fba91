/** `npm run shots`: takes screenshots with the browser and fixtures of the end-to-end tests. */
import { defineConfig } from '@playwright/test';

import endToEnd from '../playwright.config.ts';

export default defineConfig({
  ...endToEnd,
  testDir: import.meta.dirname,
  testMatch: 'shots.ts',
  outputDir: '../test-results/shots',
  reporter: 'list',
});
