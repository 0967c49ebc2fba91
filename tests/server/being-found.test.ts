/** What search engines, link previews and phones read, and the address in it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { headTags, manifestJson } from '#scripts/head.ts';
import { loadStaticSite, type StaticSite } from '#server/http/static-site';
import { createTestServer } from '#tests/test-server';

const about = {
  title: 'Features · Nori',
  description: 'Every "command" & more',
  isPublic: true,
  siteName: 'Nori',
  pictureText: 'Nori: a friendly rice ball',
  hosts: [undefined, undefined],
};
const filler = `<!-- ${'a page is long enough to be compressed '.repeat(40)} -->`;
const page = (robots: string, tags = '') =>
  `<!doctype html><html><head><meta name="robots" content="${robots}">${tags}</head><body>${filler}</body></html>`;

const files: Record<string, string> = {
  'index.html': page('index,follow', headTags(about)),
  'features/index.html': page('index,follow', headTags(about)),
  'dashboard/index.html': page('noindex', headTags({ ...about, isPublic: false })),
  '404.html': page('noindex'),
  // The build for a static host leaves these files.
  'robots.txt': 'Sitemap: https://old.example/sitemap.xml',
  'sitemap.xml': '<old/>',
};
const publicUrl = 'https://nori.example.org';

let folder: string;
const load = async (address?: string): Promise<StaticSite> =>
  (await loadStaticSite(folder, address)) ?? new Map();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nori-found-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  await writeFile(join(folder, 'features/index.html.br'), 'of the page without an address');
});
afterAll(() => rm(folder, { recursive: true }));

async function startServer(address: string | undefined) {
  const variables = address === undefined ? {} : { PUBLIC_URL: address };
  return createTestServer({ site: await load(address), variables });
}

/** The contents of the meta tags of a page, by the name of the tag. */
async function readTags(path: string, address: string | undefined) {
  const server = await startServer(address);
  const { body } = await server.request(path);
  const html = String(body);
  const metas = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)];
  const canonical = [...html.matchAll(/<link rel="canonical" href="([^"]*)">/g)];
  return {
    ...Object.fromEntries(metas.map(([, name, content]) => [name, content])),
    canonical: canonical.map(([, href]) => href),
  };
}

describe('a page', () => {
  test('has its address once the operator has set the server’s address', async () => {
    expect(await readTags('/features', publicUrl)).toMatchObject({
      canonical: [`${publicUrl}/features`],
      'og:url': `${publicUrl}/features`,
      'og:image': `${publicUrl}/social.png`,
      'twitter:image': `${publicUrl}/social.png`,
    });
    expect(await readTags('/', publicUrl)).toMatchObject({
      canonical: [`${publicUrl}/`],
      'og:url': `${publicUrl}/`,
    });
  });

  test('has a name and a picture with its size for link previews', async () => {
    expect(await readTags('/features', publicUrl)).toMatchObject({
      'og:type': 'website',
      'og:site_name': 'Nori',
      'og:title': 'Features · Nori',
      'og:description': 'Every &quot;command&quot; &amp; more',
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
      'twitter:title': 'Features · Nori',
    });
  });

  test('has no address when none is set', async () => {
    const tags = await readTags('/features', undefined);

    expect(tags).toMatchObject({ canonical: [], 'og:image': '/social.png' });
    expect(tags).not.toHaveProperty('og:url');
  });

  test('for members only has no address for visitors', async () => {
    expect(await readTags('/dashboard', publicUrl)).toEqual({ robots: 'noindex', canonical: [] });
  });

  test('that does not exist has no address either', async () => {
    expect(await readTags('/nowhere', publicUrl)).toEqual({ robots: 'noindex', canonical: [] });
  });

  test('that was built for another address has only the present one', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'nori-elsewhere-'));
    const first = (await load('https://old.example')).get('index.html');
    await writeFile(join(elsewhere, 'index.html'), first!.body);

    const moved = (await loadStaticSite(elsewhere, publicUrl))?.get('index.html');

    const html = Buffer.from(moved!.body).toString();
    expect(html).not.toContain('old.example');
    expect(html.match(/rel="canonical"/g)).toHaveLength(1);
    expect(html).toContain(`"og:image" content="${publicUrl}/social.png"`);
    await rm(elsewhere, { recursive: true });
  });

  test('is sent compressed with its address, and not as the build left it', async () => {
    const encoded = (await load(publicUrl)).get('features/index.html')?.encoded.br;

    expect(brotliDecompressSync(encoded!).toString()).toContain(`${publicUrl}/features`);
  });
});

describe('robots.txt and sitemap.xml', () => {
  test('list the public pages under the address of the site', async () => {
    const server = await startServer(publicUrl);

    const robots = await server.request('/robots.txt');
    const sitemap = await server.request('/sitemap.xml');

    expect(robots.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(robots.body).toBe(
      `User-agent: *\nDisallow: /backend/\nDisallow: /public-api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
    );
    expect(sitemap.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
    const listed = [...String(sitemap.body).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc);
    expect(listed).toEqual([`${publicUrl}/`, `${publicUrl}/features`]);
    expect(sitemap.headers.get('Cache-Control')).toBe('public, max-age=3600');
  });

  test('use the address of the request when none is set, and may then not be cached', async () => {
    const server = await startServer(undefined);

    const sitemap = await server.app.request('http://192.168.0.7:8080/sitemap.xml');

    expect(await sitemap.text()).toContain('<loc>http://192.168.0.7:8080/features</loc>');
    expect(sitemap.headers.get('Cache-Control')).toBe('no-store');
  });
});

test('a page preconnects to the other servers that it is built to call, and may call them', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'nori-hosts-'));
  const tags = headTags({
    ...about,
    hosts: ['https://api.example.org/v1', 'https://api.example.org/public', '/public-api'],
    rareHosts: ['https://search.example.org/graphql', undefined],
  });
  await writeFile(join(elsewhere, 'index.html'), page('index,follow', tags));
  const site = (await loadStaticSite(elsewhere)) ?? new Map();

  const server = await createTestServer({ site });
  const { headers, body } = await server.request('/');

  expect(headers.get('Content-Security-Policy')).toContain(
    "connect-src 'self' https://api.example.org https://search.example.org;",
  );
  expect(String(body).match(/rel="preconnect"/g)).toHaveLength(1);
  await rm(elsewhere, { recursive: true });
});

test('a page that is built to call a server without HTTPS also shows its pictures and streams', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'nori-hosts-'));
  const origin = 'http://192.168.0.7:8081';
  const tags = headTags({ ...about, hosts: [`${origin}/backend`] });
  await writeFile(join(elsewhere, 'index.html'), page('index,follow', tags));
  const site = (await loadStaticSite(elsewhere)) ?? new Map();

  const server = await createTestServer({ site });
  const { headers } = await server.request('/');

  const directives = (headers.get('Content-Security-Policy') ?? '').split('; ');
  const naming = directives.filter((directive) => directive.split(' ').includes(origin));
  expect(naming.map((directive) => directive.split(' ')[0])).toEqual([
    'img-src',
    'media-src',
    'connect-src',
  ]);
  await rm(elsewhere, { recursive: true });
});

test('a page may show and fetch pictures from where the server stores them, and from no other place', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'nori-hosts-'));
  await writeFile(join(elsewhere, 'index.html'), page('index,follow', headTags(about)));
  const bucket = 'http://pictures.example.org:9000';
  const site = (await loadStaticSite(elsewhere, undefined, `${bucket}/s3`)) ?? new Map();

  const server = await createTestServer({ site });
  const { headers, body } = await server.request('/');
  const policy = headers.get('Content-Security-Policy') ?? '';

  expect(policy).toContain(`connect-src 'self' ${bucket};`);
  expect(policy).toContain(`img-src 'self' data: blob: https: ${bucket};`);
  // The page's scripts read it there.
  expect(String(body)).toContain(`<link rel="dns-prefetch" href="${bucket}"></head>`);
  await rm(elsewhere, { recursive: true });
});

test('a page in another language names it to previews, and its own manifest', () => {
  const tags = headTags({ ...about, language: 'pt-BR' });

  expect(tags).toContain('<meta property="og:locale" content="pt_BR">');
  expect(tags).toContain('<link rel="manifest" href="/pt-br/manifest.webmanifest">');
  expect(headTags(about)).toContain('<link rel="manifest" href="/manifest.webmanifest">');
});

test('the manifest of another language starts the same app in it', () => {
  const manifest = manifestJson({ siteName: 'Nori', description: '', language: 'ar' });

  expect(JSON.parse(manifest)).toMatchObject({
    id: '/',
    lang: 'ar',
    dir: 'rtl',
    start_url: '/ar',
    scope: '/',
  });
});

test('the manifest makes the app installable under the name that this server has', () => {
  expect(
    JSON.parse(manifestJson({ siteName: 'Somebody', description: 'What it is' })),
  ).toMatchObject({
    name: 'Somebody',
    short_name: 'Somebody',
    description: 'What it is',
    lang: 'en',
    start_url: '/',
    display: 'standalone',
    icons: expect.arrayContaining([
      expect.objectContaining({ sizes: '192x192', purpose: 'any' }),
      expect.objectContaining({ sizes: '512x512', purpose: 'any' }),
      expect.objectContaining({ sizes: '512x512', purpose: 'maskable' }),
    ]),
  });
});
