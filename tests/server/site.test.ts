/** Serving the built site: pages, files, caching, and 404. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { loadStaticSite, type StaticSite } from '#server/http/static-site';
import { createTestServer } from '#tests/test-server';

const script = `console.log('nori');\n`.repeat(100);
const files: Record<string, string> = {
  'index.html': '<!doctype html><title>Shell</title><script type="module" src="/assets/app-1.js">',
  'login/index.html': '<!doctype html><title>Login</title>',
  '404.html': '<!doctype html><title>Not found</title>',
  'assets/app-1.js': script,
  'assets/app-1.js.map': '{}',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

let folder: string;
let site: StaticSite;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nori-site-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const loaded = await loadStaticSite(folder);
  site = loaded ?? new Map();
});
afterAll(() => rm(folder, { recursive: true }));

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const server = await createTestServer({ site });
  return server.app.request(path, { method, headers });
}

async function pageTitle(path: string) {
  const reply = await get(path);
  const title = /<title>(.*)<\/title>/.exec(await reply.text())?.[1];
  return { status: reply.status, title };
}

test('a screen with a page of its own gets that page', async () => {
  expect(await pageTitle('/login')).toEqual({ status: 200, title: 'Login' });
});

test('Home is the page at the root', async () => {
  expect(await pageTitle('/')).toEqual({ status: 200, title: 'Shell' });
});

test('the query of the address is kept for the page', async () => {
  expect(await pageTitle('/login?next=/dashboard')).toEqual({ status: 200, title: 'Login' });
});

test.each([
  '/nowhere',
  '/dashboard/nowhere',
  '/Login',
  '/index.html',
  '/login/index.html',
  '/404.html',
  '/__proto__',
])('%s is not found, with a page that says so', async (path) => {
  const expected = path.endsWith('.html')
    ? { status: 404, title: undefined }
    : { status: 404, title: 'Not found' };

  expect(await pageTitle(path)).toEqual(expected);
});

test.each(['/assets/app-0.js', '/assets/app-1.js.map', '/favicon.ico'])(
  'the missing file %s is a 404 and not a page',
  async (path) => {
    const reply = await get(path);

    expect(reply.status).toBe(404);
    expect(reply.headers.get('Content-Type')).not.toContain('html');
  },
);

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/..%2fpackage.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/etc/passwd',
  String.raw`/..\package.json`,
])('the path %s is not found', async (path) => {
  const reply = await get(path);

  expect(reply.status).toBe(404);
});

test('a page is revalidated each time, a fingerprinted file never', async () => {
  const page = await get('/login');
  const asset = await get('/assets/app-1.js');

  expect(page.headers.get('Cache-Control')).toBe('no-cache');
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
});

test('files are sent in a compression that the browser accepts, and uncompressed otherwise', async () => {
  const plain = await get('/assets/app-1.js');
  const gzip = await get('/assets/app-1.js', { 'Accept-Encoding': 'gzip, deflate' });
  const brotli = await get('/assets/app-1.js', { 'Accept-Encoding': 'gzip, deflate, br;q=1.0' });
  const refused = await get('/assets/app-1.js', { 'Accept-Encoding': 'br;q=0, gzip' });

  expect(await plain.text()).toBe(script);
  expect(plain.headers.get('Content-Encoding')).toBeNull();
  expect(gzip.headers.get('Content-Encoding')).toBe('gzip');
  expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(script);
  expect(brotli.headers.get('Content-Encoding')).toBe('br');
  expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(script);
  expect(refused.headers.get('Content-Encoding')).toBe('gzip');
  expect(brotli.headers.get('Vary')).toBe('Accept-Encoding');
});

test('a file that the browser has is not sent again', async () => {
  const first = await get('/login');
  const etag = first.headers.get('ETag') ?? '';
  const again = await get('/login', { 'If-None-Match': `"other", ${etag}` });
  const stale = await get('/login', { 'If-None-Match': '"other"' });

  expect(etag).toMatch(/^"[\w-]{22}"$/);
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  expect(again.headers.get('ETag')).toBe(etag);
  expect(stale.status).toBe(200);
});

test('each compression of a file has its own tag', async () => {
  const plain = await get('/assets/app-1.js');
  const brotli = await get('/assets/app-1.js', { 'Accept-Encoding': 'br' });

  expect(plain.headers.get('ETag')).not.toBe(brotli.headers.get('ETag'));
});

test('HEAD sends all but the content', async () => {
  const reply = await get('/login', {}, 'HEAD');

  expect(reply.status).toBe(200);
  expect(reply.headers.get('Content-Length')).toBe(String(files['login/index.html']?.length));
  expect(await reply.text()).toBe('');
});

test.each([
  ['/login/', '/login'],
  ['/login/?next=%2Fdashboard', '/login?next=%2Fdashboard'],
  ['//example.org/', '/example.org'],
  [String.raw`/\example.org/`, '/example.org'],
  // Browsers ignore a tab: decoded, there would be two slashes again.
  ['/%09/example.org/', '/%09/example.org'],
  // Decoded, these would be invalid in a header.
  ['/%0A/example.org/', '/%0A/example.org'],
  ['/%0D%0AX-Injected:%201/', '/%0D%0AX-Injected:%201'],
  ['/%00/', '/%00'],
])('%s redirects to %s and never to another host', async (path, target) => {
  const server = await createTestServer({ site });
  const reply = await server.app.request(new Request(`http://localhost${path}`));

  expect(reply.status).toBe(308);
  expect(reply.headers.get('Location')).toBe(target);
});

test('a path of slashes only is Home', async () => {
  const reply = await get(`/${'/'.repeat(4000)}`);
  const within = await get(`/login${'/'.repeat(4000)}x/`);

  expect(reply.status).toBe(308);
  expect(reply.headers.get('Location')).toBe('/');
  expect(within.headers.get('Location')).toBe(`/login${'/'.repeat(4000)}x`);
});

test('a POST to a page is refused', async () => {
  const reply = await get('/login', {}, 'POST');

  expect(reply.status).toBe(404);
});

test('a folder that was never built is refused', async () => {
  expect(await loadStaticSite(join(folder, 'nowhere'))).toBeUndefined();
});

test('a compressed file from the build is sent as it is', async () => {
  const built = await mkdtemp(join(tmpdir(), 'nori-built-'));
  await writeFile(join(built, 'app.js'), script);
  await writeFile(join(built, 'app.js.br'), 'made by the build');

  const loaded = await loadStaticSite(built);

  expect(Buffer.from(loaded?.get('app.js')?.encoded.br ?? []).toString()).toBe('made by the build');
  expect(loaded?.has('app.js.br')).toBe(false);
  await rm(built, { recursive: true });
});
