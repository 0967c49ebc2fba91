/** A page without a network: what was read before is read from the device, and what is written waits. */
import { useEffect, useEffectEvent } from 'react';
import * as v from 'valibot';
import { create } from 'zustand';

import { ApiError } from './api.ts';
import { formatDay, formatTime } from './dates.ts';
import { offlineTexts } from './offline-texts.ts';
import { getUserId, onUserLeft } from './session.ts';
import { storedValue } from './storage.ts';

/** Whether a call had no answer because the device has no network, as far as the browser knows. */
export function isOffline(error: unknown): boolean {
  return hadNoAnswer(error) && !navigator.onLine;
}

function hadNoAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'no_response';
}

/** Resolves to true when the browser says that there is a network, and to false when the user has left before. */
export function untilOnline(): Promise<boolean> {
  return navigator.onLine
    ? Promise.resolve(true)
    : new Promise((resolve) => {
        const stop = onUserLeft(() => end(false));
        const listen = () => end(true);
        const end = (isOnline: boolean) => {
          stop();
          removeEventListener('online', listen);
          resolve(isOnline);
        };
        addEventListener('online', listen);
      });
}

/** In characters, so that the other features find room on the device. */
const maxLength = 300_000;
/** Answers that come within this time are stored at once; ms. */
const gatherMs = 500;

const answer = v.object({ key: v.string(), at: v.number(), data: v.unknown() });
type Answer = v.InferOutput<typeof answer>;

/** Whose it is, and the answers of the server, the last first; `at` in epoch milliseconds. */
const stored = storedValue(
  'nori_last_seen',
  v.object({ user: v.string(), answers: v.array(answer) }),
);

/** What is yet to be stored, by its key. */
const gathered = new Map<string, Answer>();
onUserLeft(() => gathered.clear());
let storing: ReturnType<typeof setTimeout> | undefined;

function readAnswers(): readonly Answer[] {
  const value = stored.read();
  const known = value?.user === (getUserId() ?? '') ? value.answers : [];
  return [...[...gathered.values()].toReversed(), ...known.filter(({ key }) => !gathered.has(key))];
}

function remember(key: string, data: unknown): void {
  gathered.delete(key);
  gathered.set(key, { key, at: Date.now(), data });
  if (storing === undefined) {
    storing = setTimeout(storeNow, gatherMs);
    // A page that is closed before that has seen them, too.
    addEventListener('pagehide', storeNow, { once: true });
  }
}

function storeNow(): void {
  clearTimeout(storing);
  storing = undefined;
  storeGathered();
}

function storeGathered(): void {
  if (gathered.size === 0) {
    return;
  }
  let room = maxLength;
  const kept: Answer[] = [];
  for (const one of readAnswers()) {
    const { length } = JSON.stringify(one);
    if (length <= room) {
      room -= length;
      kept.push(one);
    }
  }
  gathered.clear();
  stored.write({ user: getUserId() ?? '', answers: kept });
}

/** Since when what is shown may be old, by its key; epoch milliseconds. */
const useOld = create<{ readonly byKey: Readonly<Record<string, number>> }>()(() => ({
  byKey: {},
}));

function mark(key: string, at: number | undefined): void {
  const { byKey } = useOld.getState();
  if (byKey[key] !== at) {
    const others = Object.entries(byKey).filter(([other]) => other !== key);
    useOld.setState({
      byKey: Object.fromEntries([...others, ...(at === undefined ? [] : [[key, at] as const])]),
    });
  }
}

/**
 * Reads from the server, and stores the answer on the device. When no answer comes, resolves to the one that is
 * stored, and `useSeenAt` says from when that is.
 */
export async function readOrLastSeen<Schema extends v.GenericSchema>(
  { key, schema }: { readonly key: string; readonly schema: Schema },
  read: () => Promise<v.InferOutput<Schema>>,
): Promise<v.InferOutput<Schema>> {
  try {
    const data = await read();
    remember(key, data);
    mark(key, undefined);
    return data;
  } catch (error) {
    const known = hadNoAnswer(error) ? readAnswers().find((one) => one.key === key) : undefined;
    const parsed = known && v.safeParse(schema, known.data);
    if (!known || !parsed?.success) {
      throw error;
    }
    mark(key, known.at);
    return parsed.output;
  }
}

/** How often old data is read again while the browser says nothing of the network. */
const readAgainMs = 30_000;

/**
 * From when the data is that the device has shown instead of the server's, in epoch milliseconds; undefined for the
 * server's own. Meanwhile `refetch` is called when there is a network again.
 */
export function useSeenAt(key: string, refetch: () => unknown): number | undefined {
  const at = useOld(({ byKey }) => byKey[key]);
  const readAgain = useEffectEvent(() => void refetch());
  const isOld = at !== undefined;
  useEffect(() => {
    if (!isOld) {
      return undefined;
    }
    const listen = () => readAgain();
    addEventListener('online', listen);
    const timer = setInterval(listen, readAgainMs);
    return () => {
      removeEventListener('online', listen);
      clearInterval(timer);
    };
  }, [isOld]);
  return at;
}

const dayMs = 86_400_000;

/** The sentence for what `useSeenAt` returns. */
export function sayWhenSeen(at: number): string {
  const time = formatTime(at);
  return Date.now() - at < dayMs
    ? offlineTexts.at(time)
    : offlineTexts.on(formatDay(at, { datesFrom: 1, style: 'medium' }), time);
}
