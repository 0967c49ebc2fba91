/** The server as a function from request to response: middleware and routes, nothing global. */
import { Hono } from 'hono';

import { type Webhook } from './bot/webhook.ts';
import { type AppEnv } from './lib/app-env.ts';
import { type Dependencies } from './lib/dependencies.ts';
import { answerError, AppError } from './lib/errors.ts';
import { logRequests, readSession } from './lib/requests.ts';
import { allowOrigins, apiHeaders, openToAll, securityHeaders } from './lib/security-headers.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addBotRoutes } from './routes/bot.ts';
import { addChatCareRoutes } from './routes/chat-care.ts';
import { addChatChangeRoutes } from './routes/chat-changes.ts';
import { addChatRoutes } from './routes/chats.ts';
import { addConnectionRoutes } from './routes/connections.ts';
import { addCrawlerRoutes } from './routes/crawlers.ts';
import { addGenerationRoutes } from './routes/generations.ts';
import { addImageRoutes } from './routes/images.ts';
import { addImagineRoutes } from './routes/imagine.ts';
import { addKusaRoutes } from './routes/kusa.ts';
import { addMediaRoutes } from './routes/media.ts';
import { addMidjourneyRoutes } from './routes/midjourney.ts';
import { addModelRoutes } from './routes/models.ts';
import { addPublicApiRoutes } from './routes/public-api.ts';
import { addSessionRoutes } from './routes/session.ts';
import { addSiteRoutes } from './routes/site.ts';
import { addUsageRoutes } from './routes/usage.ts';
import { addVideoRoutes } from './routes/videos.ts';
import { createServices, type Services } from './services/services.ts';
import { serveSite } from './static-routes.ts';

type AddRoutes = (app: Hono<AppEnv>, services: Services) => void;

/** One per resource. A new resource is a new line. */
const resources: readonly AddRoutes[] = [
  addSiteRoutes,
  addSessionRoutes,
  addAccountRoutes,
  addChatRoutes,
  addChatChangeRoutes,
  addChatCareRoutes,
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
