/** Hands out files by signed links: whole, in parts, or not again when the browser has them. */
import { type Hono } from 'hono';

import { type AppEnv } from '#server/http/app-env';
import { telegramWeb } from '#server/http/security-headers';
import { type ByteRange, rangeHeaders, readRange } from '#server/lib/byte-range';
import { type Services } from '#server/services/services';

/** Files never change; the links end within two days. */
const cacheControl = 'private, max-age=86400, immutable';

export function addMediaRoutes(
  app: Hono<AppEnv>,
  { mediaFiles }: Pick<Services, 'mediaFiles'>,
): void {
  app.get('/media/:id/:variant', async (c) => {
    const { id, variant } = c.req.param();
    const { expires, signature, download } = c.req.query();

    const header = c.req.header('Range');
    let range: ByteRange | 'unsatisfiable' | undefined;
    const part = (size: number) => {
      range = readRange(header, size);
      return range === 'unsatisfiable' ? { start: 0, end: -1 } : range;
    };
    const found = await mediaFiles.read({ id, variant, expires, signature }, part);

    // A link shows to whoever has it; the page of another origin and Telegram's download, too.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    c.header('Cache-Control', cacheControl);
    const etag = `"${id}-${variant}"`;
    c.header('ETag', etag);
    if (download === '1') {
      c.header('Content-Disposition', `attachment; filename="${found.name}"`);
      c.header('Access-Control-Allow-Origin', telegramWeb);
    }
    if (c.req.header('If-None-Match') === etag) {
      return c.body(null, 304);
    }
    if (range === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${found.size}`);
      return c.body(null, 416);
    }
    for (const [name, value] of Object.entries(rangeHeaders(range, found.size))) {
      c.header(name, value);
    }
    c.header('Content-Type', found.type);
    return c.body(new Uint8Array(found.bytes), range ? 206 : 200);
  });
}
