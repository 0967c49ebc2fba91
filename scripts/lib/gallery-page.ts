/** Builds and serves the pages that show the gallery alone, for the benchmark and the browser tests. */
import react from '@vitejs/plugin-react';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, preview } from 'vite';

const root = path.join(import.meta.dirname, 'gallery');

export type GalleryPage = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

/** Builds for production, as visitors get it. */
export async function startGalleryPage(): Promise<GalleryPage> {
  const outDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-gallery-'));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: ['index.html', 'try.html'].map((file) => path.join(root, file)) },
    },
  });
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'warn',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return {
    url,
    async stop() {
      await server.close();
      fs.rmSync(outDir, { recursive: true, force: true });
    },
  };
}
