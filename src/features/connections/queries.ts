/** Reads and changes of linked accounts, and what is playing. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';

import {
  listConnections,
  readNowPlaying,
  removeConnection,
  type ServiceId,
  startConnection,
} from '#contract/endpoints/connections';
import { readMe } from '#contract/endpoints/session';
import { ApiError, call } from '#lib/api';
import { isWebAddress } from '#lib/browser';
import { tellOtherTabs } from '#lib/other-tabs';
import { learnTelegramId } from '#lib/session';

import { accountTexts, playingTexts } from './texts.ts';

export const connectionQueries = {
  list: () =>
    queryOptions({
      queryKey: ['connections'],
      queryFn: ({ signal }) => call(listConnections, {}, signal),
      // The service is on another page: what was done there is seen on the way back.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),

  /** Null when nothing plays. */
  playing: (telegramId: string) =>
    queryOptions({
      queryKey: ['now-playing', telegramId],
      queryFn: async ({ signal }) => {
        try {
          return (await call(readNowPlaying, { telegram_id: telegramId }, signal)) ?? null;
        } catch (error) {
          const status = error instanceof ApiError ? error.status : 0;
          throw new Error(playingTexts.failedWith(status), { cause: error });
        }
      },
      // The next look is the next try.
      retry: false,
    }),

  /** Who this is, where the device does not remember it. */
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: async ({ signal }) => {
        const { telegram_id: telegramId } = await call(readMe, {}, signal);
        learnTelegramId(telegramId);
        return telegramId;
      },
      retry: false,
    }),
};

/** Answers the address at which the person agrees. */
export async function startLinking(service: ServiceId): Promise<string> {
  const { authorize_url: address } = await call(startConnection, { service });
  if (!isWebAddress(address)) {
    throw new ApiError({ status: 200, code: 'unreadable', message: accountTexts.notReadable });
  }
  return address;
}

/** Unlinks an account; the list says so at once, and the server then has the last word. */
export async function unlink(client: QueryClient, service: ServiceId): Promise<void> {
  await call(removeConnection, { service });
  tellOtherTabs('connections');
  const { queryKey } = connectionQueries.list();
  client.setQueryData(
    queryKey,
    (list) =>
      list && {
        connections: list.connections.map((connection) =>
          connection.service === service
            ? { service, state: 'unlinked' as const, missing: [] }
            : connection,
        ),
      },
  );
  void client.invalidateQueries({ queryKey });
}
