/** Serves the built site: its files, its pages, and a true 404 for everything else. */
import { type MiddlewareHandler } from 'hono';

import { type AppContext, type AppEnv } from './app-env.ts';
import { type Encoding, type StaticFile, type StaticSite } from './static-site.ts';

/** Answers GET and HEAD; the path is only ever looked up, so that it cannot lead anywhere else. */
export function serveSite(site: StaticSite): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      return next();
    }
    const { pathname, search } = new URL(c.req.url);
    if (pathname !== '/' && pathname.endsWith('/')) {
      return c.redirect(`${withoutOuterSlashes(pathname)}${search}`, 308);
    }

    const path = c.req.path;
    const found = find(site, path);
    if (found) {
      return answer(c, found, 200);
    }
    // A lost script must not be answered with a page: the browser would complain about its type.
    const isFile = /\.[a-z\d]+$/i.test(path);
    const lost = isFile ? undefined : site.get('404.html');
    return lost ? answer(c, lost, 404) : next();
  };
}

/**
 * One slash at the front, as two would lead to another host, and none at the end. `pathname` is still
 * encoded: a tab between two slashes, decoded, is skipped by browsers, and a line break is no header.
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

/** A file, or the page of a route: the build makes one for each. */
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

/** The smallest form that the browser takes. */
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
