/** The server as a function from request to response: middleware and routes, nothing global. */
import { Hono } from 'hono';

import { addBotRoutes, type Webhook } from '#server/bot/webhook';
import { type AppEnv } from '#server/http/app-env';
import { answerError, logRequests, readSession } from '#server/http/requests';
import {
  allowOrigins,
  apiHeaders,
  openToAll,
  securityHeaders,
} from '#server/http/security-headers';
import { serveSite } from '#server/http/static-routes';
import { AppError } from '#server/lib/errors';
import { addAccountRoutes } from '#server/routes/account';
import { addChatActivityRoutes } from '#server/routes/chat-activity';
import { addChatChangeRoutes } from '#server/routes/chat-changes';
import { addChatRoutes } from '#server/routes/chats';
import { addConnectionRoutes } from '#server/routes/connections';
import { addCrawlerRoutes } from '#server/routes/crawlers';
import { addGenerationRoutes } from '#server/routes/generations';
import { addImageRoutes } from '#server/routes/images';
import { addImagineRoutes } from '#server/routes/imagine';
import { addKusaRoutes } from '#server/routes/kusa';
import { addMediaRoutes } from '#server/routes/media';
import { addMidjourneyRoutes } from '#server/routes/midjourney';
import { addModelRoutes } from '#server/routes/models';
import { addPublicApiRoutes } from '#server/routes/public-api';
import { addSessionRoutes } from '#server/routes/session';
import { addSiteRoutes } from '#server/routes/site';
import { addUsageRoutes } from '#server/routes/usage';
import { addVideoRoutes } from '#server/routes/videos';
import { createServices, type Services } from '#server/services/services';

import { type Dependencies } from './dependencies.ts';

type AddRoutes = (app: Hono<AppEnv>, services: Services) => void;

/** One per resource. A new resource is a new line. */
const resources: readonly AddRoutes[] = [
  addSiteRoutes,
  addSessionRoutes,
  addAccountRoutes,
  addChatRoutes,
  addChatChangeRoutes,
  addChatActivityRoutes,
  addImageRoutes,
  addImagineRoutes,
  addMidjourneyRoutes,
  addKusaRoutes,
  addGenerationRoutes,
  addModelRoutes,
  addMediaRoutes,
  addConnectionRoutes,
  addVideoRoutes,
];

/** Those that anybody may read, from any page and without an account. */
const publicResources: readonly AddRoutes[] = [addUsageRoutes, addPublicApiRoutes];

/** `webhook` takes the bot's updates, where Telegram brings them. */
export function createApp(
  deps: Dependencies,
  services = createServices(deps),
  webhook?: Webhook,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(logRequests(deps), securityHeaders(deps.env));
  app.onError(answerError);
  app.notFound(async (c) => {
    await apiHeaders(c, () => Promise.resolve());
    throw new AppError('not_found');
  });

  const backend = new Hono<AppEnv>();
  backend.use(apiHeaders, allowOrigins(deps.env), readSession(services.sessions));
  if (webhook) {
    addBotRoutes(backend, webhook);
  }
  mount(backend, resources, services);
  app.route('/backend', backend);

  const publicApi = new Hono<AppEnv>();
  publicApi.use(apiHeaders, openToAll);
  mount(publicApi, publicResources, services);
  app.route('/public-api', publicApi);

  if (deps.site) {
    addCrawlerRoutes(app, { env: deps.env, site: deps.site });
    app.use(serveSite(deps.site));
  }
  return app;
}

/** Adds the routes, and a refusal for every address without one. */
function mount(app: Hono<AppEnv>, routes: readonly AddRoutes[], services: Services): void {
  for (const addRoutes of routes) {
    addRoutes(app, services);
  }
  app.all('*', () => {
    throw new AppError('not_found');
  });
}
