/** Takes the pictures of `npm run shots` with the browser and fixtures of the end-to-end tests. */
import { defineConfig } from '@playwright/test';

import endToEnd from '../playwright.config.ts';

export default defineConfig({
  ...endToEnd,
  testDir: import.meta.dirname,
  testMatch: 'lib/shots/take.ts',
  outputDir: '../test-results/shots',
  reporter: 'list',
});
