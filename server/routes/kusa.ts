/** The styles of Kusa and their pictures. */
import { type Hono } from 'hono';

import { listKusaStyles } from '#contract/endpoints/kusa';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { kusaPictureVersion } from '#services/images';

import { sendPublicPicture } from './models.ts';

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
    return sendPublicPicture(c, isCurrent ? await kusa.picture(id) : undefined);
  });
}
