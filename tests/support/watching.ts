/** A group in which Ann has linked her AniList account, and her list there. */
import { createConnectionRepository } from '#server/db/connections';
import { createServiceTokens } from '#services/connections';

import { startAniList } from './anilist.ts';
import { writtenMessage } from './bot-api-world.ts';
import { signIn } from './chats.ts';
import { ann, personWith, startGroup } from './command-group.ts';
import { type TestServer } from './test-server.ts';

/** Stores a link as if the service had sent the person back with a code. */
export async function linkAccount(
  server: TestServer,
  connection: { readonly telegramId: number; readonly service: 'anilist' | 'spotify' },
  accessToken: string,
): Promise<void> {
  const { deps, db, now } = server;
  await signIn(server, connection.telegramId);
  const { seal } = createServiceTokens(deps, { anilist: undefined, spotify: undefined });
  const tokens = { accessToken, refreshToken: undefined, lifetimeS: undefined };
  await createConnectionRepository(db).put(connection, {
    ...seal(tokens, connection),
    accountName: undefined,
    linkedAt: now(),
  });
}

export async function startWatching(options: Parameters<typeof startGroup>[0] = {}) {
  const accessToken = 'access-of-ann-at-anilist';
  let isGood = true;
  const aniList = await startAniList({ tokens: () => (isGood ? [accessToken] : []) });
  const variables = {
    ...aniList.variables,
    ANILIST_CLIENT_ID: '4711',
    ANILIST_CLIENT_SECRET: 'secret-of-nori-at-anilist',
    ANILIST_ROOT: aniList.url,
    PUBLIC_URL: 'https://nori.example.org',
  };
  const group = await startGroup({ ...options, variables });
  await linkAccount(group.server, { telegramId: ann, service: 'anilist' }, accessToken);
  let nextId = 70_000;
  return {
    ...group,
    aniList,

    /** Ann has watched so many episodes. */
    watch: (mediaId: number, progress: number): void =>
      void aniList.world.watching.set(mediaId, { progress, status: 'CURRENT' }),

    /** Ann ends the link in AniList's own settings. */
    revoke: (): void => {
      isGood = false;
    },

    lastMessage: () => {
      const message = group.api.messages.at(-1);
      if (message === undefined) {
        throw new Error('The bot has said nothing');
      }
      return message;
    },

    writesPrivately: async (from: number, text: string): Promise<void> => {
      nextId += 1;
      const written = writtenMessage({
        text,
        chatId: from,
        from,
        topicId: undefined,
        messageId: nextId,
      });
      await group.hears({ message: { ...written, from: personWith(from), text } });
    },
  };
}
