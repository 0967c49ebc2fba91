/**
 * Looks up anime, manga and the people behind them at AniList, for commands and for what is typed inline. The rest of the
 * server imports this module only from here.
 */
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type Limiter } from '#server/services/limiter';
import { createRateLimitGuard, toBusy } from '#server/upstream/connections/oauth';
import {
  type Airing,
  connectAniListCatalogue,
  type Entry,
  type EntryKind,
  type EntryPage,
  type Season,
  seasons,
} from '#server/upstream/public-api/anilist';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Of each kind of question. */
const maxCached = 500;
/** The longest name that is searched for. */
export const maxQueryLength = 100;
const perPage = 10;
/** Pages of the characters that most users like: the first five hundred. */
const favouritePages = 10;

const label = 'AniList';

/** AniList counts the calls of the whole server, those of other processes included. */
export type AniListQuota = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The returned function throws `service_busy` with the time to wait, and does not call then. */
export function createAniListQuota(
  { clock }: Pick<Dependencies, 'clock'>,
  { limiter }: { readonly limiter: Pick<Limiter, 'take'> },
): AniListQuota {
  const unlessBusy = createRateLimitGuard(label, clock);
  return (work) =>
    unlessBusy(async () => {
      try {
        await limiter.take(limits.aniList, '');
      } catch (error) {
        if (error instanceof AppError && error.code === 'rate_limited') {
          throw toBusy(label, error.retryAfterS ?? minuteMs / 1000);
        }
        throw error;
      }
      return work();
    });
}

type Tools = { readonly aniListQuota: AniListQuota };

/**
 * Each call throws `service_not_set_up`, `service_unavailable`, `service_busy` with the time to wait, or
 * `service_answer_broken`. What is for adults is left out unless `withAdult` says otherwise.
 */
export function createLookups(
  {
    env,
    clock,
    random,
    serviceTimeoutMs: timeoutMs,
  }: Pick<Dependencies, 'env' | 'clock' | 'random' | 'serviceTimeoutMs'>,
  { aniListQuota }: Tools,
) {
  const { aniListRoot: apiRoot } = env.publicApi;
  const aniList =
    apiRoot === undefined ? undefined : connectAniListCatalogue({ apiRoot, timeoutMs });

  function require() {
    if (aniList === undefined) {
      throw new AppError('service_not_set_up');
    }
    return aniList;
  }

  /** Remembers answers; equal questions at the same time are one call. */
  function remember<Result>(lifetimeMs: number) {
    const cache = createMemoryCache<Result>({ max: maxCached, lifetimeMs, clock });
    return (
      key: readonly (string | number | boolean)[],
      work: () => Promise<Result>,
    ): Promise<Result> => cache.get(JSON.stringify(key), () => aniListQuota(work));
  }

  const pages = remember<EntryPage>(hourMs);
  const soonPages = remember<EntryPage>(10 * minuteMs);
  const lists = remember<readonly Entry[]>(hourMs);
  const single = remember<Entry | undefined>(hourMs);
  const soonSingle = remember<Entry | undefined>(10 * minuteMs);
  const schedules = remember<readonly Airing[]>(10 * minuteMs);

  return {
    /** The best matches first; pages begin with 1. `isFresh` are times of episodes, which change. */
    async search(
      kind: EntryKind,
      typed: string,
      { page = 1, withAdult = false, isFresh = false }: SearchOptions = {},
    ): Promise<EntryPage> {
      const query = typed.trim().replaceAll(/\s+/g, ' ').slice(0, maxQueryLength).toWellFormed();
      if (query === '') {
        return { entries: [], hasMore: false };
      }
      return (isFresh ? soonPages : pages)([kind, query.toLowerCase(), page, withAdult], () =>
        require().search(kind, { query, page, perPage, withAdult }),
      );
    },

    find(
      kind: EntryKind,
      id: number,
      { withAdult = false, isFresh = false }: Omit<SearchOptions, 'page'> = {},
    ): Promise<Entry | undefined> {
      return (isFresh ? soonSingle : single)([kind, id, withAdult], () =>
        require().find(kind, id, withAdult),
      );
    },

    season(season: Season, year: number, withAdult = false): Promise<readonly Entry[]> {
      return lists(['season', season, year, withAdult], () =>
        require().season(season, year, withAdult),
      );
    },

    top(withAdult = false): Promise<readonly Entry[]> {
      return lists(['top', withAdult], () => require().top(withAdult));
    },

    /** The episodes of the next 24 hours. */
    schedule(withAdult = false): Promise<readonly Airing[]> {
      const now = clock();
      return schedules([withAdult], () => require().airings(now, now + dayMs, withAdult));
    },

    recommendations(id: number, withAdult = false): Promise<readonly Entry[]> {
      return lists(['recommendations', id, withAdult], () =>
        require().recommendations(id, withAdult),
      );
    },

    /** One of the five hundred best liked characters who is a woman. */
    async waifu(): Promise<Entry | undefined> {
      const page = 1 + (Number(random.digits(4)) % favouritePages);
      const found = await lists(['favourites', page], () => require().favourites(page));
      const women = found.filter(({ gender }) => gender === 'Female');
      return women[Number(random.digits(6)) % Math.max(1, women.length)];
    },
  };
}

type SearchOptions = {
  readonly page?: number;
  readonly withAdult?: boolean;
  readonly isFresh?: boolean;
};

export { type Entry, type EntryKind };

const seasonNames: ReadonlyMap<string, Season> = new Map([
  ...seasons.map((season) => [season.toLowerCase(), season] as const),
  ['autumn', 'FALL'],
]);
const firstYear = 1940;
/** Seasons are announced so long before. */
const yearsAhead = 2;

/** Reads `winter 2026`, `winter`, `2026` or nothing: what is not said is that of now. Undefined for other words. */
export function readSeason(
  typed: string,
  now: number,
): { readonly season: Season; readonly year: number } | undefined {
  const date = new Date(now);
  const thisYear = date.getUTCFullYear();
  const current = seasons[Math.floor(date.getUTCMonth() / 3)] ?? 'WINTER';
  const [, name, digits] =
    /^(?:([a-z]+)(?:\s+|$))?(\d{4})?$/.exec(typed.trim().toLowerCase()) ?? [];
  const season = name === undefined ? current : seasonNames.get(name);
  const year = digits === undefined ? thisYear : Number(digits);
  const isKnown = typed.trim() === '' || name !== undefined || digits !== undefined;
  return isKnown && season !== undefined && year >= firstYear && year <= thisYear + yearsAhead
    ? { season, year }
    : undefined;
}

/** The one that is meant for sure: the only one, or the only one with exactly this name. */
export function findMeant(entries: readonly Entry[], typed: string): Entry | undefined {
  const wanted = toComparable(typed);
  const exact = entries.filter(({ names }) => names.some((name) => toComparable(name) === wanted));
  return exact.length === 1 ? exact[0] : entries.length === 1 ? entries[0] : undefined;
}

const toComparable = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{P}\p{S}\s]+/gu, '');
