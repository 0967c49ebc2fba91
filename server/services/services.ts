/** Puts the services together, once per server. */
import { type Dependencies } from '#server/lib/dependencies';
import { createLimiter, type Limiter } from '#server/lib/limits';

import { createMessages, type Messages } from './messages.ts';
import { createOneTimePasswords, type OneTimePasswords } from './one-time-passwords.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** What routes and other services work with. */
export type Services = {
  readonly deps: Dependencies;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly sessions: Sessions;
};

export function createServices(deps: Dependencies): Services {
  const limiter = createLimiter(deps.database, deps.clock, deps.env.addressLimitFactor);
  return {
    deps,
    limiter,
    messages: createMessages(deps),
    oneTimePasswords: createOneTimePasswords(deps, limiter),
    sessions: createSessions(deps),
  };
}
