/** Puts the modules together, once per server. A module's index.ts says what it offers. */
import { type Message } from 'grammy/types';

import { type Dependencies } from '#server/app/dependencies';
import { createAccounts, createExports } from '#services/accounts';
import { createAutomatic } from '#services/automatic';
import { createChats } from '#services/chats';
import { createConnections } from '#services/connections';
import { createContents } from '#services/contents';
import { createImages } from '#services/images';
import { createJoinGate, createJoining } from '#services/joining';
import { createAniListQuota, createLookups } from '#services/lookups';
import { createMembers } from '#services/members';
import { createModeration } from '#services/moderation';
import { createPublicApi } from '#services/public-api';

import { createChatNumbers } from './chat-numbers.ts';
import { createFetchedMedia } from './fetched-media.ts';
import { createLimiter } from './limiter.ts';
import { createMessages } from './messages.ts';
import { createPersonal } from './personal.ts';
import { createPictureSharing } from './picture-sharing.ts';
import { createReference } from './reference.ts';
import { createStickers } from './stickers.ts';
import { createTelegramPictures } from './telegram-pictures.ts';
import { createUsage } from './usage.ts';
import { createVideos } from './videos.ts';
import { createWhispers } from './whispers.ts';

/** Decides about a message of the Bot API, new or edited. Rejects when the database fails; then it is called again. */
export type MessageCheck = (message: Message, key: string) => Promise<'stays' | 'goes'>;

/** What routes and the bot work with. */
export type Services = ReturnType<typeof createServices>;

export function createServices(deps: Dependencies) {
  const limiter = createLimiter(deps);
  const messages = createMessages(deps);
  const usage = createUsage(deps);
  const aniListQuota = createAniListQuota(deps, { limiter });
  const accounts = createAccounts(deps, { limiter, messages });
  const chats = createChats(deps, { limiter, messages, ...accounts });
  const chatNumbers = createChatNumbers(deps, chats);
  const moderation = createModeration(deps, { ...chats, chatNumbers });
  const members = createMembers(deps, { limiter, ...chats, ...moderation });
  const gate = createJoinGate(deps, { limiter, chatNumbers, ...accounts, ...chats, ...members });
  const group = { chatNumbers, ...chats, ...moderation, ...members };
  const contents = createContents(deps, { limiter, messages, ...accounts, ...group });
  const { joining } = createJoining(deps, { gate, ...group, ...contents });
  const personal = createPersonal(deps, { limiter, ...accounts, ...chats, ...members });
  const connections = createConnections(deps, { limiter, messages, aniListQuota, ...accounts });
  const images = createImages(deps, { limiter, usage, ...accounts });
  const telegramPictures = createTelegramPictures(deps, {
    limiter,
    ...accounts,
    ...chats,
    ...members,
    ...images,
  });
  forgetErased(deps, { ...accounts, ...chats, ...members, ...moderation, ...connections });
  const automatic = createAutomatic(deps, { limiter, ...group });
  /**
   * What decides about a message of a group, in this order: what one deletes reaches no other. The bot handles the
   * rest of it as a command afterwards.
   */
  const messageChecks: readonly MessageCheck[] = [
    joining.checkMessage,
    moderation.moderation.handleMessage,
    contents.cleanService,
    automatic.blocklistCheck,
    automatic.floodCheck,
  ];
  return {
    deps,
    messageChecks,
    filters: automatic.filters,
    reactions: automatic.reactions,
    chatNumbers,
    gate,
    joining,
    limiter,
    usage,
    videos: createVideos(deps),
    whispers: createWhispers(deps, { limiter }),
    lookups: createLookups(deps, { aniListQuota }),
    ...createPublicApi(deps, { aniListQuota }),
    ...createReference(deps, { limiter }),
    ...createFetchedMedia(deps, members),
    ...accounts,
    ...chats,
    ...moderation,
    ...members,
    ...contents,
    ...personal,
    stickers: createStickers(deps),
    ...connections,
    ...images,
    telegramPictures,
    ...createPictureSharing(deps, {
      limiter,
      messages,
      ...accounts,
      ...members,
      ...images,
      telegramPictures,
    }),
    exports: createExports(deps, { limiter, messages, ...accounts, ...images }),
  };
}

type Holders = Pick<ReturnType<typeof createAccounts>, 'erasure' | 'userLanguages'> &
  Pick<ReturnType<typeof createChats>, 'chatEvents' | 'chatAccess'> &
  Pick<ReturnType<typeof createMembers>, 'memberCommands'> &
  Pick<ReturnType<typeof createModeration>, 'administrators'> &
  Pick<ReturnType<typeof createConnections>, 'nowPlaying' | 'watchlist'>;

/** What is in memory of a user goes when their account is deleted, by this process or another. */
function forgetErased({ log }: Dependencies, holders: Holders): void {
  const {
    erasure,
    userLanguages,
    chatEvents,
    chatAccess,
    memberCommands,
    administrators,
    nowPlaying,
    watchlist,
  } = holders;
  async function forget(telegramId: number): Promise<void> {
    await memberCommands.seenPeople.forget(telegramId);
    await administrators.forgetPerson(telegramId);
    chatAccess.forget(telegramId);
    nowPlaying.forget(telegramId);
    watchlist.forget(telegramId);
  }
  erasure.join({
    settle: () => memberCommands.seenMessages.flushed(),
    saveEvents: async (tx, telegramId, { approvedIn }) => {
      await chatEvents.saveTold(tx, { kind: 'erased', telegramId });
      const publishing: (() => void)[] = [];
      for (const chatId of approvedIn) {
        publishing.push(await chatEvents.save(tx, chatId, [{ kind: 'approvals' }]));
      }
      return () => publishing.forEach((publishSaved) => publishSaved());
    },
    forget,
  });
  chatEvents.onTold((event) => {
    if (event.kind === 'erased') {
      void Promise.all([forget(event.telegramId), userLanguages.erase(event.telegramId)]).catch(
        (error: unknown) => {
          log.error({ err: error }, 'Could not forget an account that another process has deleted');
        },
      );
    }
  });
}
