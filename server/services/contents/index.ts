/** Puts the services of contents together. The rest of the server imports this module only from here. */
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { type DueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';
import { type Outbox } from '#server/services/outbox';
import { type UserLanguageService } from '#services/accounts';
import { type ChatAccess, type ChatValueService } from '#services/chats';
import { type MemberCommands } from '#services/members';
import { type DeletionScheduler } from '#services/moderation';

import { createContentService } from './contents.ts';
import { createGreetings, createServiceCleaner } from './greetings.ts';
import { createContentRequests, createMediaUploads } from './incoming.ts';

type Tools = {
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly userLanguages: UserLanguageService;
  readonly chats: { readonly readLanguage: (chatId: number) => Promise<Language> };
  readonly chatAccess: ChatAccess;
  readonly chatValues: ChatValueService;
  readonly chatNumbers: ChatNumbers;
  readonly outbox: Outbox;
  readonly deletions: DeletionScheduler;
  readonly dueJobs: DueJobs;
  readonly memberCommands: Pick<MemberCommands, 'rights'>;
};

export function createContents(deps: Dependencies, tools: Tools) {
  const { botId } = tools.memberCommands.rights;
  const contents = createContentService(deps, { ...tools, botId });
  const all = { ...tools, botId, contents };
  return {
    contents,
    greetings: createGreetings(deps, all),
    cleanService: createServiceCleaner(deps, tools),
    contentMedia: createMediaUploads(deps, all),
    contentRequests: createContentRequests(deps, all),
  };
}

export { listSentIds } from './contents.ts';
export { cancelVerb } from './incoming.ts';
export { readContentOrReply } from './parsing.ts';
export * as contentTextModule from './texts.ts';
export { contentTexts } from './texts.ts';
