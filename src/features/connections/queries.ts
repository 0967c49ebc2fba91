/** Requests for linked accounts and for the track that is playing. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';

import {
  listConnections,
  readNowPlaying,
  removeConnection,
  type ServiceId,
  startConnection,
} from '#contract/endpoints/connections';
import { ApiError, call } from '#lib/api';
import { isWebAddress } from '#lib/browser';
import { loadCurrentUser } from '#lib/current-user';
import { tellOtherTabs } from '#lib/other-tabs';

export const connectionQueries = {
  list: () =>
    queryOptions({
      queryKey: ['connections'],
      queryFn: ({ signal }) => call(listConnections, {}, signal),
      // The user links on a page of the service: the list is read again on return.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),

  /** Null when no track is playing. */
  playing: (telegramId: string) =>
    queryOptions({
      queryKey: ['now-playing', telegramId],
      queryFn: async ({ signal }) => {
        try {
          return (await call(readNowPlaying, { telegram_id: telegramId }, signal)) ?? null;
        } catch (error) {
          const status = error instanceof ApiError ? error.status : 0;
          throw new Error(`Failed to fetch now playing data: ${status}`, { cause: error });
        }
      },
      // The next poll is the next try.
      retry: false,
    }),

  /** Has the device store the Telegram ID of the user. Null when it has. */
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: async () => {
        await loadCurrentUser();
        return null;
      },
      retry: false,
    }),
};

/** Returns the URL of the service's page on which the user agrees. */
export async function startLinking(service: ServiceId): Promise<string> {
  const { authorize_url: address } = await call(startConnection, { service });
  if (!isWebAddress(address)) {
    throw new TypeError('The server did not say where to go.');
  }
  return address;
}

/** Unlinks an account. Updates the cached list at once, and then reads it from the server. */
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
