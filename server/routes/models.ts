/** Models to choose from, and the files of pictures. */
import { type Hono } from 'hono';
import { compress } from 'hono/compress';

import { readModelInfo, updateModelCache } from '#contract/endpoints/generations';
import { queryModels } from '#contract/endpoints/models';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { answerPublicPicture, on, onUser } from '#server/http/on';
import { getRequester, requireTelegramId } from '#server/http/requests';
import { telegramWeb } from '#server/http/security-headers';
import { type ByteRange, rangeHeaders, readRange } from '#server/lib/byte-range';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { coverVariants, coverVersion } from '#services/images';

export function addModelRoutes(
  app: Hono<AppEnv>,
  { models, covers, limiter }: Pick<Services, 'models' | 'covers' | 'limiter'>,
): void {
  // 28 kB become 4. Only what is public is compressed: a compressed length can reveal a secret.
  app.use(queryModels.path, compress());
  on(app, queryModels, async ({ operation, variables }, c) => {
    await limiter.take(limits.addressModelPages, c.get('address'));
    try {
      const generationModels = await (operation === 'searchGenerationModels'
        ? models.search(variables)
        : models.list(variables));
      return {
        data: { generationModels: { ...generationModels, edges: [...generationModels.edges] } },
      };
    } catch (error) {
      if (error instanceof AppError) {
        // GraphQL reports errors in a body with status 200.
        return { data: null, errors: [{ message: error.detail }] };
      }
      throw error;
    }
  });

  on(app, readModelInfo, async ({ model_id }, c) => {
    await limiter.take(limits.addressModelPages, c.get('address'));
    const { trigger_words, ...info } = await models.info(model_id, getRequester(c).telegramId);
    return { ...info, ...(trigger_words ? { trigger_words: [...trigger_words] } : {}) };
  });

  onUser(app, updateModelCache, async ({ models: names }, c) => {
    const telegramId = requireTelegramId(c);
    await limiter.take(limits.modelNames, telegramId);
    return { status: 'ok', updated: await models.addNames(telegramId, names) };
  });

  app.get('/media/covers/:version/:file', async (c) => {
    const [, id = '', variantName] =
      /^(\d+)-(public|thumbnail)\.webp$/.exec(c.req.param('file')) ?? [];
    const variant = coverVariants.find((one) => one === variantName);
    const isCurrent = c.req.param('version') === coverVersion;
    return sendPublicPicture(c, variant && isCurrent ? await covers.read(id, variant) : undefined);
  });
}

/** Throws `not_found` for undefined. */
export function sendPublicPicture(c: AppContext, bytes: Buffer | undefined): Response {
  if (!bytes) {
    throw new AppError('not_found');
  }
  return answerPublicPicture(c, bytes);
}

/** Clients may cache files for a day; the links expire within two days. */
const mediaCacheControl = 'private, max-age=86400, immutable';

/** Files behind signed links: whole, in ranges, or 304 when the browser has them. */
export function addMediaRoutes(
  app: Hono<AppEnv>,
  { mediaFiles }: Pick<Services, 'mediaFiles'>,
): void {
  app.get('/media/:id/:variant', async (c) => {
    const { id, variant } = c.req.param();
    const { expires, signature, download, recipe } = c.req.query();
    const keepsRecipe = recipe !== 'none';

    const header = c.req.header('Range');
    let range: ByteRange | 'unsatisfiable' | undefined;
    const selectRange = (size: number) => {
      range = readRange(header, size);
      return range === 'unsatisfiable' ? { start: 0, end: -1 } : range;
    };
    const file = await mediaFiles.read(
      { id, variant, expires, signature, keepsRecipe },
      selectRange,
    );

    // The signature protects the file, so pages of other origins may show it.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    c.header('Cache-Control', mediaCacheControl);
    const etag = `"${id}-${variant}${keepsRecipe ? '' : '-bare'}"`;
    c.header('ETag', etag);
    if (download === '1') {
      c.header('Content-Disposition', `attachment; filename="${file.name}"`);
      c.header('Access-Control-Allow-Origin', telegramWeb);
    }
    if (c.req.header('If-None-Match') === etag) {
      return c.body(null, 304);
    }
    if (range === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${file.size}`);
      return c.body(null, 416);
    }
    for (const [name, value] of Object.entries(rangeHeaders(range, file.size))) {
      c.header(name, value);
    }
    c.header('Content-Type', file.type);
    return c.body(new Uint8Array(file.bytes), range ? 206 : 200);
  });
}
