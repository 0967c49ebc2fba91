/** Headers that tell browsers what our answers may do, and which origins may frame or read them. */
import { type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

import { type Env } from '#server/app/env';

import { type AppEnv } from './app-env.ts';

/** Telegram downloads files from this origin. */
export const telegramWeb = 'https://web.telegram.org';

/** The origins of Telegram's web clients, which show the app in a frame. */
const telegramWebOrigins = [
  telegramWeb,
  'https://webk.telegram.org',
  'https://weba.telegram.org',
  'https://webz.telegram.org',
] as const;

const yearS = 365 * 24 * 60 * 60;

/** For every answer. There is no X-Frame-Options, as it cannot name Telegram's origins. */
export function securityHeaders({ publicUrl }: Env): MiddlewareHandler<AppEnv> {
  const headers = Object.entries({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    ...(publicUrl?.startsWith('https:')
      ? { 'Strict-Transport-Security': `max-age=${yearS}; includeSubDomains` }
      : {}),
  });
  return async (c, next) => {
    for (const [name, value] of headers) {
      c.header(name, value);
    }
    await next();
  };
}

const reportPath = '/backend/reports';
const reportGroup = 'csp';

/** For pages: where browsers report what the policy has blocked. */
export const reportingEndpoints = `${reportGroup}="${reportPath}"`;

/** For answers of the API: they may not be framed or cached, and load nothing. */
export const apiHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  c.header('Cache-Control', 'no-store');
  await next();
};

/** Lets pages of the listed origins call the API, without cookies. */
export function allowOrigins({ corsOrigins }: Env): MiddlewareHandler<AppEnv> {
  return cors({
    origin: (origin) => (corsOrigins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type'],
    exposeHeaders: [
      'Retry-After',
      'X-Nori-Seed',
      'X-Nori-Engine',
      'X-Nori-Generation',
      'X-Nori-Image-Url',
      'X-Nori-Thumbnail-Url',
    ],
    maxAge: 600,
  });
}

const readByAnyone = cors({
  origin: '*',
  allowMethods: ['GET'],
  exposeHeaders: ['Retry-After', 'X-Request-Id'],
  maxAge: 600,
});

/** For the public API: pages of every origin may read it. Must come after `apiHeaders`. */
export const openToAll: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  return readByAnyone(c, next);
};

type Page = {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly hosts: readonly string[];
  /** A page that changes something without being asked, such as one that a service leads back to. */
  readonly isNeverFramed: boolean;
};

/**
 * The Content-Security-Policy of a page: its inline scripts and styles by their hashes, and calls to
 * `hosts` besides our own origin.
 */
export function pagePolicy({ scripts, styles, hosts, isNeverFramed }: Page): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'", ...styles],
    // Servers name pictures and streams at addresses of other hosts. The called hosts are added, as in
    // development they have no HTTPS.
    'img-src': ["'self'", 'data:', 'blob:', 'https:', ...hosts],
    'media-src': ["'self'", 'blob:', 'https:', ...hosts],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...hosts],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-src': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': isNeverFramed ? ["'none'"] : ["'self'", ...telegramWebOrigins],
    // Text cannot become markup or a script, save three addresses: of our scripts, of the worker for long JSON, and of the one for pages without a network.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['nori-entry', 'nori-worker', 'nori-offline'],
    // The second is for browsers without the first.
    'report-to': [reportGroup],
    'report-uri': [reportPath],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}
