/** Puts the moderation services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type ChatEvents, type ChatUpgrades } from '#services/chats';

import { createAdministrators } from './administrators.ts';
import { createChatRuleBook } from './chat-rules.ts';
import { createDeletionCounts } from './deletion-counts.ts';
import { createDeletionQueue } from './deletion-queue.ts';
import { createDueDeletions } from './due-deletions.ts';
import { createEnforcement } from './enforcement.ts';
import { createDeletionRights } from './rights.ts';

type Chats = { readonly chatEvents: ChatEvents; readonly chatUpgrades: ChatUpgrades };

export function createModeration(
  deps: Dependencies,
  { chatEvents: events, chatUpgrades: upgrades }: Chats,
) {
  const deletionCounts = createDeletionCounts(deps);
  const rights = createDeletionRights(deps, events);
  const administrators = createAdministrators(deps, { events, rights });
  const queue = createDeletionQueue(deps, {
    counts: deletionCounts,
    rights,
    onUpgrade: (oldId, newId) => upgrades.upgrade(oldId, newId),
  });
  const dueDeletions = createDueDeletions(deps, { queue, administrators });
  const enforcement = createEnforcement(deps, {
    rules: createChatRuleBook(deps.database, events),
    administrators,
    dueDeletions,
  });
  return { dueDeletions, deletionCounts, enforcement };
}

export { createChatRuleBook } from './chat-rules.ts';
export { type Fate } from './deletion-calls.ts';
export { createUnanswered } from './unanswered.ts';
