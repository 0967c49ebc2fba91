/** What is looked up at other servers: Wikipedia, Wiktionary, and the weather (Open-Meteo). */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { readRetryAfter, toBusy, toUnavailable } from '#server/upstream/connections/oauth';
import {
  type FetchReply,
  fetchReply,
  type FetchRequest,
  NoReply,
  readJson,
} from '#server/upstream/fetch-json';

/** How a server is reached. Tests wait less. */
export type Server = { readonly root: string; readonly timeoutMs?: number | undefined };

type Requested = Pick<FetchRequest, 'url' | 'method' | 'headers' | 'body'> &
  Pick<Server, 'timeoutMs'>;

const defaultTimeoutMs = 10_000;

/** Returns replies of every status below 500. Throws `service_slow`, `service_unavailable` or `service_answer_broken`. */
export async function request(label: string, { timeoutMs = defaultTimeoutMs, ...rest }: Requested) {
  try {
    const reply = await fetchReply({ ...rest, service: label, timeoutMs });
    if (reply.status >= 500) {
      throw toUnavailable(label);
    }
    return reply;
  } catch (error) {
    if (!(error instanceof NoReply)) {
      throw error;
    }
    if (error.reason === 'timeout') {
      throw new AppError('service_slow');
    }
    throw error.reason === 'too-large'
      ? new AppError('service_answer_broken')
      : toUnavailable(label);
  }
}

/** Throws `service_answer_broken` for a body of another shape. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, body: unknown) {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) {
    throw new AppError('service_answer_broken');
  }
  return parsed.output;
}

/** What is missing is null in some answers, and absent in others. */
export const words = v.pipe(
  v.nullish(v.string()),
  v.transform((text) => text ?? undefined),
);

const namedSigns: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The character that `&amp;`, `&#38;` or `&#x26;` stands for. */
function readEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) {
    return namedSigns[name] ?? entity;
  }
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** With the characters that stand for entities; half of one is replaced, as Telegram takes no such text. */
export const readEntities = (text: string): string =>
  text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]+);/gi, readEntity).toWellFormed();

/** Without tags, styles and comments, and with the characters that stand for entities. */
export function toPlainText(html: string): string {
  const text = html.replaceAll(
    /<style\b[^>]*>[\s\S]*?<\/style>|<!--[\s\S]*?-->|<\/?[a-z][^<>]*>/gi,
    '',
  );
  return readEntities(text).trim();
}

/** A page that a search has found. */
export type WikiHit = {
  /** Names the page in addresses. */
  readonly key: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly thumbnail: string | undefined;
  readonly url: string;
};

export type WikiSummary = {
  /** The beginning of the page; empty for one without text. */
  readonly extract: string;
  /** Whether it lists pages of the same name. */
  readonly isAmbiguous: boolean;
};

/** What a word means in a language, by part of speech. */
export type WordMeaning = {
  /** The code of the language, and its name in English. */
  readonly code: string;
  readonly language: string;
  readonly partOfSpeech: string;
  readonly definitions: readonly string[];
};

const searchAnswer = v.object({
  pages: v.array(
    v.object({
      key: v.string(),
      title: v.string(),
      description: words,
      thumbnail: v.nullish(v.object({ url: v.string() })),
    }),
  ),
});

const summaryAnswer = v.object({ type: v.string(), extract: words });

const definitionAnswer = v.record(
  v.string(),
  v.array(
    v.object({
      partOfSpeech: v.string(),
      language: v.string(),
      definitions: v.array(v.object({ definition: v.string() })),
    }),
  ),
);

/** `language` is the beginning of the host: `en` of en.wikipedia.org. All throw `service_slow`, `service_unavailable`, `service_busy`, `service_key_refused` or `service_answer_broken`. */
export function connectWikimedia({
  root,
  contact,
  timeoutMs,
}: Server & { readonly contact: string }) {
  /** Follows pages that stand for others, as far as they are of the same server. */
  async function requestPage(
    label: string,
    url: string,
    hopsLeft = maxRedirects,
  ): Promise<FetchReply> {
    const reply = await request(label, {
      url,
      // Wikimedia blocks those who do not say how they are reached: https://w.wiki/4wJS
      headers: { Accept: 'application/json', 'User-Agent': `Nori/1 (${contact})` },
      timeoutMs,
    });
    const isRedirect = reply.status === 301 || reply.status === 302;
    const next = isRedirect ? URL.parse(reply.headers.get('Location') ?? '', url) : null;
    return next?.origin === new URL(url).origin && hopsLeft > 0
      ? requestPage(label, next.href, hopsLeft - 1)
      : reply;
  }

  /** Undefined when there is no such page. */
  async function read(label: string, host: string, path: string): Promise<unknown> {
    const reply = await requestPage(label, root.replaceAll('{host}', host) + path);
    throwUnlessAnswered(label, reply);
    return reply.status === 404 ? undefined : readJson(reply);
  }

  return {
    search: async (language: string, query: string, limit: number): Promise<readonly WikiHit[]> => {
      const host = `${language}.wikipedia.org`;
      const fields = new URLSearchParams({ q: query, limit: String(limit) });
      const body = await read('Wikipedia', host, `/w/rest.php/v1/search/title?${fields}`);
      return parse(searchAnswer, body).pages.map(({ key, title, description, thumbnail }) => ({
        key,
        title,
        description,
        thumbnail: thumbnail?.url.replace(/^\/\//, 'https://'),
        url: `https://${host}/wiki/${encodeURIComponent(key).replaceAll('%2F', '/')}`,
      }));
    },

    /** Undefined when there is no such page. */
    summarize: async (language: string, key: string): Promise<WikiSummary | undefined> => {
      const host = `${language}.wikipedia.org`;
      const path = `/api/rest_v1/page/summary/${toPageName(key)}`;
      const body = await read('Wikipedia', host, path);
      if (body === undefined) {
        return undefined;
      }
      const { type, extract = '' } = parse(summaryAnswer, body);
      return { extract, isAmbiguous: type === 'disambiguation' };
    },

    /** The English Wiktionary alone can be asked; it has words of all languages. None for one that it does not have. */
    define: async (word: string): Promise<readonly WordMeaning[]> => {
      const path = `/api/rest_v1/page/definition/${toPageName(word)}`;
      const body = await read('Wiktionary', 'en.wiktionary.org', path);
      return Object.entries(body === undefined ? {} : parse(definitionAnswer, body)).flatMap(
        ([code, entries]) =>
          entries.map(({ language, partOfSpeech, definitions }) => ({
            code,
            language,
            partOfSpeech,
            definitions: definitions
              .map(({ definition }) => toPlainText(definition))
              .filter((text) => text !== ''),
          })),
      );
    },
  };
}

/** Of a page in an address; a name with spaces would be answered by a redirect. */
const toPageName = (name: string) => encodeURIComponent(name.replaceAll(' ', '_'));

const maxRedirects = 2;

function throwUnlessAnswered(label: string, { status, headers }: FetchReply): void {
  if (status === 429) {
    throw toBusy(label, readRetryAfter(headers));
  }
  if (status === 403) {
    throw new AppError('service_key_refused');
  }
  if (status !== 200 && status !== 404) {
    throw new AppError('service_answer_broken');
  }
}

export type Sky =
  | 'clear'
  | 'partly'
  | 'overcast'
  | 'fog'
  | 'drizzle'
  | 'rain'
  | 'snow'
  | 'showers'
  | 'thunder'
  | 'unknown';

/** Degrees are Celsius, and wind is kilometres an hour. */
export type Weather = {
  /** Where that is, from the name of the place to its country. */
  readonly place: readonly string[];
  readonly now: {
    readonly sky: Sky;
    readonly temperature: number;
    readonly feelsLike: number;
    readonly wind: number;
  };
  readonly days: readonly {
    /** At midnight in UTC; epoch milliseconds. */
    readonly date: number;
    readonly sky: Sky;
    readonly min: number;
    readonly max: number;
  }[];
};

const placesAnswer = v.object({
  results: v.optional(
    v.array(
      v.object({
        name: v.string(),
        admin1: words,
        country: words,
        latitude: v.number(),
        longitude: v.number(),
      }),
    ),
    [],
  ),
});

const forecastAnswer = v.object({
  current: v.object({
    temperature_2m: v.number(),
    apparent_temperature: v.number(),
    weather_code: v.nullish(v.number()),
    wind_speed_10m: v.number(),
  }),
  daily: v.object({
    time: v.array(v.pipe(v.string(), v.isoDate())),
    weather_code: v.array(v.nullable(v.number())),
    temperature_2m_min: v.array(v.nullable(v.number())),
    temperature_2m_max: v.array(v.nullable(v.number())),
  }),
});

const openMeteoError = v.object({ error: v.literal(true), reason: v.string() });

/** Undefined for a place that it does not know. Throws as the others do. */
export function connectOpenMeteo({ root, timeoutMs }: Server) {
  const label = 'Open-Meteo';

  async function read(host: string, path: string, query: Record<string, string>): Promise<unknown> {
    const url = `${root.replaceAll('{host}', host)}${path}?${new URLSearchParams(query)}`;
    const reply = await request(label, { url, timeoutMs });
    const body = readJson(reply);
    if (reply.status === 429) {
      throw toBusy(label, readLimitWait(body) ?? readRetryAfter(reply.headers));
    }
    return reply.status === 200 ? body : undefined;
  }

  return async (name: string, language: string): Promise<Weather | undefined> => {
    const asked = { name, count: '1', language, format: 'json' };
    const found = await read('geocoding-api.open-meteo.com', '/v1/search', asked);
    const [place] = parse(placesAnswer, found).results;
    if (place === undefined) {
      return undefined;
    }
    const body = await read('api.open-meteo.com', '/v1/forecast', {
      latitude: String(place.latitude),
      longitude: String(place.longitude),
      current: 'temperature_2m,apparent_temperature,weather_code,wind_speed_10m',
      daily: 'weather_code,temperature_2m_max,temperature_2m_min',
      timezone: 'auto',
      forecast_days: '3',
    });
    const { current, daily } = parse(forecastAnswer, body);
    const parts = [place.name, place.admin1, place.country];
    return {
      place: parts.filter((part, at): part is string => !!part && parts.indexOf(part) === at),
      now: {
        sky: toSky(current.weather_code),
        temperature: Math.round(current.temperature_2m),
        feelsLike: Math.round(current.apparent_temperature),
        wind: Math.round(current.wind_speed_10m),
      },
      days: daily.time.flatMap((date, at) => {
        const [min, max] = [daily.temperature_2m_min[at], daily.temperature_2m_max[at]];
        return min === null || max === null || min === undefined || max === undefined
          ? []
          : [
              {
                date: Date.parse(date),
                sky: toSky(daily.weather_code[at]),
                min: Math.round(min),
                max: Math.round(max),
              },
            ];
      }),
    };
  };
}

/** Seconds. Open-Meteo says which of its limits is reached, and sends no header. */
function readLimitWait(body: unknown): number | undefined {
  const reason = v.is(openMeteoError, body) ? body.reason : '';
  const waits = { minutely: 60, hourly: 3600, daily: 86_400 } as const;
  return Object.entries(waits).find(([name]) => reason.toLowerCase().startsWith(name))?.[1];
}

/** The last code of each kind, of https://open-meteo.com/en/docs (WMO 4677). */
const skies: readonly (readonly [last: number, sky: Sky])[] = [
  [0, 'clear'],
  [2, 'partly'],
  [3, 'overcast'],
  [48, 'fog'],
  [57, 'drizzle'],
  [67, 'rain'],
  [77, 'snow'],
  [82, 'showers'],
  [86, 'snow'],
  [99, 'thunder'],
];

function toSky(code: number | null | undefined): Sky {
  return skies.find(([last]) => typeof code === 'number' && code <= last)?.[1] ?? 'unknown';
}
