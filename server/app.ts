/** The server as a function from request to response: middleware and routes, nothing global. */
import { Hono } from 'hono';

import { type AppEnv } from './lib/app-env.ts';
import { type Dependencies } from './lib/dependencies.ts';
import { answerError, AppError } from './lib/errors.ts';
import { logRequests, readSession } from './lib/requests.ts';
import { allowOrigins, apiHeaders, securityHeaders } from './lib/security-headers.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addChatRoutes } from './routes/chats.ts';
import { addSessionRoutes } from './routes/session.ts';
import { addSiteRoutes } from './routes/site.ts';
import { createServices, type Services } from './services/services.ts';
import { serveSite } from './static-routes.ts';

/** One per resource. A new resource is a new line. */
const resources: readonly ((backend: Hono<AppEnv>, services: Services) => void)[] = [
  addSiteRoutes,
  addSessionRoutes,
  addAccountRoutes,
  addChatRoutes,
];

export function createApp(deps: Dependencies): Hono<AppEnv> {
  const services = createServices(deps);
  const app = new Hono<AppEnv>();
  app.use(logRequests(deps), securityHeaders(deps.env));
  app.onError(answerError);
  app.notFound(async (c) => {
    await apiHeaders(c, () => Promise.resolve());
    throw new AppError('not_found');
  });

  const backend = new Hono<AppEnv>();
  backend.use(apiHeaders, allowOrigins(deps.env), readSession(services.sessions));
  for (const addRoutes of resources) {
    addRoutes(backend, services);
  }
  backend.all('*', () => {
    throw new AppError('not_found');
  });
  app.route('/backend', backend);

  if (deps.site) {
    app.use(serveSite(deps.site));
  }
  return app;
}
