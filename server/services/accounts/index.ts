/** The door of this module: what the rest of the server may use of it. */
export { createAccounts, type Accounts } from './accounts.ts';
export { checkLaunchData } from './launch-data.ts';
export { createOneTimePasswords, type OneTimePasswords } from './one-time-passwords.ts';
export { createRegistrations, type Registrations } from './registrations.ts';
export { createSessions, type Sessions } from './sessions.ts';
