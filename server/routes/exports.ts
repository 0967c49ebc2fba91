/** The export of the user's data, and the file that its link leads to. */
import { type Hono } from 'hono';

import { readExport, startExport } from '#contract/endpoints/exports';
import { type AppEnv } from '#server/http/app-env';
import { onUser } from '#server/http/on';
import { getCaller, requireTelegramId, requireUser } from '#server/http/requests';
import { telegramWeb } from '#server/http/security-headers';
import { rangeHeaders, readRange } from '#server/lib/byte-range';
import { type Services } from '#server/services/services';
import { exportFileName } from '#services/accounts';

const toTime = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString();

export function addExportRoutes(app: Hono<AppEnv>, { exports }: Services): void {
  onUser(app, startExport, ({ by_bot: byBot }, c) =>
    exports.start(requireUser(c), { byBot, language: c.get('language'), caller: getCaller(c) }),
  );

  onUser(app, readExport, async (_input, c) => {
    const { state, createdAt, expiresAt, bytes, url, byBot } = await exports.read(
      requireTelegramId(c),
    );
    return {
      state,
      created_at: toTime(createdAt),
      expires_at: toTime(expiresAt),
      bytes,
      url,
      by_bot: byBot,
    };
  });

  app.get('/exports/:id', async (c) => {
    const { expires, signature } = c.req.query();
    const file = await exports.open(c.req.param('id'), { expires, signature });
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    c.header('Cache-Control', 'no-store');
    // Telegram's web client loads what it saves by itself. The signature protects the file.
    c.header('Access-Control-Allow-Origin', telegramWeb);
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Content-Type', 'application/zip');
    c.header('Content-Disposition', `attachment; filename="${exportFileName}"`);
    const range = readRange(c.req.header('Range'), file.size);
    if (range === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${file.size}`);
      return c.body(null, 416);
    }
    for (const [name, value] of Object.entries(rangeHeaders(range, file.size))) {
      c.header(name, value);
    }
    return c.body(
      toStream(file.read(range ?? { start: 0, end: file.size - 1 })),
      range ? 206 : 200,
    );
  });
}

/** Reads a piece when the client has taken the one before. */
function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) {
        controller.close();
      } else {
        controller.enqueue(new Uint8Array(value));
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
