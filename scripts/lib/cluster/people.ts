/**
 * The users of `npm run test:cluster`: they log in, set what chats block, set values and make pictures, and write down
 * everything that the servers have acknowledged. What was not answered is sent again, as the pages do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';

import { readSavedGeneration } from '#contract/endpoints/generations';

/** Numbers from 0 to 1 that are the same for the same seed and name. */
export type Random = () => number;

export function createRandom(seed: number, name: string): Random {
  let state = Array.from(name).reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619),
    seed | 0,
  );
  // mulberry32
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(list: readonly T[], random: Random): T {
  const [picked] = list.slice(Math.floor(random() * list.length));
  if (picked === undefined) {
    throw new Error('There is nothing to pick from');
  }
  return picked;
}

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly read: () => unknown;
};

type CallCounts = {
  /** With 2xx. */
  done: number;
  /** 503 with `Retry-After` from a server. */
  busy: number;
  /** The same from the balancer, which got no answer from a server, or has none. */
  balancer: number;
  /** The connection ended before an answer. */
  cut: number;
  /** Milliseconds until an acknowledgement, repetitions included. */
  readonly waits: number[];
};

export type Journal = {
  /** Adds a line with the time since the start. */
  readonly note: (line: string) => void;
  /** Adds something that must not happen. */
  readonly fault: (line: string) => void;
};

/** Shorter than the page's own: a frozen process answers nothing. */
const callTimeoutMs = 40_000;
const pauseAfterCutMs = 500;
/** A call that is not acknowledged for so long is one of the faults that are looked for. */
const maxPersistMs = 180_000;

export type Caller = ReturnType<typeof createCaller>;

/** Calls the servers through the balancer, counts the answers, and reports those that must not come. */
export function createCaller(url: string, { fault }: Journal) {
  const counts: CallCounts = { done: 0, busy: 0, balancer: 0, cut: 0, waits: [] };

  function count({ method, path }: Call, { status, headers, bytes }: Answer): void {
    const isRetryable = status === 503 && Number(headers.get('Retry-After')) > 0;
    if (status < 300) {
      counts.done += 1;
    } else if (isRetryable && headers.get('X-Refused-By') === 'balancer') {
      counts.balancer += 1;
    } else if (isRetryable) {
      counts.busy += 1;
    } else if (status >= 500) {
      const id = headers.get('X-Request-Id') ?? '';
      fault(`${status} for ${method} ${path} ${id}: ${bytes.toString('utf8').slice(0, 300)}`);
    }
  }

  /** Undefined when the connection ended before the answer did. */
  async function call(given: Call): Promise<Answer | undefined> {
    const { method, path, token, body, headers = {} } = given;
    try {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...headers,
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      const bytes = Buffer.from(await reply.arrayBuffer());
      const read = (): unknown => JSON.parse(bytes.toString('utf8'));
      const answer = { status: reply.status, headers: reply.headers, bytes, read };
      count(given, answer);
      return answer;
    } catch {
      counts.cut += 1;
      return undefined;
    }
  }

  /** A refusal would be the same at the next try. One from 500 on is noted already. */
  function noteFinal({ method, path }: Call, { status, bytes }: Answer, ms: number): void {
    if (status < 300) {
      counts.waits.push(ms);
    } else if (status < 500) {
      fault(`${status} for ${method} ${path}: ${bytes.toString('utf8').slice(0, 300)}`);
    }
  }

  /**
   * Repeats the call until it is answered with anything but a 503, and returns the answer. With `until`, it gives up then.
   */
  async function persist(given: Call, until?: AbortSignal): Promise<Answer | undefined> {
    const startedAt = performance.now();
    for (;;) {
      const answer = await call(given);
      if (answer !== undefined && answer.status !== 503) {
        noteFinal(given, answer, performance.now() - startedAt);
        return answer;
      }
      if (until?.aborted === true) {
        return undefined;
      }
      if (performance.now() - startedAt > maxPersistMs) {
        fault(`${given.method} ${given.path} was not acknowledged for ${maxPersistMs / 1000} s`);
        return undefined;
      }
      const waitS = Number(answer?.headers.get('Retry-After') ?? 0);
      await sleep(waitS > 0 ? waitS * 1000 : pauseAfterCutMs);
    }
  }

  return { url, call, persist, counts };
}

export type User = {
  readonly telegramId: number;
  readonly password: string;
  /** The chats that the user manages. */
  readonly chats: readonly number[];
  token: string;
};

/** What the servers have acknowledged. */
export type Promises = {
  /** `chat/topic/setting` → what it was set to, in order. */
  readonly settings: Map<string, boolean[]>;
  /** `chat/place/name` → what it was set to, in order. */
  readonly values: Map<string, unknown[]>;
  /** Token → whether its session was not ended. */
  readonly sessions: Map<string, boolean>;
  /** Key of a picture → who asked for it, and after how many milliseconds it came. */
  readonly pictures: Map<
    string,
    { readonly telegramId: number; readonly doneMs: number | undefined }
  >;
};

type Tools = {
  readonly caller: Caller;
  readonly promises: Promises;
  readonly random: Random;
  /** Ends the work; what was begun is still finished. */
  readonly over: AbortSignal;
};

function remember<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(value);
}

/** Waits, or ends when the work is over. */
const rest = (ms: number, over: AbortSignal) =>
  sleep(ms, undefined, { signal: over }).catch(() => undefined);

const session = v.object({ access_token: v.string() });

export async function logIn({ caller }: Pick<Tools, 'caller'>, user: User): Promise<string> {
  const answer = await caller.persist({
    method: 'POST',
    path: '/backend/login',
    body: { telegram_id: String(user.telegramId), password: user.password },
  });
  return v.parse(session, answer?.read()).access_token;
}

/** A session that is not ended stays: users have at most ten, and the one they work with is the first. */
const maxSessions = 4;

/** Logs in and out on further devices. */
export async function changeSessions(
  user: User,
  { caller, promises, random, over }: Tools,
): Promise<void> {
  const open: string[] = [];
  while (!over.aborted) {
    await rest(8000 + random() * 8000, over);
    const token = await logIn({ caller }, user);
    promises.sessions.set(token, true);
    open.push(token);
    const oldest = open.length > maxSessions ? open.shift() : undefined;
    if (oldest !== undefined) {
      // A logout whose answer was lost has ended the session: then the repeated one is refused.
      const logout = { method: 'POST', path: '/backend/auth/logout', token: oldest };
      let answer = await caller.call(logout);
      while (answer === undefined || answer.status >= 500) {
        await sleep(pauseAfterCutMs);
        answer = await caller.call(logout);
      }
      promises.sessions.set(oldest, false);
    }
  }
}

export type SettingPlace = {
  readonly chatId: number;
  readonly topic: number;
  readonly name: string;
};

const toSettingKey = ({ chatId, topic, name }: SettingPlace) => `${chatId}/${topic}/${name}`;

/** Sets one setting until it is acknowledged. */
export async function setSetting(
  { caller, promises }: Pick<Tools, 'caller' | 'promises'>,
  { token }: Pick<User, 'token'>,
  { value, ...place }: SettingPlace & { readonly value: boolean },
): Promise<void> {
  const { chatId, topic, name } = place;
  const answer = await caller.persist({
    method: 'PUT',
    path: `/backend/chats/${chatId}/topics/${topic}/settings`,
    token,
    body: { setting_name: name, value },
  });
  if (answer !== undefined && answer.status < 300) {
    remember(promises.settings, toSettingKey(place), value);
  }
}

/** Toggles settings that no other person sets, one after the other. */
export async function toggleSettings(
  user: User,
  { places, breathMs }: { readonly places: readonly SettingPlace[]; readonly breathMs: number },
  tools: Tools,
): Promise<void> {
  const { promises, random, over } = tools;
  while (!over.aborted) {
    const place = pick(places, random);
    const was = promises.settings.get(toSettingKey(place))?.at(-1) ?? false;
    await setSetting(tools, user, { ...place, value: !was });
    await rest(breathMs * (0.5 + random()), over);
  }
}

/** Sets values of the chats whose values no other person sets. */
export async function setValues(
  user: User,
  { chats, breathMs }: { readonly chats: readonly number[]; readonly breathMs: number },
  { caller, promises, random, over }: Tools,
): Promise<void> {
  while (!over.aborted) {
    const chatId = pick(chats, random);
    const key = `${chatId}/chat/warn_limit`;
    const was = Number(promises.values.get(key)?.at(-1) ?? 3);
    const value = (was % 20) + 1;
    const answer = await caller.persist({
      method: 'PUT',
      path: `/backend/chats/${chatId}/values`,
      token: user.token,
      body: { kind: 'values', values: { chat: { warn_limit: value } } },
    });
    if (answer !== undefined && answer.status < 300) {
      remember(promises.values, key, value);
    }
    await rest(breathMs * (0.5 + random()), over);
  }
}

/** Reads what pages read. */
export async function readAround(user: User, { caller, random, over }: Tools): Promise<void> {
  while (!over.aborted) {
    const chatId = pick(user.chats, random);
    const path = pick(
      [
        '/chats',
        `/chats/${chatId}`,
        `/chats/${chatId}/changes`,
        '/auth/me',
        '/generations/history',
      ],
      random,
    );
    await caller.persist({ method: 'GET', path: `/backend${path}`, token: user.token }, over);
    await rest(400 + random() * 800, over);
  }
}

/** Asks for pictures, each by a key of its own. The same key is sent again until the picture comes. */
export async function makePictures(
  user: User,
  breathMs: number,
  { caller, promises, random, over }: Tools,
): Promise<void> {
  for (let number = 0; !over.aborted; number += 1) {
    const key = `cluster-${user.telegramId}-${String(number).padStart(8, '0')}`;
    promises.pictures.set(key, { telegramId: user.telegramId, doneMs: undefined });
    const startedAt = performance.now();
    const answer = await caller.persist({
      method: 'POST',
      path: '/backend/pixai/api/v1/generate',
      token: user.token,
      body: { prompt: `an otter, number ${number}`, model_id: '1001', ratio: '1:1', job_key: key },
    });
    if (answer !== undefined && answer.status < 300) {
      const doneMs = performance.now() - startedAt;
      promises.pictures.set(key, { telegramId: user.telegramId, doneMs });
    }
    await rest(breathMs * (0.5 + random()), over);
  }
}

const history = v.object({ generations: v.array(v.unknown()) });

/** The user's history as it is listed: the key of each picture, and the addresses of its files. */
export async function listPictures({ caller }: Pick<Tools, 'caller'>, { token }: User) {
  const answer = await caller.persist({
    method: 'GET',
    path: '/backend/generations/history',
    token,
  });
  return v
    .parse(history, answer?.read())
    .generations.flatMap((item) => readSavedGeneration(item) ?? [])
    .map(({ id, jobKey, imageUrl = '', thumbnailUrl = '' }) => ({
      id,
      jobKey,
      files: [imageUrl, thumbnailUrl],
    }));
}
