/** Puts the moderation services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { createSharedPauses } from '#server/services/telegram-pauses';
import { type ChatEvents, type ChatUpgrades } from '#services/chats';

import { createAdministrators } from './administrators.ts';
import { createApprovals } from './approvals.ts';
import { createChatRules } from './chat-rules.ts';
import { createDeletionCounts } from './deletion-counts.ts';
import { createDeletionQueue } from './deletion-queue.ts';
import { createDeletionScheduler } from './deletion-scheduler.ts';
import { createMessageModeration } from './moderation.ts';
import { createDeletionRights } from './rights.ts';

type Tools = {
  readonly chatEvents: ChatEvents;
  readonly chatUpgrades: ChatUpgrades;
  readonly chatNumbers: Pick<ChatNumbers, 'count'>;
};

export function createModeration(
  deps: Dependencies,
  { chatEvents: events, chatUpgrades: upgrades, chatNumbers: numbers }: Tools,
) {
  const deletionCounts = createDeletionCounts(deps);
  const rights = createDeletionRights(deps, events);
  const administrators = createAdministrators(deps, { events, rights });
  const queue = createDeletionQueue(deps, {
    counts: deletionCounts,
    numbers,
    rights,
    onUpgrade: (oldId, newId) => upgrades.upgrade(oldId, newId),
    shared: createSharedPauses(deps, events),
  });
  const deletions = createDeletionScheduler(deps, { queue, administrators });
  const rules = createChatRules(deps.database, events);
  const approvals = createApprovals(deps, events);
  const tools = { rules, administrators, approvals, deletions };
  const moderation = createMessageModeration(deps, tools);
  return { moderation, deletions, deletionCounts, administrators };
}

export { type Administrators } from './administrators.ts';
export { createChatRules } from './chat-rules.ts';
export { deletableForMs } from './deletion-queue.ts';
export { type DeletionScheduler } from './deletion-scheduler.ts';
export { getObject, type IncomingMessage, listShown, readMessage } from './incoming-message.ts';
export { isServiceType, readMessageTypes, signsByType } from './message-types.ts';
export { type Moderation, type Writer } from './moderation.ts';
