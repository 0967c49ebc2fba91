/** Puts the chat services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';
import {
  type Launches,
  type OneTimePasswords,
  type Sessions,
  type UserLanguageService,
} from '#services/accounts';

import { createChatAccess } from './access.ts';
import { createAdultRule } from './adult-rule.ts';
import { createChangeHistory, createChatChanges } from './changes.ts';
import { createChatService, createChatUpdateHandler } from './chats.ts';
import { createChatEvents, createChatUpgrades } from './events.ts';
import { createChatHealth } from './health.ts';
import { createArrivalHints } from './hints.ts';
import { createChangeRecorder } from './recorder.ts';
import { createChatStreams } from './streams.ts';
import { createChatValues } from './values.ts';
import { createChatVerification } from './verification.ts';

type Tools = {
  readonly launches: Launches;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly sessions: Sessions;
  readonly oneTimePasswords: OneTimePasswords;
  readonly userLanguages: UserLanguageService;
};

export function createChats(deps: Dependencies, tools: Tools) {
  const { launches, limiter, messages, sessions, oneTimePasswords, userLanguages } = tools;
  const events = createChatEvents(deps);
  const upgrades = createChatUpgrades(deps, events);
  const access = createChatAccess(deps, upgrades);
  const adultRule = createAdultRule(deps);
  const record = createChangeRecorder(deps, events);
  const hints = createArrivalHints(deps, { messages, limiter, userLanguages });
  return {
    chatEvents: events,
    chatUpgrades: upgrades,
    chatAccess: access,
    adultRule,
    chats: createChatService(deps, { access, events, limiter }),
    chatChanges: {
      ...createChatChanges(deps, { access, limiter, record }),
      ...createChangeHistory(deps, { access, adultRule, limiter, record }),
    },
    chatValues: createChatValues(deps, { access, adultRule, events, limiter, record }),
    chatHealth: createChatHealth(deps, { access, events, upgrades }),
    chatStreams: createChatStreams(deps, { access, events, sessions }),
    chatVerification: createChatVerification(deps, {
      launches,
      limiter,
      messages,
      oneTimePasswords,
      userLanguages,
      events,
      upgrades,
    }),
    chatUpdates: createChatUpdateHandler(deps, { events, upgrades, hints, userLanguages }),
    arrivalHints: hints,
  };
}

export { type ChatAccess } from './access.ts';
export { offersAdults } from './adult-rule.ts';
export { createChatReads } from './chat-reads.ts';
export { type ChatUpdateHandler, type ManagedChat } from './chats.ts';
export { type ChatEvents, type ChatUpgrades } from './events.ts';
export { type Commander, toPlace } from './recorder.ts';
export * as chatTextModule from './texts.ts';
export { chatTexts } from './texts.ts';
export { type ChatValueService } from './values.ts';
export { wholeChatId } from '#server/db/chat-values';
export { type RecordedChange } from '#server/db/setting-changes';
