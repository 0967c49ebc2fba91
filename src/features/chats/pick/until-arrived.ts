/** A picked group arrives through the bot, a moment after the person has chosen it. */
import { type QueryClient } from '@tanstack/react-query';

import { type Chat } from '#contract/endpoints/chats';

import { chatQueries } from '../queries.ts';

/** How long to wait before each look, in ms: a quarter of a minute in all. */
const waitsMs = [300, 700, 1000, 1500, 2000, 3000, 3000, 4000] as const;

type Listed = Awaited<ReturnType<typeof listAnew>>;

/** A chat that is verified next, or one that the person manages already. */
export type Arrived = { readonly chatId: string; readonly managed: Chat | undefined };

/** The person's chats, asked anew. Rejects when they cannot be read. */
export function listAnew(client: QueryClient) {
  return client.fetchQuery({ ...chatQueries.list(), staleTime: 0, retry: false });
}

/** The chat that has come since `before`; undefined when none has come in time. */
export async function untilArrived(
  client: QueryClient,
  before: Listed,
  signal: AbortSignal,
): Promise<Arrived | undefined> {
  for (const ms of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (signal.aborted) {
      return undefined;
    }
    // A look that fails is followed by another one.
    const now = await listAnew(client).catch(() => before);
    const chatId = newIn(now, before);
    if (chatId !== undefined) {
      return { chatId, managed: now.chats.find(({ chat_id }) => chat_id === chatId) };
    }
  }
  return undefined;
}

/** A chat that was there before may be picked again; servers that say so tell when it was. */
function newIn({ newest, unverified }: Listed, before: Listed): string | undefined {
  if (newest !== undefined && newest.added_at > (before.newest?.added_at ?? 0)) {
    return newest.chat_id;
  }
  const known = new Set(before.unverified.map(({ chat_id }) => chat_id));
  return unverified.find(({ chat_id }) => !known.has(chat_id))?.chat_id;
}
