/** Puts the account services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { createAccountService } from './accounts.ts';
import { createKnownDevices } from './attempts.ts';
import { createErasure } from './erasure.ts';
import { createAccountEvents } from './events.ts';
import { createLaunches } from './launch-data.ts';
import { createOneTimePasswords } from './one-time-passwords.ts';
import { createConfirmations, createPasskeys } from './passkeys.ts';
import { createPasswordResets } from './passwords.ts';
import { createRegistrations } from './registrations.ts';
import { createSessions } from './sessions.ts';
import { createUserLanguages } from './user-languages.ts';

type Tools = { readonly limiter: Limiter; readonly messages: Messages };

export function createAccounts(deps: Dependencies, { limiter, messages }: Tools) {
  const oneTimePasswords = createOneTimePasswords(deps, limiter);
  const sessions = createSessions(deps);
  const userLanguages = createUserLanguages(deps);
  const accountEvents = createAccountEvents(deps, { limiter, messages, userLanguages });
  const erasure = createErasure(deps);
  erasure.join({
    forget: async (telegramId) => {
      sessions.publishEnd(telegramId);
      await userLanguages.erase(telegramId);
    },
  });
  const accounts = createAccountService(deps, {
    accountEvents,
    erasure,
    limiter,
    messages,
    oneTimePasswords,
    sessions,
    userLanguages,
  });
  const launches = createLaunches(deps, { accountEvents });
  const passkeys = createPasskeys(deps, { accountEvents });
  return {
    accountEvents,
    knownDevices: createKnownDevices(deps),
    launches,
    userLanguages,
    oneTimePasswords,
    sessions,
    accounts,
    erasure,
    passkeys,
    confirmations: createConfirmations({
      limiter,
      launches,
      messages,
      oneTimePasswords,
      passkeys,
      userLanguages,
      confirmPassword: accounts.confirm,
    }),
    passwordResets: createPasswordResets(deps, {
      limiter,
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
export { noticeTexts } from './texts.ts';
export { type Launches, readLaunchData } from './launch-data.ts';
export { readStartParam } from './attempts.ts';
export { type Erasure } from './erasure.ts';
export { type AccountEvent, type AccountEvents, disownVerb } from './events.ts';
export { sweepExports } from './export-file.ts';
export { createExports, exportFileName } from './exports.ts';
export { hearsStart, type OneTimePasswords } from './one-time-passwords.ts';
export { type RequestedCode } from './passwords.ts';
export { findPasskeySite, toPublicId } from './passkeys.ts';
export { createSessions, sayDevice, type Sessions } from './sessions.ts';
export { type UserLanguageService } from './user-languages.ts';
export { type UserLanguage } from '#server/lib/languages';
