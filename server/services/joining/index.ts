/** What is asked of who joins. The rest of the server imports this module only from here. */
export { createJoinGate, type JoinGate } from './gate.ts';
export * as gateTextModule from './gate-texts.ts';
export { createJoining, type Joining } from './joins.ts';
export { sayTime } from './raids.ts';
export * as joiningTextModule from './texts.ts';
export { joiningTexts } from './texts.ts';
