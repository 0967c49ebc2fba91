/** The headers that tell browsers what our answers may do, and who may frame or read them. */
import { type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

import { type Env } from '#server/app/env';

import { type AppEnv } from './app-env.ts';

/** Where Telegram's own download comes from. */
export const telegramWeb = 'https://web.telegram.org';

/** Where Telegram's web clients live, which show the app in a frame. */
const telegramWebOrigins = [
  telegramWeb,
  'https://webk.telegram.org',
  'https://weba.telegram.org',
  'https://webz.telegram.org',
] as const;

const yearS = 365 * 24 * 60 * 60;

/** On every answer, page or not. There is no X-Frame-Options: it cannot name Telegram's origins. */
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

/** On answers of the API: nobody frames or keeps them, and they load nothing. */
export const apiHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  c.header('Cache-Control', 'no-store');
  await next();
};

/** Lets pages of the listed origins call the API, with a token but never with cookies. */
export function allowOrigins({ corsOrigins }: Env): MiddlewareHandler<AppEnv> {
  return cors({
    origin: (origin) => (corsOrigins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type'],
    exposeHeaders: ['Retry-After', 'X-Nori-Seed', 'X-Nori-Engine', 'X-Nori-Generation'],
    maxAge: 600,
  });
}

const readByAnyone = cors({
  origin: '*',
  allowMethods: ['GET'],
  exposeHeaders: ['Retry-After', 'X-Request-Id'],
  maxAge: 600,
});

/** For what is public anyway: pages of every origin may read it. Comes after `apiHeaders`. */
export const openToAll: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  return readByAnyone(c, next);
};

/**
 * What a page may load. Its own inline scripts and styles are allowed by their hashes, and the
 * origins in `hosts` may be called, and streamed from, beside our own.
 */
export function pagePolicy({
  scripts,
  styles,
  hosts,
}: {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly hosts: readonly string[];
}): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'", ...styles],
    'img-src': ["'self'", 'data:', 'blob:', 'https:'],
    // Streams come from where the calls go, without HTTPS, too, while developing.
    'media-src': ["'self'", 'blob:', 'https:', ...hosts],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...hosts],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-src': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'", ...telegramWebOrigins],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}
