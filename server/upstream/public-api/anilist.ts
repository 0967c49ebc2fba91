/** What AniList knows of anime, manga and the people behind them: one call each. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { fetchService, type ServiceReply } from '#server/upstream/connections/oauth';
import { parse, readEntities } from '#server/upstream/reference';

export const seasons = ['WINTER', 'SPRING', 'SUMMER', 'FALL'] as const;
export type Season = (typeof seasons)[number];

const formats = [
  'TV',
  'TV_SHORT',
  'MOVIE',
  'SPECIAL',
  'OVA',
  'ONA',
  'MUSIC',
  'MANGA',
  'NOVEL',
  'ONE_SHOT',
] as const;

const statuses = ['FINISHED', 'RELEASING', 'NOT_YET_RELEASED', 'CANCELLED', 'HIATUS'] as const;

/** An anime or manga, a person or a studio. What AniList does not say is undefined or empty. */
export type Entry = {
  readonly id: number;
  readonly title: string;
  readonly nativeTitle?: string | undefined;
  /** All that it is called, for comparing. */
  readonly names: readonly string[];
  readonly isAdult: boolean;
  /** Plain text without spoilers. */
  readonly description?: string | undefined;
  readonly picture?: string | undefined;
  /** Its page at AniList. */
  readonly url?: string | undefined;
  readonly format?: (typeof formats)[number] | undefined;
  readonly status?: (typeof statuses)[number] | undefined;
  readonly episodes?: number | undefined;
  readonly chapters?: number | undefined;
  readonly volumes?: number | undefined;
  readonly season?: Season | undefined;
  readonly year?: number | undefined;
  /** From 0 to 100. */
  readonly score?: number | undefined;
  readonly genres: readonly string[];
  readonly next?: { readonly episode: number; readonly at: number } | undefined;
  readonly occupations: readonly string[];
  /** The best known titles of a person or studio. */
  readonly works: readonly string[];
  readonly favourites?: number | undefined;
  readonly gender?: string | undefined;
};

export type EntryPage = { readonly entries: readonly Entry[]; readonly hasMore: boolean };

export type Airing = { readonly at: number; readonly episode: number; readonly anime: Entry };

type PeopleKind = 'character' | 'staff' | 'studio';
type MediaKind = 'anime' | 'manga';
export type EntryKind = MediaKind | PeopleKind;

type Search = {
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
  /** What is for adults is left out otherwise. */
  readonly withAdult: boolean;
};

type Settings = { readonly apiRoot: string; readonly timeoutMs?: number | undefined };

type Variables = Readonly<Record<string, string | number>>;

type Question = Settings & {
  readonly query: string;
  readonly variables: Variables;
  /** Of a user. */
  readonly token?: string;
};

const label = 'AniList';
/** Of a person or studio. */
const worksShown = 5;
/** Some works are for adults and not shown. */
const worksRead = 10;

const titleFields = 'title { romaji english native } isAdult';
export const mediaFields = `id ${titleFields} synonyms description(asHtml: false) format status episodes
  chapters volumes season seasonYear averageScore genres coverImage { extraLarge } siteUrl
  nextAiringEpisode { episode airingAt }`;
const works = `(perPage: ${worksRead}, sort: [POPULARITY_DESC]) { nodes { ${titleFields} } }`;
const personFields = 'id description(asHtml: false) image { large } siteUrl favourites';
const queriedFields: Readonly<Record<EntryKind, string>> = {
  anime: mediaFields,
  manga: mediaFields,
  character: `${personFields} name { full native alternative } gender media${works}`,
  staff: `${personFields} name { full native alternative } primaryOccupations staffMedia${works} characterMedia${works}`,
  studio: `id studioName: name siteUrl favourites media(isMain: true, perPage: ${worksRead}, sort: [POPULARITY_DESC]) { nodes { ${titleFields} } }`,
};

/** The field of a page that lists them, and of one alone. */
const fieldNames = {
  anime: ['media', 'Media'],
  manga: ['media', 'Media'],
  character: ['characters', 'Character'],
  staff: ['staff', 'Staff'],
  studio: ['studios', 'Studio'],
} as const satisfies Readonly<Record<EntryKind, readonly [string, string]>>;

const isMedia = (kind: EntryKind): kind is MediaKind => kind === 'anime' || kind === 'manga';

/** AniList has no way to ask for both, so that the filter is left out. */
const adultFilter = (withAdult: boolean) => (withAdult ? '' : ', isAdult: false');

const mediaFilter = (kind: MediaKind, withAdult: boolean) =>
  `type: ${kind.toUpperCase()}${adultFilter(withAdult)}`;

/** Unknown values are null in AniList's answers. */
export const absent = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.fallback(v.nullish(schema), undefined),
    v.transform((value) => value ?? undefined),
  );
export const words = absent(v.string());
const amount = absent(v.pipe(v.number(), v.integer(), v.minValue(0)));
const list = v.pipe(
  v.nullish(v.array(v.nullable(v.string())), []),
  v.transform((all) => all.filter((one) => one !== null)),
);
const link = absent(v.pipe(v.string(), v.regex(/^https:\/\/[^/]/)));
const titles = v.object({ romaji: words, english: words, native: words });
const flag = v.nullish(v.boolean(), false);
const workList = absent(
  v.object({ nodes: v.array(v.nullable(v.object({ title: titles, isAdult: flag }))) }),
);

export const entryReply = v.object({
  id: v.pipe(v.number(), v.safeInteger()),
  title: absent(titles),
  name: absent(v.object({ full: words, native: words, alternative: list })),
  studioName: words,
  synonyms: list,
  isAdult: flag,
  description: words,
  format: absent(v.picklist(formats)),
  status: absent(v.picklist(statuses)),
  episodes: amount,
  chapters: amount,
  volumes: amount,
  season: absent(v.picklist(seasons)),
  seasonYear: amount,
  averageScore: amount,
  genres: list,
  coverImage: absent(v.object({ extraLarge: link })),
  image: absent(v.object({ large: link })),
  siteUrl: link,
  nextAiringEpisode: absent(v.object({ episode: v.number(), airingAt: v.number() })),
  primaryOccupations: list,
  favourites: amount,
  gender: words,
  media: workList,
  staffMedia: workList,
  characterMedia: workList,
});

type EntryReply = v.InferOutput<typeof entryReply>;
type Titles = v.InferOutput<typeof titles>;

const toTitle = ({ english, romaji, native }: Titles): string => english ?? romaji ?? native ?? '';

const isWord = (text: string | undefined): text is string => text !== undefined && text !== '';

/** What it is called: the best known name first. */
function toNames({ title, name, synonyms, studioName }: EntryReply) {
  const names =
    title === undefined
      ? [name?.full, studioName, name?.native, ...(name?.alternative ?? [])]
      : [title.english, title.romaji, title.native, ...synonyms];
  const [main = '', ...others] = names.filter(isWord);
  const native = title === undefined ? name?.native : title.native;
  return {
    title: main,
    nativeTitle: native === main ? undefined : native,
    names: [main, ...others],
  };
}

/** The best known works of a person or studio. Who is known for those for adults alone is for adults, too. */
function toWorks({ media, staffMedia, characterMedia }: EntryReply) {
  const all = [media, staffMedia, characterMedia].flatMap((one) =>
    (one?.nodes ?? []).filter((node) => node !== null),
  );
  const titlesShown = all.filter((node) => !node.isAdult).map((node) => toTitle(node.title));
  return {
    works: [...new Set(titlesShown.filter(isWord))].slice(0, worksShown),
    areForAdults: all.length > 0 && titlesShown.length === 0,
  };
}

export function toEntry(reply: EntryReply): Entry {
  const { nextAiringEpisode: next } = reply;
  const { works: shown, areForAdults } = toWorks(reply);
  return {
    ...toNames(reply),
    id: reply.id,
    isAdult: reply.isAdult || areForAdults,
    description: toPlainText(reply.description),
    picture: reply.coverImage?.extraLarge ?? reply.image?.large,
    url: reply.siteUrl,
    format: reply.format,
    status: reply.status,
    episodes: reply.episodes,
    chapters: reply.chapters,
    volumes: reply.volumes,
    season: reply.season,
    year: reply.seasonYear,
    score: reply.averageScore,
    genres: reply.genres,
    next: next && { episode: next.episode, at: next.airingAt * 1000 },
    occupations: reply.primaryOccupations,
    works: shown,
    favourites: reply.favourites,
    gender: reply.gender,
  };
}

/** Without markup, without spoilers and without links, whose addresses no one has checked. */
export function toPlainText(text: string | undefined): string | undefined {
  const marked = text
    ?.replaceAll(/~!.*?!~/gs, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(__|\*\*)(.+?)\1/gs, '$2');
  const plain = readEntities(marked ?? '')
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return plain === '' ? undefined : plain;
}

const pageInfo = absent(v.object({ hasNextPage: flag }));
const nullableEntries = v.pipe(
  v.array(v.nullable(entryReply)),
  v.transform((all) => all.filter((one) => one !== null).map(toEntry)),
);

export function sendToAniList({
  apiRoot,
  timeoutMs,
  query,
  variables,
  token,
}: Question): Promise<ServiceReply> {
  return fetchService(label, {
    url: apiRoot,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
    timeoutMs,
  });
}

/** Reads a page of entries from one of its fields. */
async function readEntries(
  field: 'media' | 'characters' | 'staff' | 'studios',
  page: Promise<unknown>,
): Promise<EntryPage> {
  const found = await page;
  if (found === undefined) {
    return { entries: [], hasMore: false };
  }
  const { pageInfo: info, ...fields } = parse(v.looseObject({ pageInfo }), found);
  const entries = parse(nullableEntries, fields[field]).filter(({ title }) => title !== '');
  return { entries, hasMore: info?.hasNextPage ?? false };
}

const withoutAdult = ({ entries, hasMore }: EntryPage, withAdult: boolean): EntryPage => ({
  entries: entries.filter(({ isAdult }) => withAdult || !isAdult),
  hasMore,
});

/** `declared` are further variables as the query declares them. */
type Paged = Variables & { readonly page: number; readonly perPage: number };

/** Each call throws `service_unavailable`, `service_busy` with the time to wait, or `service_answer_broken`. */
export function connectAniListCatalogue({ apiRoot, timeoutMs }: Settings) {
  /** Undefined for what AniList does not have. */
  async function sendQuery(query: string, variables: Variables): Promise<unknown> {
    return readData(await sendToAniList({ apiRoot, timeoutMs, query, variables }));
  }

  async function askPage(inner: string, { declared = '', ...variables }: Paged): Promise<unknown> {
    const data = await sendQuery(
      `query ($page: Int, $perPage: Int${declared}) {
        Page(page: $page, perPage: $perPage) { pageInfo { hasNextPage } ${inner} }
      }`,
      variables,
    );
    return data === undefined ? undefined : parse(v.object({ Page: v.unknown() }), data).Page;
  }

  async function search(kind: EntryKind, { query, page, perPage, withAdult }: Search) {
    const [field] = fieldNames[kind];
    const filter = isMedia(kind) ? `, ${mediaFilter(kind, withAdult)}` : '';
    const inner = `${field}(search: $query${filter}, sort: [SEARCH_MATCH]) { ${queriedFields[kind]} }`;
    const found = askPage(inner, { declared: ', $query: String', query, page, perPage });
    return withoutAdult(await readEntries(field, found), withAdult);
  }

  return {
    search,

    /** Undefined when there is none, and for one for adults, unless they are wanted. */
    async find(kind: EntryKind, id: number, withAdult: boolean): Promise<Entry | undefined> {
      const [, field] = fieldNames[kind];
      const filter = isMedia(kind) ? `, type: ${kind.toUpperCase()}` : '';
      const data = await sendQuery(
        `query ($id: Int) { ${field}(id: $id${filter}) { ${queriedFields[kind]} } }`,
        {
          id,
        },
      );
      const reply = data && parse(v.looseObject({ [field]: v.nullish(entryReply) }), data)[field];
      const entry = v.is(entryReply, reply) ? toEntry(v.parse(entryReply, reply)) : undefined;
      return entry?.isAdult === true && !withAdult ? undefined : entry;
    },

    async season(season: Season, year: number, withAdult: boolean): Promise<readonly Entry[]> {
      const inner = `media(season: $season, seasonYear: $year, ${mediaFilter('anime', withAdult)}, sort: [POPULARITY_DESC]) { ${mediaFields} }`;
      const declared = ', $season: MediaSeason, $year: Int';
      const variables = { declared, season, year, page: 1, perPage: 10 };
      const found = await readEntries('media', askPage(inner, variables));
      return withoutAdult(found, withAdult).entries;
    },

    async top(withAdult: boolean): Promise<readonly Entry[]> {
      const inner = `media(${mediaFilter('anime', withAdult)}, sort: [SCORE_DESC]) { ${mediaFields} }`;
      const found = await readEntries('media', askPage(inner, { page: 1, perPage: 10 }));
      return withoutAdult(found, withAdult).entries;
    },

    /** What is aired between two times, in this order. */
    async airings(from: number, to: number, withAdult: boolean): Promise<readonly Airing[]> {
      const inner = `airingSchedules(airingAt_greater: $from, airingAt_lesser: $to, sort: [TIME]) { episode airingAt media { ${mediaFields} } }`;
      const variables = { from: Math.floor(from / 1000), to: Math.floor(to / 1000) };
      const declared = ', $from: Int, $to: Int';
      const found = await askPage(inner, { declared, ...variables, page: 1, perPage: 50 });
      return parse(airingPage, found ?? { airingSchedules: [] })
        .airingSchedules.filter((one) => one !== null)
        .flatMap(({ episode, airingAt, media }) =>
          media === null ? [] : [{ episode, at: airingAt * 1000, anime: toEntry(media) }],
        )
        .filter(({ anime }) => withAdult || !anime.isAdult);
    },

    /** What its users recommend to those who like an anime. */
    async recommendations(id: number, withAdult: boolean): Promise<readonly Entry[]> {
      const query = `query ($id: Int) { Media(id: $id) { recommendations(perPage: 10, sort: [RATING_DESC]) {
        nodes { mediaRecommendation { ${mediaFields} } }
      } } }`;
      const data = await sendQuery(query, { id });
      return parse(recommendationReply, data ?? { Media: { recommendations: { nodes: [] } } })
        .Media.recommendations.nodes.flatMap((node) => node?.mediaRecommendation ?? [])
        .map(toEntry)
        .filter(({ isAdult, title }) => title !== '' && (withAdult || !isAdult));
    },

    /** The characters that most users like; a page has fifty. */
    async favourites(page: number): Promise<readonly Entry[]> {
      const inner = `characters(sort: [FAVOURITES_DESC]) { ${queriedFields.character} }`;
      const found = await readEntries('characters', askPage(inner, { page, perPage: 50 }));
      return withoutAdult(found, false).entries;
    },
  };
}

const airingPage = v.object({
  airingSchedules: v.array(
    v.nullable(
      v.object({ episode: v.number(), airingAt: v.number(), media: v.nullable(entryReply) }),
    ),
  ),
});

const recommendationReply = v.object({
  Media: v.object({
    recommendations: v.object({
      nodes: v.array(v.nullable(v.object({ mediaRecommendation: v.nullable(entryReply) }))),
    }),
  }),
});

/** Undefined for what AniList does not have. Of a GraphQL error with status 200 nothing is used. */
export function readData({ status, body }: ServiceReply): unknown {
  if (status === 404) {
    return undefined;
  }
  // AniList answers 403 while its API is disabled.
  if (status !== 200) {
    throw new AppError(status === 403 ? 'service_unavailable' : 'service_answer_broken');
  }
  return parse(v.object({ data: v.looseObject({}) }), body).data;
}
