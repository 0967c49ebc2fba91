/** Kusa's styles on the wire, and their pictures. */
import { type Hono } from 'hono';

import { listKusaStyles } from '#contract/endpoints/kusa';
import { type AppEnv } from '#server/http/app-env';
import { answerPublicPicture, on } from '#server/http/on';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { kusaPictureVersion } from '#services/images';

export function addKusaRoutes(
  app: Hono<AppEnv>,
  { kusa, limiter }: Pick<Services, 'kusa' | 'limiter'>,
): void {
  on(app, listKusaStyles, async (_input, c) => {
    await limiter.take(limits.addressStyles, c.get('address'));
    return { styles: { styles: [...(await kusa.list())] } };
  });

  app.get('/media/kusa/:version/:file', async (c) => {
    const [, id = ''] = /^(\d{1,4})\.webp$/.exec(c.req.param('file')) ?? [];
    const isCurrent = c.req.param('version') === kusaPictureVersion;
    const bytes = isCurrent ? await kusa.picture(id) : undefined;
    if (!bytes) {
      throw new AppError('not_found');
    }
    return answerPublicPicture(c, bytes);
  });
}
