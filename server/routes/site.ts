/** The site: health, capabilities, usage figures, videos, and the files for search engines. */
import { type Hono } from 'hono';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeByStart } from '#contract/endpoints/account';
import { accountEvents } from '#contract/endpoints/account-events';
import { botCommands, readCommands } from '#contract/endpoints/bot-commands';
import { chatActivity, chatMoreTypes, chatPick } from '#contract/endpoints/chat-activity';
import { chatModeration } from '#contract/endpoints/chat-members';
import { chatValues, logChannelPick } from '#contract/endpoints/chat-values';
import { chatClaim } from '#contract/endpoints/chats';
import { accountExport } from '#contract/endpoints/exports';
import { generationRestore } from '#contract/endpoints/generations';
import { imageAbilities } from '#contract/endpoints/image-abilities';
import { generationJobs } from '#contract/endpoints/images';
import { accountLanguage } from '#contract/endpoints/language';
import { midjourneyDeletion } from '#contract/endpoints/midjourney';
import { confirmations, passkeys } from '#contract/endpoints/passkeys';
import { passwordReset } from '#contract/endpoints/password-reset';
import { readVideoToken } from '#contract/endpoints/player';
import { promptProtection } from '#contract/endpoints/prompts';
import { sessionEnd } from '#contract/endpoints/session';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { readUsage } from '#contract/endpoints/usage';
import { type Dependencies } from '#server/app/dependencies';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { robotsText, sitemapXml } from '#server/http/site-address';
import { type StaticSite } from '#server/http/static-site';
import { limits } from '#server/lib/limits';
import { offeredCommands } from '#server/services/offered-commands';
import { type Services } from '#server/services/services';
import { findPasskeySite, hearsStart } from '#services/accounts';

/** How long the capabilities wait for the bot's name. */
const maxNameWaitMs = 1000;

export function addSiteRoutes(
  app: Hono<AppEnv>,
  { deps, engines, enhancement, chats, chatVerification }: Services,
): void {
  on(app, readHealth, async () => {
    await deps.database.ping();
    return { status: 'ok' as const };
  });

  on(app, readCapabilities, async (_input, c) => {
    // When Telegram is slow or down, the capabilities are returned without the name.
    const username = await Promise.race([
      deps.telegram?.username().catch(() => undefined),
      sleep(maxNameWaitMs, undefined, { ref: false }),
    ]);
    return {
      capabilities: [
        'auth.logout',
        'auth.sessions',
        sessionEnd,
        accountEvents,
        passwordReset,
        accountExport,
        confirmations,
        ...(findPasskeySite(deps.env.publicUrl, c.req.url) ? [passkeys] : []),
        accountLanguage,
        generationJobs,
        generationRestore,
        midjourneyDeletion,
        imageAbilities,
        promptProtection,
        'connections.link',
        chatActivity,
        chatMoreTypes,
        botCommands,
        chatValues,
        ...(hearsStart(deps.env) ? [codeByStart] : []),
        ...(chats.canPick ? [chatPick, logChannelPick] : []),
        ...(chatVerification.canClaim ? [chatClaim] : []),
        ...(deps.env.botToken === undefined ? [] : ['auth.telegram', 'bot', chatModeration]),
      ],
      ...(username === undefined ? {} : { bot_username: username }),
      image_engine: engines.pixai.name,
      prompt_engine: enhancement.engine,
    };
  });

  on(app, readCommands, () => ({ commands: [...offeredCommands(deps.env)] }));
}

/** How often each feature of the bot was used. */
export function addUsageRoutes(app: Hono<AppEnv>, { usage, limiter }: Services): void {
  on(app, readUsage, async (_input, c) => {
    await limiter.take(limits.addressPublicCalls, c.get('address'));
    return [...(await usage.totals())];
  });
}

/** The token of a video as JSON, and the stream as a file. */
export function addVideoRoutes(app: Hono<AppEnv>, { videos, limiter }: Services): void {
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
    // The token is the permission, so pages of other origins may show the video, too.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    c.header('Cache-Control', 'private, no-store');
    return body === null ? c.body(null, status) : c.body(body, status);
  });
}

/** robots.txt and the list of pages. */
export function addCrawlerRoutes(
  app: Hono<AppEnv>,
  { env, site }: Pick<Dependencies, 'env'> & { readonly site: StaticSite },
): void {
  const paths = [...site.values()].flatMap(({ listedAt }) => listedAt ?? []).toSorted();
  // Without PUBLIC_URL the origin comes from the request, where anyone may invent it: such an answer
  // must not be cached for others.
  const getOrigin = (c: AppContext) => {
    c.header('Cache-Control', env.publicUrl === undefined ? 'no-store' : 'public, max-age=3600');
    return env.publicUrl ?? new URL(c.req.url).origin;
  };

  app.get('/robots.txt', (c) => c.text(robotsText(getOrigin(c))));

  app.get('/sitemap.xml', (c) => {
    c.header('Content-Type', 'application/xml; charset=utf-8');
    return c.body(sitemapXml(getOrigin(c), paths));
  });
}
