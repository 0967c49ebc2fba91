/** Another server with the same public API. Requests follow the table of endpoints, and answers are validated. */
import * as v from 'valibot';

import { readErrorBody } from '#contract/endpoints/errors';
import { type Anime, type Character } from '#contract/playground/answers';
import {
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';
import { AppError } from '#server/lib/errors';
import {
  toBusy,
  readRetryAfter,
  fetchService,
  type ServiceReply,
} from '#server/upstream/connections/oauth';
import { fetchReply, readJson, NoReply, type FetchReply } from '#server/upstream/fetch-json';
import { parse, words } from '#server/upstream/reference';

import { toPlainText } from './anilist.ts';

/** Below the thirty seconds of the playground. */
const defaultTimeoutMs = 25_000;
/** Characters of the server's own refusals that users see. */
const maxDetailLength = 300;

export type PublicUpstream = {
  /**
   * Returns a valid answer of the endpoint. Redirects are not followed, because they could lead into a private
   * network. Throws `service_unavailable`, `service_slow`, `service_busy`, `service_answer_broken`, `nothing_found`,
   * or `invalid_input` with the server's own sentence.
   */
  readonly answer: (endpoint: PublicEndpoint, values: Values) => Promise<Record<string, unknown>>;
};

export function connectPublicUpstream(root: string, timeoutMs = defaultTimeoutMs): PublicUpstream {
  return {
    answer: async (endpoint, values) => {
      const reply = await fetchOrRefuse(`${root}${requestPath(endpoint, values)}`, timeoutMs);
      throwRefusal(reply);
      const parsed = v.safeParse(endpoint.answer, resolveLinks(readJson(reply), root));
      if (!parsed.success) {
        throw new AppError('service_answer_broken');
      }
      return { source: 'upstream', ...parsed.output };
    },
  };
}

async function fetchOrRefuse(url: string, timeoutMs: number): Promise<FetchReply> {
  try {
    return await fetchReply({
      service: 'public-api',
      url,
      headers: { Accept: 'application/json' },
      timeoutMs,
    });
  } catch (error) {
    if (!(error instanceof NoReply)) {
      throw error;
    }
    throw new AppError(refusals[error.reason]);
  }
}

const refusals = {
  unreachable: 'service_unavailable',
  aborted: 'service_unavailable',
  timeout: 'service_slow',
  'too-large': 'service_answer_broken',
} as const satisfies Record<NoReply['reason'], string>;

function throwRefusal(reply: FetchReply): void {
  const { status, headers } = reply;
  if (status >= 500) {
    throw new AppError('service_unavailable');
  }
  if (status === 429) {
    throw toBusy('The service', readRetryAfter(headers));
  }
  if (status === 404) {
    throw new AppError('nothing_found');
  }
  if (status === 400 || status === 422) {
    const detail = readErrorBody(readJson(reply)).detail?.slice(0, maxDetailLength);
    throw new AppError('invalid_input', detail === undefined ? {} : { detail });
  }
  if (status !== 200) {
    throw new AppError('service_answer_broken');
  }
}

/** Makes links that begin with `/` absolute. */
function resolveLinks(value: unknown, root: string): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => resolveLinks(one, root));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      isLinkName(name) && typeof inner === 'string' && /^\/(?!\/)/.test(inner)
        ? new URL(inner, root).href
        : resolveLinks(inner, root),
    ]),
  );
}

function isLinkName(name: string): boolean {
  return name === 'result' || name === 'cover' || name === 'image' || name.endsWith('_url');
}

export type AniListLookup = {
  /** Returns the most popular characters when `name` is empty. */
  readonly characters: (name: string) => Promise<readonly Character[]>;
  /** Without anime for adults. */
  readonly anime: (title: string) => Promise<readonly Anime[]>;
};

type Settings = { readonly apiRoot: string; readonly timeoutMs?: number | undefined };

const label = 'AniList';
const perPage = 10;

const characterQuery = `query ($name: String, $perPage: Int) {
  Page(perPage: $perPage) {
    characters(search: $name, sort: [SEARCH_MATCH, FAVOURITES_DESC]) {
      name { full native } description(asHtml: false) image { large } siteUrl
    }
  }
}`;

const favouriteQuery = `query ($perPage: Int) {
  Page(perPage: $perPage) {
    characters(sort: [FAVOURITES_DESC]) {
      name { full native } description(asHtml: false) image { large } siteUrl
    }
  }
}`;

const animeQuery = `query ($title: String, $perPage: Int) {
  Page(perPage: $perPage) {
    media(search: $title, type: ANIME, isAdult: false, sort: [SEARCH_MATCH]) {
      title { romaji english native } description(asHtml: false) format status episodes
      seasonYear averageScore genres coverImage { large } siteUrl
    }
  }
}`;

/** Unknown values are null in AniList's answers, and absent in ours. */
const amount = v.pipe(
  v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  v.transform((number) => number ?? undefined),
);

const characterPage = v.object({
  characters: v.array(
    v.object({
      name: v.object({ full: words, native: words }),
      description: words,
      image: v.nullish(v.object({ large: words })),
      siteUrl: words,
    }),
  ),
});

const animePage = v.object({
  media: v.array(
    v.object({
      title: v.object({ romaji: words, english: words, native: words }),
      description: words,
      format: words,
      status: words,
      episodes: amount,
      seasonYear: amount,
      averageScore: amount,
      genres: v.nullish(v.array(v.string())),
      coverImage: v.nullish(v.object({ large: words })),
      siteUrl: words,
    }),
  ),
});

export function connectAniListLookup({ apiRoot, timeoutMs }: Settings): AniListLookup {
  async function fetchPage(query: string, variables: Record<string, unknown>): Promise<unknown> {
    const reply = await fetchService(label, {
      url: apiRoot,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ query, variables: { perPage, ...variables } }),
      timeoutMs,
    });
    return readPage(reply);
  }

  return {
    characters: async (name) => {
      const page = await (name === ''
        ? fetchPage(favouriteQuery, {})
        : fetchPage(characterQuery, { name }));
      return parse(characterPage, page).characters.flatMap((found) => {
        const fullName = found.name.full ?? found.name.native ?? '';
        return fullName === ''
          ? []
          : [
              {
                name: fullName,
                native_name: found.name.native,
                description: toPlainText(found.description),
                image: webLink(found.image?.large),
                site_url: webLink(found.siteUrl),
              },
            ];
      });
    },

    anime: async (title) =>
      parse(animePage, await fetchPage(animeQuery, { title })).media.flatMap((found) => {
        const shown = found.title.english ?? found.title.romaji ?? found.title.native ?? '';
        return shown === ''
          ? []
          : [
              {
                title: shown,
                native_title: found.title.native,
                description: toPlainText(found.description),
                format: found.format,
                status: found.status,
                episodes: found.episodes,
                year: found.seasonYear,
                score: found.averageScore,
                genres: found.genres ?? undefined,
                cover: webLink(found.coverImage?.large),
                site_url: webLink(found.siteUrl),
              },
            ];
      }),
  };
}

/** Undefined for a GraphQL error with status 200. */
function readPage({ status, body }: ServiceReply): unknown {
  if (status === 404) {
    return { characters: [], media: [] };
  }
  // AniList answers 403 while its API is disabled.
  if (status !== 200) {
    throw new AppError(status === 403 ? 'service_unavailable' : 'service_answer_broken');
  }
  return v.is(v.object({ data: v.object({ Page: v.unknown() }) }), body)
    ? body.data.Page
    : undefined;
}

function webLink(text: string | undefined): string | undefined {
  return text && /^https?:\/\//.test(text) ? text : undefined;
}
