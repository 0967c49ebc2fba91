/** The public API: a route for each entry of the table, and the files in their answers. */
import { type Hono } from 'hono';

import { endpoint } from '#contract/endpoints/endpoint';
import { publicEndpoints } from '#contract/playground/endpoints';
import { toInputSchema } from '#contract/playground/public-endpoint';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { readRange, rangeHeaders } from '#server/lib/byte-range';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { openApiDocument } from '#services/public-api';

/** Files never change, and the links expire within two days. */
const fileCacheControl = 'public, max-age=86400, immutable';

export function addPublicApiRoutes(
  app: Hono<AppEnv>,
  { deps, publicApi, limiter }: Pick<Services, 'deps' | 'publicApi' | 'limiter'>,
): void {
  for (const entry of publicEndpoints) {
    const { method, path, answer: output } = entry;
    const wire = endpoint({ base: 'public', method, path, input: toInputSchema(entry), output });
    on(app, wire, async (values, c) => {
      await limiter.take(limits.addressPublicCalls, c.get('address'));
      const origin = deps.env.publicUrl ?? new URL(c.req.url).origin;
      const { answer, maxAgeS } = await publicApi.answer(entry, { values, origin });
      if (maxAgeS > 0) {
        c.header('Cache-Control', `public, max-age=${maxAgeS}`);
      }
      if (c.req.query('download') === '1') {
        // Pages in Telegram cannot save files; Telegram downloads the address.
        c.header('Content-Disposition', `attachment; filename="${entry.id}.json"`);
      }
      return answer;
    });
  }

  const document = openApiDocument(publicEndpoints);
  app.get('/openapi.json', (c) => {
    c.header('Cache-Control', 'public, max-age=3600');
    return c.json(document);
  });

  app.get('/files/:kind', async (c) => {
    await limiter.take(limits.addressPublicFiles, c.get('address'));
    const { order = '', expires = '', signature = '' } = c.req.query();
    const { bytes, type } = await publicApi.files.make({ order, expires, signature });
    return answerFile(c, { bytes, type });
  });
}

/** Supports ranges, because audio players seek. */
function answerFile(c: AppContext, { bytes, type }: { bytes: Buffer; type: string }): Response {
  c.header('Content-Security-Policy', "default-src 'none'; sandbox");
  c.header('Cache-Control', fileCacheControl);
  const range = readRange(c.req.header('Range'), bytes.length);
  if (range === 'unsatisfiable') {
    c.header('Content-Range', `bytes */${bytes.length}`);
    return c.body(null, 416);
  }
  for (const [name, value] of Object.entries(rangeHeaders(range, bytes.length))) {
    c.header(name, value);
  }
  c.header('Content-Type', type);
  const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  return c.body(new Uint8Array(part), range ? 206 : 200);
}
