/**
 * Puts the services of linked accounts together, and reads the track that a user listens to. The rest of the server
 * imports this module only from here.
 */
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { createBoundedMap } from '#server/lib/memory-cache';
import { type Limiter } from '#server/services/limiter';
import {
  connectAniList,
  connectAniListLists,
  type Watched,
} from '#server/upstream/connections/anilist';
import { createRateLimitGuard, toUnavailable } from '#server/upstream/connections/oauth';
import { connectSpotify, type Playing, type Spotify } from '#server/upstream/connections/spotify';
import { type Sessions } from '#services/accounts';
import { type AniListQuota } from '#services/lookups';

import { type ConfirmationTools } from './confirmations.ts';
import { createConnectionService } from './connections.ts';
import { createServiceTokens, type ServiceTokens } from './service-tokens.ts';
import { connectionTexts } from './texts.ts';

type Tools = ConfirmationTools & {
  readonly limiter: Limiter;
  readonly sessions: Sessions;
  readonly aniListQuota: AniListQuota;
};

export function createConnections(deps: Dependencies, tools: Tools) {
  const timeoutMs = deps.serviceTimeoutMs;
  const spotify = deps.env.spotify && connectSpotify({ ...deps.env.spotify, timeoutMs });
  const anilist = deps.env.anilist && connectAniList({ ...deps.env.anilist, timeoutMs });
  const services = { spotify, anilist };
  const tokens = createServiceTokens(deps, services);
  const connections = createConnectionService(deps, { ...tools, services, tokens });
  tools.sessions.onEnd((telegramId) => {
    connections.dropAttempts(telegramId).catch((error: unknown) => {
      deps.log.error({ err: error }, 'Could not end the links that a user has begun');
    });
  });
  return {
    connections,
    nowPlaying: createNowPlaying(deps, { tokens, spotify }),
    watchlist: createWatchlist(deps, { tokens, aniListQuota: tools.aniListQuota }),
  };
}

const freshMs = 5000;
const maxEntries = 10_000;
const label = 'Spotify';

type CacheEntry = {
  readonly at: number;
  /** Another token means another linked account. */
  readonly token: string;
  readonly playing: Promise<Playing | undefined>;
};

type NowPlayingService = {
  /**
   * Undefined when nothing plays. `telegramId` is the requested user. Throws `foreign_person` unless
   * it is the requester.
   */
  readonly read: (requesterId: number, telegramId?: string) => Promise<Playing | undefined>;
  /** The account is deleted. */
  readonly forget: (telegramId: number) => void;
};

function createNowPlaying(
  { clock }: Pick<Dependencies, 'clock'>,
  { tokens, spotify }: { tokens: ServiceTokens; spotify: Spotify | undefined },
): NowPlayingService {
  const cache = new Map<number, CacheEntry>();
  const unlessBusy = createRateLimitGuard(label, clock);

  async function fetchPlaying(telegramId: number, token: string): Promise<Playing | undefined> {
    const answer = await fetchOnce(token);
    if (answer !== 'token refused') {
      return answer;
    }
    const connection = { telegramId, service: 'spotify' } as const;
    const second = await fetchOnce(await tokens.read(connection, token));
    if (second === 'token refused') {
      throw toUnavailable(label);
    }
    return second;
  }

  async function fetchOnce(token: string): Promise<Playing | 'token refused' | undefined> {
    const answer = await unlessBusy(async () => spotify?.nowPlaying(token));
    return answer === 'nothing' ? undefined : answer;
  }

  function store(telegramId: number, entry: CacheEntry): void {
    // A map keeps the order of insertion, so the first entry is the oldest.
    cache.delete(telegramId);
    cache.set(telegramId, entry);
    const [oldest] = cache.keys();
    if (cache.size > maxEntries && oldest !== undefined) {
      cache.delete(oldest);
    }
    const drop = () => {
      if (cache.get(telegramId) === entry) {
        cache.delete(telegramId);
      }
    };
    // Nothing is known of users who do not look at it.
    setTimeout(drop, freshMs).unref();
    entry.playing.catch(drop);
  }

  return {
    forget: (telegramId) => void cache.delete(telegramId),

    read: async (requesterId, telegramId = String(requesterId)) => {
      if (String(requesterId) !== telegramId) {
        throw new AppError('foreign_person', {
          detail: (say) => say(connectionTexts).foreignPlaying,
        });
      }
      // Before the cache is read: an unlinked account must return nothing.
      const token = await tokens.read({ telegramId: requesterId, service: 'spotify' });
      const known = cache.get(requesterId);
      if (known?.token === token && clock() - known.at < freshMs) {
        return known.playing;
      }
      const playing = fetchPlaying(requesterId, token);
      store(requesterId, { at: clock(), token, playing });
      return playing;
    },
  };
}

const current = 'CURRENT';
/** Who watches it again goes on doing so. */
const again = 'REPEATING';

/**
 * What a user watches, by their linked account. Each call throws `not_linked`, `connection_lost` when the user has ended
 * the link at AniList, `service_busy`, `service_unavailable` and `service_answer_broken`.
 */
function createWatchlist(
  { env, serviceTimeoutMs: timeoutMs }: Pick<Dependencies, 'env' | 'serviceTimeoutMs'>,
  { tokens, aniListQuota }: { tokens: ServiceTokens; aniListQuota: AniListQuota },
) {
  const apiRoot = env.anilist?.apiRoot ?? '';
  const lists = connectAniListLists({ apiRoot, timeoutMs });
  /** AniList's own IDs of users, by Telegram ID. Another token may be one of another account. */
  const users = createBoundedMap<number, { readonly token: string; readonly id: number }>(
    maxEntries,
  );

  async function withToken<Result>(
    telegramId: number,
    work: (token: string) => Promise<Result | 'token refused'>,
  ): Promise<Result> {
    const connection = { telegramId, service: 'anilist' } as const;
    const token = await tokens.read(connection);
    const answer = await aniListQuota(() => work(token));
    if (answer !== 'token refused') {
      return answer;
    }
    const fresh = await tokens.read(connection, token);
    const second = await aniListQuota(() => work(fresh));
    if (second === 'token refused') {
      throw toUnavailable('AniList');
    }
    return second;
  }

  async function readUserId(telegramId: number): Promise<number> {
    const token = await tokens.read({ telegramId, service: 'anilist' });
    const known = users.get(telegramId);
    if (known?.token === token) {
      return known.id;
    }
    return withToken(telegramId, async (used) => {
      const id = await lists.viewerId(used);
      if (id !== 'token refused') {
        users.set(telegramId, { token: used, id });
      }
      return id;
    });
  }

  return {
    /** What they are watching, what changed last first. */
    async list(telegramId: number): Promise<readonly Watched[]> {
      const userId = await readUserId(telegramId);
      return withToken(telegramId, (token) => lists.watching(token, userId));
    },

    /** Undefined when there is no such anime. */
    find: (telegramId: number, mediaId: number): Promise<Watched | undefined> =>
      withToken(telegramId, (token) => lists.progress(token, mediaId)),

    /** Notes how many episodes they have watched; with all of them it is completed. */
    async save(telegramId: number, { anime, status }: Watched, progress: number): Promise<void> {
      const isAll = anime.episodes !== undefined && progress >= anime.episodes;
      const becomes = isAll ? 'COMPLETED' : status === again ? again : current;
      const change = { mediaId: anime.id, progress, status: becomes };
      await withToken(telegramId, (token) => lists.save(token, change));
    },

    /** The account is deleted. */
    forget: (telegramId: number): void => users.delete(telegramId),
  };
}

export { type Watched };

export * as connectionTextModule from './texts.ts';
export { countOtherwiseSealed, createServiceTokens, sealTokensAnew } from './service-tokens.ts';
