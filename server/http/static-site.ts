/** Reads the built site into memory, compressed and with fingerprints, and serves it. */
import { type MiddlewareHandler } from 'hono';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { type AppContext, type AppEnv } from './app-env.ts';
import { pagePolicy, reportingEndpoints } from './security-headers.ts';
import { atAddress, isListed } from './site-address.ts';
import { languageRedirect, languagesOnSite, splitPrefix } from './site-languages.ts';

type Encoding = 'br' | 'gzip';

type StaticFile = {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly encoded: Partial<Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
  /** Hash of the content, without quotes and without the encoding. */
  readonly fingerprint: string;
  readonly cacheControl: string;
  /** The Content-Security-Policy of a page. */
  readonly policy: string | undefined;
  /** The path of a page that search engines may list. */
  readonly listedAt: string | undefined;
};

/** Files by their path from the root of the site, such as `assets/main-abc.js`. */
export type StaticSite = ReadonlyMap<string, StaticFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
};
/** Where Spotify and AniList lead people back to, in each language. */
const returnPage = /^(?:[^/]+\/)?(?:spotify|anilist)-auth\/index\.html$/;
const compressible = /^(?:text|application)\/|svg/;
const worthCompressing = 1024;

/**
 * Reads the folder of a build; undefined when there is none. With `publicUrl`, pages name their address; with
 * `pictureUrl`, where pictures come from besides this server, which the policy of pages then allows.
 */
export async function loadStaticSite(
  folder: string,
  publicUrl?: string,
  pictureUrl?: string,
): Promise<StaticSite | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile() && !/\.(?:br|gz|map)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  if (paths.length === 0) {
    return undefined;
  }
  const files = await Promise.all(
    paths.map(async (path) => {
      const name = path.split(sep).join('/');
      const file = await loadFile(join(folder, path), { name, publicUrl, pictureUrl });
      return [name, file] as const;
    }),
  );
  return new Map(files);
}

type FileOptions = {
  readonly name: string;
  readonly publicUrl: string | undefined;
  readonly pictureUrl: string | undefined;
};

async function loadFile(
  file: string,
  { name, publicUrl, pictureUrl }: FileOptions,
): Promise<StaticFile> {
  const built = await readFile(file);
  const type = types[extname(name)] ?? 'application/octet-stream';
  const isPage = type.startsWith('text/html');
  const page = isPage ? built.toString() : '';
  const html = pictureUrl === undefined ? page : withOtherHost(page, pictureUrl);
  const listedAt = isListed(html) ? `/${name.replace(/\/?index\.html$/, '')}` : undefined;
  const text = publicUrl === undefined ? html : atAddress(html, publicUrl, listedAt);
  const body = isPage && text !== page ? Buffer.from(text) : built;
  const isWorthIt = compressible.test(type) && body.length >= worthCompressing;
  return {
    type,
    body: new Uint8Array(body),
    encoded: isWorthIt ? await encode(body === built ? file : undefined, body) : {},
    fingerprint: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    cacheControl: cacheRule(name, isPage),
    policy: isPage
      ? pagePolicy({
          ...inlineHashes(html),
          hosts: otherHosts(html),
          isNeverFramed: returnPage.test(name),
        })
      : undefined,
    listedAt,
  };
}

/** Files in assets/ have a fingerprint in their name; pages are checked for a newer version each time. */
function cacheRule(name: string, isPage: boolean): string {
  if (isPage) {
    return 'no-cache';
  }
  return name.startsWith('assets/')
    ? 'public, max-age=31536000, immutable'
    : 'public, max-age=3600';
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Uses the compressed files of the build, and compresses the rest fast rather than small. */
async function encode(file: string | undefined, body: Buffer): Promise<StaticFile['encoded']> {
  const readBuilt = async (ending: string) =>
    file === undefined ? undefined : readFile(file + ending).catch(() => undefined);
  const [br, gz] = await Promise.all([
    readBuilt('.br').then(
      (known) => known ?? compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    ),
    readBuilt('.gz').then((known) => known ?? compressGzip(body)),
  ]);
  return { br: new Uint8Array(br), gzip: new Uint8Array(gz) };
}

const inlineElement = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/** The hashes by which a page's own inline scripts and styles are allowed. */
function inlineHashes(html: string): { scripts: string[]; styles: string[] } {
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  for (const [, element = '', attributes = '', content = ''] of html.matchAll(inlineElement)) {
    if (!/\bsrc\s*=/.test(attributes)) {
      const hash = createHash('sha256').update(content).digest('base64');
      hashes[element.toLowerCase() === 'style' ? 'style' : 'script'].add(`'sha256-${hash}'`);
    }
  }
  return { scripts: [...hashes.script], styles: [...hashes.style] };
}

/** Scripts of the page read the link, too: it is where files may be fetched from. */
function withOtherHost(html: string, url: string): string {
  const { origin } = new URL(url);
  return html.replace('</head>', () => `<link rel="dns-prefetch" href="${origin}"></head>`);
}

/** The other servers that the app was built to call, or that store pictures: the page has a link for each. */
function otherHosts(html: string): string[] {
  return [
    ...html.matchAll(/<link rel="(?:preconnect|dns-prefetch)" href="(https?:\/\/[^"/;\s]+)"/g),
  ].map(([, origin = '']) => origin);
}

/** Serves GET and HEAD. The path is only looked up in the map, so that it cannot leave the site. */
export function serveSite(site: StaticSite): MiddlewareHandler<AppEnv> {
  const languages = languagesOnSite(site);
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      return next();
    }
    const { pathname, search } = new URL(c.req.url);
    if (pathname !== '/' && pathname.endsWith('/')) {
      return c.redirect(`${withoutOuterSlashes(pathname)}${search}`, 308);
    }

    const path = c.req.path;
    const isFile = /\.[a-z\d]+$/i.test(path);
    const elsewhere = isFile ? undefined : languageRedirect(c, languages);
    if (elsewhere !== undefined) {
      c.header('Cache-Control', 'no-store');
      c.header('Vary', 'Accept-Language, Cookie');
      return c.redirect(`${withoutOuterSlashes(elsewhere)}${search}`, 302);
    }
    const found = find(site, path);
    if (found) {
      return answer(c, found, 200);
    }
    // A missing script must not be answered with a page: the browser would complain about its type.
    const { prefix } = splitPrefix(path);
    const notFound = isFile ? undefined : site.get(`${prefix}/404.html`.slice(1));
    return notFound ? answer(c, notFound, 404) : next();
  };
}

/**
 * One slash at the front, as two would lead to another host, and none at the end. `pathname` must still
 * be encoded: browsers skip a decoded tab between two slashes, and a line break would break the header.
 */
function withoutOuterSlashes(pathname: string): string {
  let [start, end] = [0, pathname.length];
  while (pathname[start] === '/') {
    start += 1;
  }
  while (end > start && pathname[end - 1] === '/') {
    end -= 1;
  }
  return `/${pathname.slice(start, end)}`;
}

/** A file, or the page of a route; the build makes one for each route. */
function find(site: StaticSite, path: string): StaticFile | undefined {
  const name = path.slice(1);
  const file = name.endsWith('.html') ? undefined : site.get(name);
  return file ?? site.get(name === '' ? 'index.html' : `${name}/index.html`);
}

function answer(c: AppContext, file: StaticFile, status: 200 | 404): Response {
  const encoding = bestEncoding(c.req.header('Accept-Encoding') ?? '', file);
  const etag = `"${file.fingerprint}${encoding === undefined ? '' : `-${encoding}`}"`;
  c.header('ETag', etag);
  c.header('Cache-Control', file.cacheControl);
  c.header('Vary', 'Accept-Encoding');
  if (file.policy !== undefined) {
    c.header('Content-Security-Policy', file.policy);
    c.header('Reporting-Endpoints', reportingEndpoints);
  }
  if (status === 200 && isKnown(c.req.header('If-None-Match'), etag)) {
    return c.body(null, 304);
  }

  const body = (encoding && file.encoded[encoding]) ?? file.body;
  c.header('Content-Type', file.type);
  c.header('Content-Length', String(body.length));
  if (encoding !== undefined) {
    c.header('Content-Encoding', encoding);
  }
  return c.body(body, status);
}

/** The smallest encoding that the browser accepts. */
function bestEncoding(accepted: string, { encoded }: StaticFile): Encoding | undefined {
  const offers = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((offer) => offer.trim())
      .filter((offer) => !/;\s*q=0(?:\.0*)?$/.test(offer))
      .map((offer) => offer.split(';')[0]),
  );
  return (['br', 'gzip'] as const).find((name) => encoded[name] && offers.has(name));
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
