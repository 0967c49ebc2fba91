/** Puts together what the bot does by itself about messages and reactions. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';

import { type BlocklistTools, createBlocklistCheck } from './blocklist.ts';
import { createFilters } from './filters.ts';
import { createFloodCheck, type FloodTools } from './flood.ts';
import { createReactions, type ReactionTools } from './reactions.ts';

export function createAutomatic(
  deps: Dependencies,
  tools: BlocklistTools & FloodTools & ReactionTools,
) {
  return {
    blocklistCheck: createBlocklistCheck(deps, tools),
    filters: createFilters(deps, tools),
    floodCheck: createFloodCheck(deps, tools),
    reactions: createReactions(deps, tools),
  };
}

export { readLinkEntry } from './links.ts';
export { plainEmoji, type Reactions } from './reactions.ts';
export * as automaticTextModule from './texts.ts';
