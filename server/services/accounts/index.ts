/** Puts the account services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { createAccountService } from './accounts.ts';
import { createKnownDevices } from './attempts.ts';
import { createAccountEvents } from './events.ts';
import { createOneTimePasswords } from './one-time-passwords.ts';
import { createPasswordResets } from './passwords.ts';
import { createRegistrations } from './registrations.ts';
import { createSessions } from './sessions.ts';
import { createUserLanguages } from './user-languages.ts';

type Tools = { readonly limiter: Limiter; readonly messages: Messages };

export function createAccounts(deps: Dependencies, { limiter, messages }: Tools) {
  const oneTimePasswords = createOneTimePasswords(deps, limiter);
  const sessions = createSessions(deps);
  const userLanguages = createUserLanguages(deps);
  const accountEvents = createAccountEvents(deps);
  return {
    accountEvents,
    knownDevices: createKnownDevices(deps),
    userLanguages,
    oneTimePasswords,
    sessions,
    accounts: createAccountService(deps, { limiter, sessions, userLanguages }),
    passwordResets: createPasswordResets(deps, {
      messages,
      oneTimePasswords,
      sessions,
      userLanguages,
    }),
    registrations: createRegistrations(deps, {
      limiter,
      messages,
      oneTimePasswords,
      userLanguages,
    }),
  };
}

export * as accountTextModule from './texts.ts';
export { checkLaunchData, freshLaunchMs } from './launch-data.ts';
export { type OneTimePasswords } from './one-time-passwords.ts';
export { createSessions, sayDevice, type Sessions } from './sessions.ts';
export { type UserLanguage, type UserLanguageService } from './user-languages.ts';
