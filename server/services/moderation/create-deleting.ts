/** Puts together what deletes messages: the rules, the queue to Telegram, and what waits for later. */
import { type Dependencies } from '#server/app/dependencies';
import { type ChatEvents, type ChatUpgrades } from '#services/chats';

import { createAdministrators } from './administrators.ts';
import { createChatRuleBook } from './chat-rules.ts';
import { createDeletionCounts, type DeletionCounts } from './deletion-counts.ts';
import { createDeletionQueue } from './deletion-queue.ts';
import { createDueDeletions, type DueDeletions } from './due-deletions.ts';
import { createEnforcement, type Enforcement } from './enforcement.ts';
import { createDeletionRights } from './rights.ts';

type Deleting = {
  readonly dueDeletions: DueDeletions;
  readonly deletionCounts: DeletionCounts;
  readonly enforcement: Enforcement;
};

export function createDeleting(
  deps: Dependencies,
  { events, upgrades }: { readonly events: ChatEvents; readonly upgrades: ChatUpgrades },
): Deleting {
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
