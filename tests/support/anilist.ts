import { type Answer, type RecordedCall } from './stand-in-server.ts';
/**
 * A stand-in for AniList's GraphQL API as its documentation describes it (docs.anilist.co): thirty calls a minute, pages
 * of at most fifty, errors with a status in their body, and lists that only their own users may change.
 */
import { startStandIn } from './stand-in.ts';

type Fields = Readonly<Record<string, unknown>>;

const maxCalls = 30;
const windowMs = 60_000;
const maxPerPage = 50;

export const frieren = {
  id: 154_587,
  type: 'ANIME',
  title: {
    romaji: 'Sousou no Frieren',
    english: 'Frieren: Beyond Journey’s End',
    native: '葬送のフリーレン',
  },
  synonyms: ['Frieren'],
  isAdult: false,
  description:
    'An elf <i>outlives</i> her friends.<br><br>~!Himmel dies.!~ [More](https://evil.example.org) &amp; more.',
  format: 'TV',
  status: 'FINISHED',
  episodes: 28,
  chapters: null,
  volumes: null,
  season: 'FALL',
  seasonYear: 2023,
  averageScore: 91,
  genres: ['Adventure', 'Drama', 'Fantasy'],
  coverImage: { extraLarge: 'https://img.anili.example.org/frieren.jpg' },
  siteUrl: 'https://anilist.co/anime/154587',
  nextAiringEpisode: null,
};

const anime = (id: number, title: string, differences: Fields = {}) => ({
  ...frieren,
  id,
  title: { romaji: title, english: null, native: null },
  synonyms: [],
  description: null,
  genres: [],
  coverImage: { extraLarge: `https://img.anili.example.org/${id}.jpg` },
  siteUrl: `https://anilist.co/anime/${id}`,
  ...differences,
});

export const onePiece = anime(21, 'One Piece', {
  status: 'RELEASING',
  episodes: null,
  synonyms: ['OP'],
});

/** Six of a name, and one for adults. */
export const narutos = [
  anime(20, 'Naruto Classic', { seasonYear: 2002 }),
  anime(1735, 'Naruto Shippuden', { seasonYear: 2007 }),
  anime(442, 'Naruto Movie 1', { format: 'MOVIE', seasonYear: 2004 }),
  anime(936, 'Naruto Movie 2', { format: 'MOVIE', seasonYear: 2005 }),
  anime(2144, 'Naruto Movie 3', { format: 'MOVIE', seasonYear: 2006 }),
  anime(97_938, 'Boruto: Naruto Next', { seasonYear: 2017 }),
];
export const forAdults = anime(9999, 'Naruto After Dark', { isAdult: true });

const berserk = {
  ...anime(30_002, 'Berserk'),
  type: 'MANGA',
  format: 'MANGA',
  status: 'RELEASING',
  episodes: null,
  chapters: 380,
  volumes: 1,
  season: null,
  seasonYear: null,
};

const titled = ({ title, isAdult }: { readonly title: unknown; readonly isAdult: unknown }) => ({
  title,
  isAdult,
});

const person = (id: number, full: string, differences: Fields = {}) => ({
  id,
  name: { full, native: null, alternative: [] },
  description: null,
  image: { large: `https://img.anili.example.org/p${id}.jpg` },
  siteUrl: `https://anilist.co/character/${id}`,
  favourites: 1,
  ...differences,
});

const spike = person(1, 'Spike Spiegel', {
  name: { full: 'Spike Spiegel', native: 'スパイク', alternative: ['Spike'] },
  gender: 'Male',
  favourites: 54_321,
  media: { nodes: [{ title: { romaji: 'Cowboy Bebop' }, isAdult: false }, titled(forAdults)] },
});
const fern = person(2, 'Fern', { gender: 'Female', media: { nodes: [titled(frieren)] } });
/** Known from works for adults alone. */
const veiled = person(3, 'Veiled Spike', { media: { nodes: [titled(forAdults)] } });

const miyazaki = person(96_870, 'Hayao Miyazaki', {
  primaryOccupations: ['Director', 'Animator'],
  staffMedia: { nodes: [{ title: { romaji: 'Tonari no Totoro' }, isAdult: false }] },
  characterMedia: { nodes: [] },
});

const madhouse = {
  id: 11,
  studioName: 'MADHOUSE',
  siteUrl: 'https://anilist.co/studio/11',
  favourites: 2,
  media: { nodes: [titled(frieren)] },
};

type World = {
  media: Fields[];
  characters: Fields[];
  staff: Fields[];
  studios: Fields[];
  recommended: Fields[];
  /** Of all users: media ID → what they have watched. */
  watching: Map<number, { progress: number; status: string }>;
};

const error = (status: number, message: string): Answer => ({
  status,
  body: { errors: [{ message, status }], data: null },
});

function toQuestion({ body }: RecordedCall) {
  const { query, variables } = { query: '', variables: {}, ...Object(body) };
  return {
    query: String(query),
    variables: new Map<string, unknown>(Object.entries(Object(variables))),
  };
}

/** What a GraphQL server refuses before it looks for anything. */
function findMistake({ query, variables }: ReturnType<typeof toQuestion>): string | undefined {
  const count = (sign: string) => query.split(sign).length;
  if (count('{') !== count('}') || count('(') !== count(')')) {
    return 'Syntax Error';
  }
  const [head = ''] = query.split('{');
  const declared = [...head.matchAll(/\$(\w+):/g)].map(([, name = '']) => name);
  const used = [...query.slice(head.length).matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  const undeclared = used.find((name) => !declared.includes(name));
  if (undeclared !== undefined) {
    return `Variable "$${undeclared}" is not defined`;
  }
  const unused = declared.find((name) => !used.includes(name));
  if (unused !== undefined) {
    return `Variable "$${unused}" is never used`;
  }
  const unknown = [...variables.keys()].find((name) => !declared.includes(name));
  return unknown === undefined ? undefined : `Unknown variable "${unknown}"`;
}

const allNames = (entry: Fields): string =>
  JSON.stringify([
    entry['title'],
    entry['name'],
    entry['studioName'],
    entry['synonyms'],
  ]).toLowerCase();

export type AniListStandIn = Awaited<ReturnType<typeof startAniList>>;

/** `tokens` are those that its users have given away; without a clock nothing is limited. */
export async function startAniList({
  clock,
  tokens = () => ['a token'],
  sequels = 0,
}: {
  readonly clock?: () => number;
  readonly tokens?: () => readonly string[];
  /** How many anime of the name Precure there are. */
  readonly sequels?: number;
} = {}) {
  const precures = Array.from({ length: sequels }, (_, n) => anime(50_000 + n, `Precure ${n}`));
  const world: World = {
    media: [frieren, onePiece, ...narutos, forAdults, berserk, ...precures],
    characters: [spike, fern, veiled],
    staff: [miyazaki],
    studios: [madhouse],
    recommended: [onePiece, forAdults],
    watching: new Map(),
  };
  let window = { from: 0, calls: 0 };

  function isTooMuch(): boolean {
    const now = clock?.() ?? 0;
    window =
      now - window.from >= windowMs
        ? { from: now, calls: 1 }
        : { ...window, calls: window.calls + 1 };
    return clock !== undefined && window.calls > maxCalls;
  }

  const isOfType = (query: string) => (entry: Fields) =>
    !/type: (ANIME|MANGA)/.test(query) || query.includes(`type: ${String(entry['type'])}`);

  /** Each filter that the query names, and no other. */
  const findMedia = (query: string) =>
    world.media
      .filter(isOfType(query))
      .filter(({ isAdult }) => !query.includes('isAdult: false') || isAdult === false);

  function answerPage(query: string, variables: ReadonlyMap<string, unknown>): Answer {
    const [, perPage, page] = ['', Number(variables.get('perPage')), Number(variables.get('page'))];
    if (perPage > maxPerPage || perPage < 1 || page < 1) {
      return error(400, 'validation');
    }
    const [, field = ''] = /(?:hasNextPage \}\s+)(\w+)/.exec(query) ?? [];
    if (field === 'airingSchedules') {
      return { body: { data: { Page: { airingSchedules: listAirings(variables) } } } };
    }
    const all: Readonly<Record<string, readonly Fields[]>> = {
      media: findMedia(query),
      characters: world.characters,
      staff: world.staff,
      studios: world.studios,
    };
    const wanted = variables.get('query');
    const found = (all[field] ?? [])
      .filter(
        (entry) => typeof wanted !== 'string' || allNames(entry).includes(wanted.toLowerCase()),
      )
      .filter(
        ({ season, seasonYear }) =>
          !variables.has('season') ||
          (season === variables.get('season') && seasonYear === variables.get('year')),
      );
    const shown = found.slice((page - 1) * perPage, page * perPage);
    const pageInfo = { hasNextPage: found.length > page * perPage };
    return { body: { data: { Page: { pageInfo, [field]: shown } } } };
  }

  function listAirings(variables: ReadonlyMap<string, unknown>) {
    return world.media
      .map((media) => ({ media, ...Object(media['nextAiringEpisode']) }))
      .filter(
        ({ airingAt }) =>
          airingAt > Number(variables.get('from')) && airingAt < Number(variables.get('to')),
      )
      .toSorted((one, other) => one.airingAt - other.airingAt);
  }

  function answerOne(query: string, id: number): Answer {
    const [, field = ''] = /\{\s*(Media|Character|Staff|Studio)\(/.exec(query) ?? [];
    const all: Readonly<Record<string, readonly Fields[]>> = {
      Media: findMedia(query),
      Character: world.characters,
      Staff: world.staff,
      Studio: world.studios,
    };
    const found = all[field]?.find((entry) => entry['id'] === id);
    if (found === undefined) {
      return {
        status: 404,
        body: { errors: [{ message: 'Not Found.', status: 404 }], data: { [field]: null } },
      };
    }
    const nodes = world.recommended.map((mediaRecommendation) => ({ mediaRecommendation }));
    const more = {
      ...(query.includes('recommendations(') ? { recommendations: { nodes } } : {}),
      ...(query.includes('mediaListEntry')
        ? { mediaListEntry: world.watching.get(id) ?? null }
        : {}),
    };
    return { body: { data: { [field]: { ...found, ...more } } } };
  }

  function answerUser(query: string, variables: ReadonlyMap<string, unknown>): Answer {
    if (query.includes('Viewer')) {
      return { body: { data: { Viewer: { id: 77 } } } };
    }
    if (query.includes('SaveMediaListEntry')) {
      const [id, progress] = [Number(variables.get('mediaId')), Number(variables.get('progress'))];
      world.watching.set(id, { progress, status: String(variables.get('status')) });
      return { body: { data: { SaveMediaListEntry: { id: 1, progress } } } };
    }
    if (variables.get('userId') !== 77) {
      return error(404, 'Not Found.');
    }
    const entries = world.media.flatMap((media) => {
      const entry = world.watching.get(Number(media['id']));
      return entry?.status === 'CURRENT' ? [{ ...entry, media }] : [];
    });
    return { body: { data: { MediaListCollection: { lists: [{ entries }] } } } };
  }

  function answer(call: RecordedCall): Answer {
    if (call.method !== 'POST' || call.path !== '/graphql') {
      return error(404, 'Not Found.');
    }
    if (isTooMuch()) {
      return { ...error(429, 'Too Many Requests.'), headers: { 'Retry-After': '30' } };
    }
    const question = toQuestion(call);
    const mistake = findMistake(question);
    if (mistake !== undefined) {
      return error(400, mistake);
    }
    const { query, variables } = question;
    const token = call.headers.authorization?.replace('Bearer ', '');
    if (token !== undefined && !tokens().includes(token)) {
      return error(400, 'Invalid token');
    }
    if (/Viewer|SaveMediaListEntry|MediaListCollection/.test(query)) {
      return token === undefined ? error(401, 'Unauthorized.') : answerUser(query, variables);
    }
    return query.includes('Page(')
      ? answerPage(query, variables)
      : answerOne(query, Number(variables.get('id')));
  }

  const standIn = await startStandIn(answer);
  return {
    ...standIn,
    world,
    answer,
    variables: { PUBLIC_API_ANILIST: 'on', ANILIST_API_ROOT: `${standIn.url}/graphql` },
    /** How often it was asked. */
    count: () => standIn.calls.length,
    /** An anime whose next episode airs then. */
    airs: (media: Fields, episode: number, at: number): void => {
      const airing = { ...media, nextAiringEpisode: { episode, airingAt: Math.floor(at / 1000) } };
      world.media = world.media.map((one) => (one['id'] === media['id'] ? airing : one));
    },
  };
}
