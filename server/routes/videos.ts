/** Videos on the wire: the token as JSON, and the stream as a file. */
import { type Hono } from 'hono';

import { readVideoToken } from '#contract/endpoints/player';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';

export function addVideoRoutes(
  app: Hono<AppEnv>,
  { videos, limiter }: Pick<Services, 'videos' | 'limiter'>,
): void {
  on(app, readVideoToken, async ({ video_id }, c) => {
    await limiter.take(limits.addressVideoTokens, c.get('address'));
    const token = videos.token(video_id);
    return { success: true, token, stream_url: `/jav/${video_id}/stream?token=${token}` };
  });

  app.get('/jav/:video_id/stream', async (c) => {
    const { status, headers, body } = await videos.stream(
      { id: c.req.param('video_id'), token: c.req.query('token') ?? '' },
      {
        isHead: c.req.method === 'HEAD',
        range: c.req.header('Range'),
        signal: c.req.raw.signal,
      },
    );
    for (const [name, value] of Object.entries(headers)) {
      c.header(name, value);
    }
    // A token shows to whoever has it; the page of another origin, too.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    c.header('Cache-Control', 'private, no-store');
    return body === null ? c.body(null, status) : c.body(body, status);
  });
}
