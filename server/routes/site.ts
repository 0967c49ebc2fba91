/** The site: health, capabilities, usage figures, videos, and the files for search engines. */
import { type Hono } from 'hono';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';

import { codeByStart } from '#contract/endpoints/account';
import { accountEvents } from '#contract/endpoints/account-events';
import { botCommands, readCommands } from '#contract/endpoints/bot-commands';
import { chatActivity, chatMoreTypes, chatPick } from '#contract/endpoints/chat-activity';
import { chatContents } from '#contract/endpoints/chat-contents';
import { chatJoins } from '#contract/endpoints/chat-joins';
import { chatModeration } from '#contract/endpoints/chat-members';
import { chatNumbers } from '#contract/endpoints/chat-numbers';
import { chatValues, logChannelPick } from '#contract/endpoints/chat-values';
import { chatClaim } from '#contract/endpoints/chats';
import { accountExport } from '#contract/endpoints/exports';
import { joinGate } from '#contract/endpoints/gate';
import { generationRestore } from '#contract/endpoints/generations';
import { imageAbilities } from '#contract/endpoints/image-abilities';
import { generationJobs } from '#contract/endpoints/images';
import { accountLanguage } from '#contract/endpoints/language';
import { midjourneyDeletion } from '#contract/endpoints/midjourney';
import { passkeys } from '#contract/endpoints/passkey-login';
import { confirmations } from '#contract/endpoints/passkeys';
import { passwordReset } from '#contract/endpoints/password-reset';
import { pictureSending, pictureSharing } from '#contract/endpoints/picture-sharing';
import { readVideoToken } from '#contract/endpoints/player';
import { promptProtection } from '#contract/endpoints/prompts';
import { reminders } from '#contract/endpoints/reminders';
import { sessionEnd } from '#contract/endpoints/session';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { readUsage } from '#contract/endpoints/usage';
import { type Dependencies } from '#server/app/dependencies';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { readReport } from '#server/http/body';
import { on } from '#server/http/on';
import { getCaller } from '#server/http/requests';
import { robotsText, sitemapXml } from '#server/http/site-address';
import { type StaticSite } from '#server/http/static-site';
import { limits } from '#server/lib/limits';
import { offeredCommands } from '#server/services/offered-commands';
import { canSendPictures, canSharePictures } from '#server/services/picture-sharing';
import { type Services } from '#server/services/services';
import { findPasskeySite, hearsStart } from '#services/accounts';

/** How long the capabilities wait for the bot's name. */
const maxNameWaitMs = 1000;

export function addSiteRoutes(
  app: Hono<AppEnv>,
  { deps, engines, enhancement, chats, chatVerification }: Services,
): void {
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
        chatNumbers,
        chatMoreTypes,
        botCommands,
        chatValues,
        chatContents,
        ...(hearsStart(deps.env) ? [codeByStart] : []),
        ...(offeredCommands(deps.env).includes('remind') ? [reminders] : []),
        ...(canSendPictures(deps.env) ? [pictureSending] : []),
        ...(canSharePictures(deps.env) ? [pictureSharing] : []),
        ...(chats.canPick ? [chatPick, logChannelPick] : []),
        ...(chatVerification.canClaim ? [chatClaim] : []),
        ...(deps.env.botToken === undefined
          ? []
          : ['auth.telegram', 'bot', chatModeration, chatJoins, joinGate]),
      ],
      ...(username === undefined ? {} : { bot_username: username }),
      // The token begins with the ID, also while Telegram does not answer.
      ...(deps.env.botToken === undefined
        ? {}
        : { bot_id: Number.parseInt(deps.env.botToken, 10) }),
      image_engine: engines.pixai.name,
      prompt_engine: enhancement.engine,
    };
  });

  on(app, readCommands, async () => {
    // While Telegram does not answer, nothing is promised that may not work.
    const bot = await deps.telegram?.self().catch(() => undefined);
    const hearsInline = bot?.supports_inline_queries === true;
    return { commands: [...offeredCommands(deps.env, { hearsInline })] };
  });
}

type Probed = Pick<Dependencies, 'database' | 'isStopping' | 'log'>;

/** Whether the database answers, for monitoring from outside. */
export function addHealthRoute(app: Hono<AppEnv>, { deps }: { readonly deps: Probed }): void {
  on(app, readHealth, async () => {
    await deps.database.ping();
    return { status: 'ok' as const };
  });
}

/** How long a balancer waits before it looks again; most look more often by themselves. */
const notReadyRetryS = 1;

/**
 * What supervisors and balancers look at every second, so it is neither logged nor limited. `/livez`: the process
 * answers; one that does not is restarted. `/readyz`: it may get requests. The services of others, such as Telegram
 * and the object store, do not count: without them all processes would be unready at once, and most calls work.
 */
export function addProbeRoutes(
  app: Hono<AppEnv>,
  { database, log, isStopping = () => false }: Probed,
): void {
  const headers = { 'Cache-Control': 'no-store' };
  let isDatabaseAway = false;

  async function readReason(): Promise<string | undefined> {
    if (isStopping()) {
      return 'stopping';
    }
    const failure = await database.ping().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if ((failure !== undefined) !== isDatabaseAway) {
      isDatabaseAway = failure !== undefined;
      log.warn({ err: failure?.error }, isDatabaseAway ? 'not ready: no database' : 'ready again');
    }
    return failure && 'no database';
  }

  app.get('/livez', (c) => c.text('alive\n', 200, headers));
  app.get('/readyz', async (c) => {
    const reason = await readReason();
    return reason === undefined
      ? c.text('ready\n', 200, headers)
      : c.text(`${reason}\n`, 503, { ...headers, 'Retry-After': String(notReadyRetryS) });
  });
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

const maxReportBytes = 16 * 1024;
/** One page breaks its policy in few ways, and what is sent here may be invented. */
const maxReports = 5;

/** Reports of browsers in both of their shapes: https://www.w3.org/TR/CSP3/#reporting */
const violation = v.union([
  v.pipe(
    v.object({
      body: v.object({
        effectiveDirective: v.string(),
        blockedURL: v.optional(v.nullable(v.string()), ''),
      }),
    }),
    v.transform(({ body }) => ({
      directive: body.effectiveDirective,
      blocked: body.blockedURL ?? '',
    })),
  ),
  v.pipe(
    v.object({
      'csp-report': v.object({
        'effective-directive': v.optional(v.string()),
        'violated-directive': v.optional(v.string(), ''),
        'blocked-uri': v.optional(v.string(), ''),
      }),
    }),
    v.transform(({ 'csp-report': report }) => ({
      directive: report['effective-directive'] ?? report['violated-directive'],
      blocked: report['blocked-uri'],
    })),
  ),
]);

/** The host of an address, or a word such as `inline`: addresses may hold secrets, and samples text of users. */
function nameBlocked(blocked: string): string {
  const host = URL.parse(blocked)?.host;
  return host === undefined || host === ''
    ? (/^[a-z-]{1,30}/.exec(blocked)?.[0] ?? '')
    : host.slice(0, 100);
}

/** Browsers report here what the policy of a page has blocked: an attack, an extension, or a mistake of ours. */
export function addReportRoutes(app: Hono<AppEnv>, services: Services): void {
  app.post('/reports', async (c) => {
    await services.limiter.take(limits.addressReports, c.get('address'));
    const report = await readReport(c, maxReportBytes);
    const reports = Array.isArray(report) ? report.slice(0, maxReports) : [report];
    const details = reports.flatMap((one) => {
      const { success, output } = v.safeParse(violation, one);
      const directive = success ? /^[a-z-]{1,40}/.exec(output.directive)?.[0] : undefined;
      return success && directive !== undefined
        ? [`${directive} ${nameBlocked(output.blocked)}`]
        : [];
    });
    for (const detail of new Set(details)) {
      services.accountEvents.noteOnly('policy_violation', {
        telegramId: undefined,
        caller: getCaller(c),
        detail,
      });
    }
    return c.body(null, 204);
  });
}

/** Shorter than the year of RFC 9116: the file is made anew with each request. */
const securityTextDays = 180;
const dayMs = 24 * 60 * 60 * 1000;

/** Tells who finds a weakness where to report it. https://www.rfc-editor.org/rfc/rfc9116 */
export function addSecurityText(
  app: Hono<AppEnv>,
  { env, clock }: Pick<Dependencies, 'env' | 'clock'>,
): void {
  const path = '/.well-known/security.txt';
  app.get(path, (c, next) => {
    if (env.securityContact === undefined) {
      return next();
    }
    const today = Math.floor(clock() / dayMs) * dayMs;
    const lines = [
      `Contact: ${env.securityContact}`,
      `Expires: ${new Date(today + securityTextDays * dayMs).toISOString()}`,
      'Preferred-Languages: en',
      ...(env.publicUrl === undefined ? [] : [`Canonical: ${env.publicUrl}${path}`]),
    ];
    c.header('Cache-Control', 'public, max-age=3600');
    return c.text(`${lines.join('\n')}\n`);
  });
}
