/** The door of this module: what the rest of the server may use of it. */
export { createChatRuleBook } from './chat-rules.ts';
export { createDeleting } from './create-deleting.ts';
export { type Fate } from './deletion-calls.ts';
export { type DeletionCounts } from './deletion-counts.ts';
export { type DueDeletions } from './due-deletions.ts';
export { type Enforcement } from './enforcement.ts';
export { createUnanswered } from './unanswered.ts';
