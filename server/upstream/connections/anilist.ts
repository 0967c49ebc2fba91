/**
 * AniList accounts: linking them, and what their users watch. AniList has no PKCE and no scopes, and its tokens are valid
 * for a year.
 */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import {
  absent,
  type Entry,
  entryReply,
  mediaFields,
  readData,
  sendToAniList,
  toEntry,
  words,
} from '#server/upstream/public-api/anilist';
import { parse } from '#server/upstream/reference';

import {
  fetchService,
  type OAuthService,
  type ServiceReply,
  toRefusal,
  toUnavailable,
} from './oauth.ts';

export type AniListSettings = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default https://anilist.co. */
  readonly root: string;
  /** Default https://graphql.anilist.co. */
  readonly apiRoot: string;
  /** Milliseconds for one request. Default 10 seconds. */
  readonly timeoutMs?: number | undefined;
};

const label = 'AniList';
/** The user waits for the link to be finished, and the name is optional. */
const nameTimeoutMs = 4000;

const tokenReply = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.optional(v.pipe(v.number(), v.minValue(1))),
});

const viewerReply = v.object({
  data: v.object({
    Viewer: v.object({ name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) }),
  }),
});

export function connectAniList({
  clientId,
  clientSecret,
  root,
  apiRoot,
  timeoutMs,
}: AniListSettings): OAuthService {
  return {
    id: 'anilist',

    authorizeUrl: ({ state, redirectUri }) =>
      `${root}/api/v2/oauth/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
      }).toString()}`,

    exchange: async ({ code, redirectUri }) => {
      const reply = await fetchService(label, {
        url: `${root}/api/v2/oauth/token`,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({
          grant_type: 'authorization_code',
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: redirectUri,
          code,
        }),
        timeoutMs,
      });
      if (reply.status !== 200) {
        throw toRefusal(label, reply);
      }
      const parsed = v.safeParse(tokenReply, reply.body);
      if (!parsed.success) {
        throw toUnavailable(label);
      }
      return {
        accessToken: parsed.output.access_token,
        refreshToken: undefined,
        lifetimeS: parsed.output.expires_in,
      };
    },

    accountName: async (accessToken) => {
      try {
        const { body } = await fetchService(label, {
          url: apiRoot,
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json',
            Authorization: `Bearer ${accessToken}`,
          },
          body: JSON.stringify({ query: 'query { Viewer { name } }' }),
          timeoutMs: Math.min(timeoutMs ?? nameTimeoutMs, nameTimeoutMs),
        });
        const parsed = v.safeParse(viewerReply, body);
        return parsed.success ? parsed.output.data.Viewer.name : undefined;
      } catch {
        // The name is optional.
        return undefined;
      }
    },
  };
}

/** An anime, and how much of it a user has watched. */
export type Watched = {
  readonly anime: Entry;
  readonly progress: number;
  /** AniList's own word; undefined for what is in no list of the user. */
  readonly status?: string | undefined;
};

type ProgressChange = {
  readonly mediaId: number;
  readonly progress: number;
  readonly status: string;
};

const count = v.nullish(v.number(), 0);

const viewerIdReply = v.object({ Viewer: v.object({ id: v.pipe(v.number(), v.safeInteger()) }) });

const listEntry = v.object({ progress: count, status: words, media: entryReply });

const listReply = v.object({
  MediaListCollection: v.object({
    lists: v.array(v.nullable(v.object({ entries: v.array(v.nullable(listEntry)) }))),
  }),
});

const progressReply = v.object({
  Media: v.object({
    ...entryReply.entries,
    mediaListEntry: absent(v.object({ progress: count, status: words })),
  }),
});

const savedReply = v.object({ SaveMediaListEntry: v.object({ progress: v.number() }) });

const errorReply = v.object({ errors: v.array(v.object({ message: v.string() })) });

function isTokenRefused({ status, body }: ServiceReply): boolean {
  const isNamed =
    v.is(errorReply, body) && body.errors.some(({ message }) => /invalid token/i.test(message));
  return status === 401 || (status === 400 && isNamed);
}

const watchingQuery = `query ($userId: Int) {
  MediaListCollection(userId: $userId, type: ANIME, status: CURRENT, sort: [UPDATED_TIME_DESC], chunk: 1, perChunk: 100) {
    lists { entries { progress status media { ${mediaFields} } } }
  }
}`;

const progressQuery = `query ($id: Int) {
  Media(id: $id, type: ANIME) { ${mediaFields} mediaListEntry { progress status } }
}`;

const saveQuery = `mutation ($mediaId: Int, $progress: Int, $status: MediaListStatus) {
  SaveMediaListEntry(mediaId: $mediaId, progress: $progress, status: $status) { id progress }
}`;

/**
 * The lists of users, by their tokens. Each call resolves to `token refused` for one that is no longer good, and throws
 * `service_unavailable`, `service_busy` or `service_answer_broken`.
 */
export function connectAniListLists(settings: Pick<AniListSettings, 'apiRoot' | 'timeoutMs'>) {
  async function sendQuery(
    token: string,
    query: string,
    variables: Readonly<Record<string, string | number>> = {},
  ): Promise<unknown> {
    const reply = await sendToAniList({ ...settings, query, variables, token });
    return isTokenRefused(reply) ? tokenRefused : readData(reply);
  }

  return {
    async viewerId(token: string): Promise<number | TokenRefused> {
      const data = await sendQuery(token, 'query { Viewer { id } }');
      return data === tokenRefused ? tokenRefused : parse(viewerIdReply, data).Viewer.id;
    },

    /** What the user is watching, what changed last first. */
    async watching(token: string, userId: number): Promise<readonly Watched[] | TokenRefused> {
      const data = await sendQuery(token, watchingQuery, { userId });
      if (data === tokenRefused) {
        return tokenRefused;
      }
      const { lists } = parse(listReply, data ?? noLists).MediaListCollection;
      const entries = lists.flatMap((one) => one?.entries ?? []).filter((one) => one !== null);
      // An entry may be in lists that the user has made, too.
      const byId = new Map(entries.map((entry) => [entry.media.id, entry]));
      return [...byId.values()].map(({ media, progress, status }) => ({
        anime: toEntry(media),
        progress,
        status,
      }));
    },

    /** Undefined when there is no such anime. */
    async progress(token: string, id: number): Promise<Watched | TokenRefused | undefined> {
      const data = await sendQuery(token, progressQuery, { id });
      if (data === tokenRefused || data === undefined) {
        return data;
      }
      const { mediaListEntry: entry, ...media } = parse(progressReply, data).Media;
      return {
        anime: toEntry(media),
        progress: entry?.progress ?? 0,
        status: entry?.status,
      };
    },

    async save(token: string, change: ProgressChange): Promise<'saved' | TokenRefused> {
      const data = await sendQuery(token, saveQuery, change);
      if (data === tokenRefused) {
        return tokenRefused;
      }
      if (parse(savedReply, data).SaveMediaListEntry.progress !== change.progress) {
        throw new AppError('service_answer_broken');
      }
      return 'saved';
    },
  };
}

const noLists = { MediaListCollection: { lists: [] } };

/** Answered for a token that is no longer good. */
const tokenRefused = 'token refused';
type TokenRefused = typeof tokenRefused;
