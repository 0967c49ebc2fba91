/**
 * Changes of chats that wait for the network: how many, and what of them the device stores, so that they are sent
 * when the page is opened again.
 */
import * as v from 'valibot';
import { create } from 'zustand';

import { errorText } from '#lib/api';
import { getSession } from '#lib/session';
import { storedValue } from '#lib/storage';
import { type WriteQueue } from '#lib/write-queue';

import { handleLostAccess, showFailure } from './failed-writes.ts';
import { chatTexts } from './texts.ts';

const texts = chatTexts.waiting;

/** Others may have decided otherwise since. */
const maxAgeMs = 86_400_000;
const maxStored = 500;

export type WaitingKind = 'settings' | 'values';

const change = v.object({
  chatId: v.string(),
  kind: v.picklist(['settings', 'values']),
  /** Of the write queue. */
  key: v.string(),
  value: v.unknown(),
  /** When it was chosen; epoch milliseconds. */
  at: v.number(),
});
type WaitingChange = v.InferOutput<typeof change>;

const stored = storedValue(
  'nori_waiting_changes',
  v.object({ user: v.string(), changes: v.array(change) }),
);

function getUser(): string | undefined {
  const session = getSession();
  return session.status === 'member' ? session.telegramId : undefined;
}

function readChanges(): readonly WaitingChange[] {
  const value = stored.read();
  return value !== undefined && value.user === getUser() ? value.changes : [];
}

function writeChanges(changes: readonly WaitingChange[]): void {
  const user = getUser();
  if (user !== undefined) {
    stored.write(changes.length === 0 ? undefined : { user, changes: changes.slice(-maxStored) });
  }
}

const useCounts = create<Readonly<Record<string, number>>>()(() => ({}));

const countKey = (chatId: string, kind: WaitingKind) => `${kind} ${chatId}`;

/** How many changes of the chat wait for the network. */
export function useWaitingCount(chatId: string): number {
  return useCounts(
    (counts) =>
      (counts[countKey(chatId, 'settings')] ?? 0) + (counts[countKey(chatId, 'values')] ?? 0),
  );
}

type Watched = { readonly chatId: string; readonly kind: WaitingKind };

/**
 * Counts and stores what waits in a queue until it was sent, and chooses again what an earlier page has stored. Returns
 * a function that says why a change was refused if it had to wait; false if it did not.
 */
export function watchWaiting(
  queue: Pick<WriteQueue<unknown>, 'subscribe' | 'listWaiting' | 'getPending'>,
  { chatId, kind }: Watched,
  choose: (key: string, value: unknown) => void,
): (key: string, error: unknown) => boolean {
  const isOwn = (other: Watched) => other.chatId === chatId && other.kind === kind;
  const user = getUser();
  /** When it was chosen, by the key of each change that had to wait and is not sent yet. */
  const chosenAt = new Map<string, number>();

  function save(): void {
    const waiting = queue.listWaiting();
    for (const key of waiting) {
      chosenAt.set(key, chosenAt.get(key) ?? Date.now());
    }
    for (const key of chosenAt.keys()) {
      if (queue.getPending(key) === undefined) {
        chosenAt.delete(key);
      }
    }
    useCounts.setState({ [countKey(chatId, kind)]: waiting.size });
    const others = readChanges().filter((other) => !isOwn(other));
    const own = [...chosenAt].map(([key, at]) => ({
      chatId,
      kind,
      key,
      value: queue.getPending(key),
      at,
    }));
    if (own.length > 0 || others.length < readChanges().length) {
      writeChanges([...others, ...own]);
    }
  }

  const [late, open] = splitByAge(readChanges().filter(isOwn));
  for (const { key, at } of open) {
    chosenAt.set(key, at);
  }
  queue.subscribe(save);
  // Queues are also made while React renders, when nothing may change.
  queueMicrotask(() => {
    open.forEach(({ key, value }) => choose(key, value));
    if (late.length > 0) {
      showFailure('waited-too-long', texts.tooLong(late.length));
      save();
    }
  });
  return (key, error) => {
    if (getUser() !== user) {
      // It was of a user who has left.
      return true;
    }
    if (!chosenAt.has(key) || handleLostAccess(chatId, error)) {
      return false;
    }
    showFailure('waiting-refused', texts.refused(errorText(error, texts.noReason)));
    return true;
  };
}

function splitByAge(changes: readonly WaitingChange[]) {
  const oldest = Date.now() - maxAgeMs;
  return [
    changes.filter(({ at }) => at < oldest),
    changes.filter(({ at }) => at >= oldest),
  ] as const;
}

/** The chats of which the device stores changes that wait, with their kinds. */
export function listWaitingChats(): readonly Watched[] {
  const watched = readChanges().map(({ chatId, kind }) => ({ chatId, kind }));
  return [...new Map(watched.map((one) => [countKey(one.chatId, one.kind), one])).values()];
}
