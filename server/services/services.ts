/** Puts the modules together, once per server. A module's index.ts says what it offers. */
import { type Dependencies } from '#server/app/dependencies';
import { createAccounts, createExports } from '#services/accounts';
import { createChats } from '#services/chats';
import { createConnections } from '#services/connections';
import { createImages } from '#services/images';
import { createMembers } from '#services/members';
import { createModeration } from '#services/moderation';
import { createPublicApi } from '#services/public-api';

import { createLimiter } from './limiter.ts';
import { createMessages } from './messages.ts';
import { createUsage } from './usage.ts';
import { createVideos } from './videos.ts';

/** What routes and the bot work with. */
export type Services = ReturnType<typeof createServices>;

export function createServices(deps: Dependencies) {
  const limiter = createLimiter(deps);
  const messages = createMessages(deps);
  const usage = createUsage(deps);
  const accounts = createAccounts(deps, { limiter, messages });
  const chats = createChats(deps, { limiter, messages, ...accounts });
  const moderation = createModeration(deps, chats);
  const members = createMembers(deps, { limiter, ...chats, ...moderation });
  const connections = createConnections(deps, { limiter, messages, ...accounts });
  const images = createImages(deps, { limiter, usage, ...accounts });
  const exports = createExports(deps, { limiter, messages, ...accounts, ...images });
  accounts.erasure.join({
    settle: () => members.memberCommands.seenMessages.flushed(),
    forget: async (telegramId, { approvedIn }) => {
      await members.memberCommands.seenPeople.forget(telegramId);
      await moderation.administrators.forgetPerson(telegramId);
      chats.chatAccess.forget(telegramId);
      connections.nowPlaying.forget(telegramId);
      for (const chatId of approvedIn) {
        chats.chatEvents.publish(chatId, { kind: 'approvals' });
      }
    },
  });
  return {
    deps,
    limiter,
    usage,
    videos: createVideos(deps),
    ...createPublicApi(deps),
    ...accounts,
    ...chats,
    ...moderation,
    ...members,
    ...connections,
    ...images,
    exports,
  };
}
