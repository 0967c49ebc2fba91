/** The server as a function from request to response: middleware and routes, nothing global. */
import { Hono } from 'hono';

import { type AppEnv } from './lib/app-env.ts';
import { type Dependencies } from './lib/dependencies.ts';
import { answerError, AppError } from './lib/errors.ts';
import { logRequests, readSession } from './lib/requests.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addSessionRoutes } from './routes/session.ts';
import { addSiteRoutes } from './routes/site.ts';
import { createServices, type Services } from './services/services.ts';

/** One per resource. A new resource is a new line. */
const resources: readonly ((backend: Hono<AppEnv>, services: Services) => void)[] = [
  addSiteRoutes,
  addSessionRoutes,
  addAccountRoutes,
];

export function createApp(deps: Dependencies): Hono<AppEnv> {
  const services = createServices(deps);
  const app = new Hono<AppEnv>();
  app.use(logRequests(deps));
  app.onError(answerError);

  const backend = new Hono<AppEnv>();
  backend.use(readSession(services.sessions));
  for (const addRoutes of resources) {
    addRoutes(backend, services);
  }
  app.route('/backend', backend);

  app.notFound(() => {
    throw new AppError('not_found');
  });
  return app;
}
