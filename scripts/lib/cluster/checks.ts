/** What must be true at the end of `npm run test:cluster`, each with what was found instead, and the report. */
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { wholeChat } from '#contract/chats/values';
import { type Database } from '#server/db/client';

import { type LedgerTotals } from '../bot-ledger.ts';
import { type Page } from './chats.ts';
import { type ChaosEvent } from './machines.ts';
import { type Caller, type Journal, listPictures, type Promises, type User } from './people.ts';

type Tools = {
  readonly database: Database;
  readonly promises: Promises;
  readonly journal: Journal;
};

/** What is stored of each chat: as a page would show it. */
async function readStored({ database: { db } }: Pick<Tools, 'database'>) {
  const [settings, values] = await Promise.all([
    db.selectFrom('topic_settings').selectAll().execute(),
    db.selectFrom('chat_values').selectAll().execute(),
  ]);
  return {
    settings: new Map(
      settings.map(({ chat_id, topic_id, name, is_blocked }) => [
        `${chat_id}/${topic_id}/${name}`,
        is_blocked === 1,
      ]),
    ),
    values: new Map(
      values.map(({ chat_id, topic_id, name, value }): [string, unknown] => [
        `${chat_id}/${topic_id === -1 ? wholeChat : topic_id}/${name}`,
        JSON.parse(value),
      ]),
    ),
  };
}

/** Setting or value → what it became, by the history. */
async function readHistory({ database: { db } }: Pick<Tools, 'database'>) {
  const read = (table: 'setting_change_items' | 'setting_value_items') =>
    sql<{ chat_id: number; topic_id: number; name: string; becomes: number | string | null }>`
      select chat_id, topic_id, name, becomes
      from ${sql.table(table)} as items join setting_changes as changes on changes.id = items.change_id
      order by changed_at`.execute(db);
  const [settings, values] = await Promise.all([
    read('setting_change_items'),
    read('setting_value_items'),
  ]);
  const history = new Map<string, unknown[]>();
  const add = (key: string, value: unknown) =>
    history.set(key, [...(history.get(key) ?? []), value]);
  for (const { chat_id, topic_id, name, becomes } of settings.rows) {
    add(`${chat_id}/${topic_id}/${name}`, becomes === 1);
  }
  for (const { chat_id, topic_id, name, becomes } of values.rows) {
    const place = topic_id === -1 ? wholeChat : topic_id;
    add(`${chat_id}/${place}/${name}`, becomes === null ? null : JSON.parse(String(becomes)));
  }
  return history;
}

/** Every acknowledged setting and value is stored, and is in the history once. */
export async function checkWrites(tools: Tools): Promise<void> {
  const { promises, journal } = tools;
  const [stored, history] = await Promise.all([readStored(tools), readHistory(tools)]);
  const compareAll = (
    kept: ReadonlyMap<string, unknown>,
    promised: ReadonlyMap<string, readonly unknown[]>,
  ) => {
    for (const [key, list] of promised) {
      const found = kept.get(key);
      const inHistory = history.get(key) ?? [];
      if (found !== list.at(-1)) {
        journal.fault(
          `an acknowledged write is lost: ${key} was set to ${String(list.at(-1))} and is ${String(found)}; its history ends with ${inHistory.slice(-4).join(', ')}`,
        );
      } else if (!isDeepStrictEqual(inHistory, list)) {
        journal.fault(
          `the history of ${key} has ${inHistory.length} changes instead of ${list.length}: ${inHistory.slice(-6).join(', ')} instead of ${list.slice(-6).join(', ')}`,
        );
      }
    }
  };
  compareAll(stored.settings, promises.settings);
  compareAll(stored.values, promises.values);
}

/** A session is known until it is ended. */
export async function checkSessions(
  { promises, journal }: Pick<Tools, 'promises' | 'journal'>,
  caller: Caller,
): Promise<void> {
  for (const [token, isAlive] of promises.sessions) {
    let answer = await caller.call({ method: 'GET', path: '/backend/auth/me', token });
    while (answer === undefined || answer.status === 503) {
      await sleep(500);
      answer = await caller.call({ method: 'GET', path: '/backend/auth/me', token });
    }
    if (answer.status !== (isAlive ? 200 : 401)) {
      journal.fault(
        `a session that was ${isAlive ? 'begun' : 'ended'} answers ${answer.status} (acknowledged)`,
      );
    }
  }
}

/** Each key has one generation with one picture, whose files can be read. */
export async function checkPictures(
  { database: { db }, promises, journal }: Tools,
  { caller, users }: { readonly caller: Caller; readonly users: readonly User[] },
): Promise<void> {
  const rows = await db
    .selectFrom('generations')
    .leftJoin('pictures', 'pictures.id', 'generations.picture_id')
    .select(['generations.job_key', 'pictures.id'])
    .execute();
  const counts = Map.groupBy(rows, ({ job_key }) => job_key ?? '');
  for (const [key, { doneMs }] of promises.pictures) {
    const found = counts.get(key) ?? [];
    if (doneMs === undefined) {
      journal.fault(`the picture ${key} never came`);
    }
    if (found.length !== 1 || found[0]?.id === null) {
      journal.fault(`the key ${key} has ${found.length} generations instead of one with a picture`);
    }
  }
  const { count } = await db
    .selectFrom('pictures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count !== promises.pictures.size) {
    journal.fault(`${count} pictures are stored instead of ${promises.pictures.size}`);
  }
  for (const user of users) {
    await checkFiles(user, { caller, promises, journal });
  }
}

async function checkFiles(
  user: User,
  { caller, promises, journal }: Pick<Tools, 'promises' | 'journal'> & { readonly caller: Caller },
): Promise<void> {
  const listed = await listPictures({ caller }, user);
  const keys = new Set(listed.map(({ jobKey }) => jobKey));
  for (const [key, { telegramId }] of promises.pictures) {
    if (telegramId === user.telegramId && !keys.has(key)) {
      journal.fault(`the picture ${key} is not in the history of its user`);
    }
  }
  for (const { jobKey = '', files } of listed) {
    const pictures = await Promise.all(files.map((address) => isPicture(address, caller)));
    if (pictures.includes(false)) {
      journal.fault(`the files of ${jobKey} cannot be read`);
    }
  }
}

/** A link leads to the servers, or straight to the bucket. */
async function isPicture(address: string, caller: Caller): Promise<boolean> {
  const { origin, pathname, search } = new URL(address);
  const base = origin === publicUrl ? caller.url : origin;
  const answer = await fetch(base + pathname + search).catch(() => undefined);
  const bytes = (await answer?.arrayBuffer())?.byteLength ?? 0;
  const type = answer?.headers.get('Content-Type') ?? '';
  return answer?.status === 200 && type.startsWith('image/') && bytes > minFileBytes;
}

/** The address that people open. */
export const publicUrl = 'https://nori.example.org';

/** No sketch is smaller. */
const minFileBytes = 1000;

/** What a page shows and should not, or the other way round; undefined when it is right. */
function compare(
  { chatId, shown }: Page,
  stored: Awaited<ReturnType<typeof readStored>>,
): string | undefined {
  const flatten = <T>(places: Readonly<Record<string, Readonly<Record<string, T>>>>) =>
    new Map<string, T>(
      Object.entries(places).flatMap(([place, named]) =>
        Object.entries(named).map(
          ([name, value]) => [`${chatId}/${place}/${name}`, value] as const,
        ),
      ),
    );
  const settings = flatten(shown.topics);
  const values = flatten(shown.values);
  const wrongSetting = [...stored.settings].find(
    ([key, value]) => key.startsWith(`${chatId}/`) && (settings.get(key) ?? false) !== value,
  );
  const wrongValue = [...stored.values].find(
    ([key, value]) => key.startsWith(`${chatId}/`) && !isDeepStrictEqual(values.get(key), value),
  );
  const [key, value] = wrongSetting ?? wrongValue ?? [];
  return key === undefined ? undefined : `${key} is ${String(value)}`;
}

const lookEveryMs = 250;

/** Waits until each page shows what is stored, and returns after how many milliseconds the last one did. */
export async function checkPages(
  pages: readonly Page[],
  { database, journal }: Pick<Tools, 'database' | 'journal'>,
  maxMs: number,
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const stored = await readStored({ database });
    const wrong = pages.flatMap((page) => {
      const difference = compare(page, stored);
      return difference === undefined ? [] : [{ page, difference }];
    });
    const elapsedMs = performance.now() - startedAt;
    if (wrong.length === 0) {
      return elapsedMs;
    }
    if (elapsedMs > maxMs) {
      for (const { page, difference } of wrong) {
        journal.fault(
          `${page.name} has not caught up after ${Math.round(maxMs / 1000)} s: ${difference}, which it does not show`,
        );
      }
      return elapsedMs;
    }
    await sleep(lookEveryMs);
  }
}

/** The value below which the given share of a list lies. */
function percentile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const describeTimes = (list: readonly number[]) =>
  `p50 ${inSeconds(percentile(list, 0.5))}, p99 ${inSeconds(percentile(list, 0.99))}, max ${inSeconds(percentile(list, 1))}`;

/** After each event, when the first message that was written later was deleted, and how long the slowest of the next half minute took. */
export function listTakeovers(
  events: readonly ChaosEvent[],
  deleted: readonly { readonly writtenAt: number; readonly at: number }[],
): readonly string[] {
  return events
    .filter(({ role }) => role === 'bot' || role === undefined)
    .map(({ at, what }) => {
      const after = deleted.filter(({ writtenAt }) => writtenAt >= at && writtenAt < at + 30_000);
      const first = Math.min(...after.map((one) => one.at - at));
      const slowest = Math.max(...after.map((one) => one.at - one.writtenAt));
      return `${what}: first deletion after ${inSeconds(first)}, slowest ${inSeconds(slowest)}`;
    });
}

const sum = (lists: ReadonlyMap<string, readonly unknown[]>) =>
  [...lists.values()].reduce((total, { length }) => total + length, 0);

type Report = {
  readonly kill: number;
  readonly freeze: number;
  readonly restart: number;
  readonly seconds: number;
  readonly caller: Caller;
  readonly promises: Promises;
  readonly totals: LedgerTotals;
  readonly pages: readonly Page[];
  readonly members: { readonly written: number; readonly albums: number };
  readonly caughtUpMs: number;
};

/** Prints what was done, and how long it took. */
export function printReport({
  caller: { counts },
  promises,
  totals,
  pages,
  members,
  ...rest
}: Report): void {
  const pictures = [...promises.pictures.values()].flatMap(({ doneMs }) => doneMs ?? []);
  const rows: readonly (readonly [string, string])[] = [
    [
      'kills, freezes, restarts',
      `${rest.kill}, ${rest.freeze}, ${rest.restart} in ${rest.seconds} s`,
    ],
    ['acknowledged settings', `${sum(promises.settings)} of ${promises.settings.size} places`],
    ['acknowledged values', `${sum(promises.values)} of ${promises.values.size} places`],
    [
      'logins, logouts',
      `${promises.sessions.size}, ${[...promises.sessions.values()].filter((isAlive) => !isAlive).length}`,
    ],
    ['pictures', `${promises.pictures.size}; ${describeTimes(pictures)}`],
    ['messages, albums', `${members.written}, ${members.albums}`],
    [
      'blocked, missed, wrong, twice',
      [totals.blocked, totals.missed, totals.wrong, totals.twice].join(', '),
    ],
    ['until a deletion', describeTimes(totals.waits)],
    [
      'pages, connections, events',
      `${pages.length}, ${pages.reduce((total, page) => total + page.counts.opened, 0)}, ${pages.reduce((total, page) => total + page.counts.events, 0)}`,
    ],
    ['until all pages had caught up', inSeconds(rest.caughtUpMs)],
    ['answers 2xx', String(counts.done)],
    ['503 with Retry-After', `${counts.busy} by servers, ${counts.balancer} by the balancer`],
    ['connections cut', String(counts.cut)],
    ['until an acknowledgement', describeTimes(counts.waits)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  process.stdout.write(
    `\n${rows.map(([name, value]) => `${name.padEnd(width)}${value}`).join('\n')}\n\n`,
  );
}
