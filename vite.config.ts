/** The client's build, and the two kinds of test. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { purgeUnusedCss } from './scripts/purge-unused-css.ts';

/** The server that `npm run dev` starts beside Vite. */
const devServer = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;

export default defineConfig({
  plugins: [react(), purgeUnusedCss()],
  build: {
    target: 'es2022',
    manifest: true,
    cssCodeSplit: true,
    // The entry's style sheet is inlined into each page; nothing else is worth a data URL.
    assetsInlineLimit: 0,
  },
  server: {
    port: 5173,
    proxy: { '/backend': devServer, '/public-api': devServer },
  },
  test: {
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'app',
          environment: 'happy-dom',
          include: ['tests/app/**/*.test.tsx', 'tests/app/**/*.test.ts'],
          setupFiles: ['tests/support/setup-app.tsx'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['tests/server/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
