/** A picked group arrives through the bot, a moment after the person has chosen it. */
import { type QueryClient } from '@tanstack/react-query';

import { chatQueries } from '../queries.ts';

/** How long to wait before each look, in ms: a quarter of a minute in all. */
const waitsMs = [300, 700, 1000, 1500, 2000, 3000, 3000, 4000] as const;

/** The chats that wait to be verified, asked anew. Rejects when the list cannot be read. */
export async function unverifiedIds(client: QueryClient): Promise<ReadonlySet<string>> {
  const { unverified } = await client.fetchQuery({
    ...chatQueries.list(),
    staleTime: 0,
    retry: false,
  });
  return new Set(unverified.map(({ chat_id }) => chat_id));
}

/** The chat that is in the list now and was not before; undefined when none has come in time. */
export async function untilArrived(
  client: QueryClient,
  before: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const ms of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (signal.aborted) {
      return undefined;
    }
    // A look that fails is followed by another one.
    const now = await unverifiedIds(client).catch(() => before);
    const arrived = [...now].find((id) => !before.has(id));
    if (arrived !== undefined) {
      return arrived;
    }
  }
  return undefined;
}
