/** Reads the built site into memory, compressed and fingerprinted, so that serving it costs nothing. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { pagePolicy } from './security-headers.ts';
import { atAddress, isListed } from './site-address.ts';

export type Encoding = 'br' | 'gzip';

export type StaticFile = {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly encoded: Partial<Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
  /** Of the content, without quotes and without the encoding. */
  readonly fingerprint: string;
  readonly cacheControl: string;
  /** Of a page: its Content-Security-Policy. */
  readonly policy: string | undefined;
  /** Of a page that search engines may list: its path. */
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
const compressible = /^(?:text|application)\/|svg/;
const worthCompressing = 1024;

/**
 * Reads a folder that a build made; undefined when there is none. With `publicUrl`, pages say under
 * which address they are to be found.
 */
export async function loadStaticSite(
  folder: string,
  publicUrl?: string,
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
      return [name, await loadFile(join(folder, path), { name, publicUrl })] as const;
    }),
  );
  return new Map(files);
}

async function loadFile(
  file: string,
  { name, publicUrl }: { readonly name: string; readonly publicUrl: string | undefined },
): Promise<StaticFile> {
  const built = await readFile(file);
  const type = types[extname(name)] ?? 'application/octet-stream';
  const isPage = type.startsWith('text/html');
  const html = isPage ? built.toString() : '';
  const listedAt = isListed(html) ? `/${name.replace(/\/?index\.html$/, '')}` : undefined;
  const body =
    isPage && publicUrl !== undefined ? Buffer.from(atAddress(html, publicUrl, listedAt)) : built;
  const isWorthIt = compressible.test(type) && body.length >= worthCompressing;
  return {
    type,
    body: new Uint8Array(body),
    encoded: isWorthIt ? await encode(body === built ? file : undefined, body) : {},
    fingerprint: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    cacheControl: cacheRule(name, isPage),
    policy: isPage ? pagePolicy({ ...inlineHashes(html), hosts: otherHosts(html) }) : undefined,
    listedAt,
  };
}

/** What lies in assets/ has its fingerprint in its name; pages are asked for anew each time. */
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

/** Takes what the build left beside the file, and compresses the rest at a speed fit for a start. */
async function encode(file: string | undefined, body: Buffer): Promise<StaticFile['encoded']> {
  const left = async (ending: string) =>
    file === undefined ? undefined : readFile(file + ending).catch(() => undefined);
  const [br, gz] = await Promise.all([
    left('.br').then(
      (known) => known ?? compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    ),
    left('.gz').then((known) => known ?? compressGzip(body)),
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

/** The other servers that the app was built to call: the page opens its connections to them early. */
function otherHosts(html: string): string[] {
  return [...html.matchAll(/<link rel="preconnect" href="(https?:\/\/[^"/;\s]+)"/g)].map(
    ([, origin = '']) => origin,
  );
}
