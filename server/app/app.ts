/** Puts middleware and routes together: the server as a function from request to response. */
import { Hono } from 'hono';

import { addBotRoutes, type Webhook } from '#server/bot/arrival';
import { isDatabaseAway } from '#server/db/failures';
import { type AppEnv } from '#server/http/app-env';
import { limitCalls, logRefusals } from '#server/http/requests';
import { answerErrors, logRequests, readSession } from '#server/http/requests';
import {
  allowOrigins,
  apiHeaders,
  openToAll,
  securityHeaders,
} from '#server/http/security-headers';
import { serveSite } from '#server/http/static-site';
import { AppError } from '#server/lib/errors';
import {
  addAccountRoutes,
  addExportRoutes,
  addPasswordResetRoutes,
  addSessionRoutes,
} from '#server/routes/accounts';
import {
  addChatActivityRoutes,
  addChatChangeRoutes,
  addChatJoinRoutes,
  addChatMemberRoutes,
  addChatRoutes,
  addChatContentRoutes,
  addChatValueRoutes,
  addGateRoutes,
} from '#server/routes/chats';
import { addConnectionRoutes } from '#server/routes/connections';
import {
  addGenerationRoutes,
  addSourceRoutes,
  addImageRoutes,
  addPictureSharingRoutes,
} from '#server/routes/images';
import { addMediaRoutes, addModelRoutes } from '#server/routes/models';
import { addPasskeyRoutes } from '#server/routes/passkeys';
import { addImagineRoutes, addKusaRoutes, addMidjourneyRoutes } from '#server/routes/providers';
import { addPublicApiRoutes } from '#server/routes/public-api';
import {
  addCrawlerRoutes,
  addHealthRoute,
  addProbeRoutes,
  addReportRoutes,
  addSecurityText,
  addSiteRoutes,
  addUsageRoutes,
  addVideoRoutes,
} from '#server/routes/site';
import { createServices, type Services } from '#server/services/services';

import { type Dependencies } from './dependencies.ts';

type AddRoutes = (app: Hono<AppEnv>, services: Services) => void;

/** A new resource is a new line. */
const resources: readonly AddRoutes[] = [
  addHealthRoute,
  addSiteRoutes,
  addSessionRoutes,
  addAccountRoutes,
  addPasswordResetRoutes,
  addPasskeyRoutes,
  addChatRoutes,
  addChatChangeRoutes,
  addChatActivityRoutes,
  addChatContentRoutes,
  addChatValueRoutes,
  addChatMemberRoutes,
  addChatJoinRoutes,
  addGateRoutes,
  addImageRoutes,
  addImagineRoutes,
  addMidjourneyRoutes,
  addGenerationRoutes,
  addSourceRoutes,
  addPictureSharingRoutes,
  addModelRoutes,
  addKusaRoutes,
  addMediaRoutes,
  addConnectionRoutes,
  addExportRoutes,
  addVideoRoutes,
  addReportRoutes,
];

/** Public: readable by pages of every origin and without an account. */
const publicResources: readonly AddRoutes[] = [addUsageRoutes, addPublicApiRoutes];

/** `webhook` receives the bot's updates when Telegram sends them. */
export function createApp(
  deps: Dependencies,
  services = createServices(deps),
  webhook?: Webhook,
): Hono<AppEnv> {
  const app = createBareApp(deps);
  const backend = new Hono<AppEnv>();
  backend.use(apiHeaders, allowOrigins(deps.env), readSession(services.sessions));
  if (webhook) {
    addBotRoutes(backend, webhook);
  }
  // Telegram sends as many updates as there are.
  backend.use(
    logRefusals(services.accountEvents.noteOnly, deps.clock),
    limitCalls(deps.env, deps.clock),
  );
  mount(backend, resources, services);
  app.route('/backend', backend);

  const publicApi = new Hono<AppEnv>();
  publicApi.use(apiHeaders, openToAll);
  mount(publicApi, publicResources, services);
  app.route('/public-api', publicApi);

  addSecurityText(app, deps);
  if (deps.site) {
    addCrawlerRoutes(app, { env: deps.env, site: deps.site });
    app.use(serveSite(deps.site));
  }
  return app;
}

/** What a process answers that serves no pages: whether it lives, is ready, and reads its database. */
export function createProbeApp(deps: Dependencies): Hono<AppEnv> {
  const app = createBareApp(deps);
  const backend = new Hono<AppEnv>();
  backend.use(apiHeaders);
  addHealthRoute(backend, { deps });
  return app.route('/backend', backend);
}

function createBareApp(deps: Dependencies): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(securityHeaders(deps.env));
  app.on('GET', ['/livez', '/readyz'], apiHeaders);
  addProbeRoutes(app, deps);
  app.use(logRequests(deps));
  app.onError(answerErrors(isDatabaseAway));
  app.notFound(async (c) => {
    await apiHeaders(c, () => Promise.resolve());
    throw new AppError('not_found');
  });
  return app;
}

/** Adds the routes, and answers every other address with `not_found`. */
function mount(app: Hono<AppEnv>, routes: readonly AddRoutes[], services: Services): void {
  for (const addRoutes of routes) {
    addRoutes(app, services);
  }
  app.all('*', () => {
    throw new AppError('not_found');
  });
}
