/** The app on a static host, built for a backend on other origins. */
import { serve } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type AppEnv } from '#server/http/app-env';
import { loadStaticSite, serveSite, type StaticSite } from '#server/http/static-site';

const root = resolve(import.meta.dirname, '../..');

/** A host that knows files alone: a folder is its page, and what is missing is the page at the root. */
const servePlain =
  (site: StaticSite): MiddlewareHandler<AppEnv> =>
  async (c) => {
    const name = c.req.path.replaceAll(/^\/|\/$/g, '');
    const page = name === '' ? 'index.html' : `${name}/index.html`;
    const found = site.get(name) ?? site.get(page);
    const file = found ?? site.get('404.html');
    return file === undefined
      ? c.notFound()
      : c.body(file.body, found ? 200 : 404, { 'Content-Type': file.type });
  };

/**
 * Builds the app with these `VITE_` variables, and serves it on a free port: as our server serves pages, or as a
 * host that knows files alone.
 */
export async function startStaticSite(
  variables: Readonly<Record<string, string>>,
  { isPlain = false } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'nori-static-'));
  const build = spawn('npm', ['run', '--silent', 'build', '--', folder], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  build.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const [code] = await once(build, 'exit');
  const site = await loadStaticSite(folder);
  if (code !== 0 || site === undefined) {
    throw new Error(`The app could not be built:\n${output}`);
  }
  const app = new Hono<AppEnv>().use(isPlain ? servePlain(site) : serveSite(site));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The site has no port');
  }

  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
