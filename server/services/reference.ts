/** What the bot looks up for people, within the limits of the servers that it asks: translations, pages, words and the weather. */
import { setTimeout as sleep } from 'node:timers/promises';

import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { createRateLimitGuard } from '#server/upstream/connections/oauth';
import {
  connectOpenMeteo,
  connectWikimedia,
  type Weather,
  type WikiHit,
  type WikiSummary,
  type WordMeaning,
} from '#server/upstream/reference';
import {
  connectLibreTranslate,
  connectMyMemory,
  type Translation,
  type Translator,
} from '#server/upstream/translators';

import { type Limiter } from './limiter.ts';

/** What texts of Wikipedia and Wiktionary, and data of Open-Meteo, may be used by; it has to be named. */
export const licenses = { wiki: 'CC BY-SA 4.0', weather: 'CC BY 4.0' } as const;

/** The page that fits best, and others that may be meant. */
type FoundPage = WikiSummary & {
  readonly hit: WikiHit;
  readonly others: readonly WikiHit[];
};

const cachedMs = { pages: 10 * 60_000, weather: 10 * 60_000 } as const;
const maxCached = 500;
/** Characters of what is looked for. */
const maxQueryLength = 200;
/** How many pages of the same name are named. */
const maxHits = 6;
const fallback = 'en';

type Needed = Pick<Dependencies, 'env' | 'clock' | 'serviceTimeoutMs'>;

export function createReference(deps: Needed, { limiter }: { readonly limiter: Limiter }) {
  return {
    reference: {
      ...createTranslation(deps, limiter),
      ...createWikis(deps, limiter),
      ...createWeather(deps, limiter),
    },
  };
}

function notSetUp(): Promise<never> {
  return Promise.reject(new AppError('service_not_set_up'));
}

function connectTranslator({ env: { translate }, serviceTimeoutMs }: Needed) {
  if (translate === undefined) {
    return undefined;
  }
  const { root, protocol } = translate;
  return protocol === 'libretranslate'
    ? connectLibreTranslate({ root, apiKey: translate.apiKey, timeoutMs: serviceTimeoutMs })
    : connectMyMemory({ root, timeoutMs: serviceTimeoutMs });
}

function createTranslation(deps: Needed, limiter: Limiter) {
  const translator: Translator | undefined = connectTranslator(deps);
  const isMyMemory = deps.env.translate?.protocol === 'mymemory';
  const unlessBusy = createRateLimitGuard(translator?.label ?? '', deps.clock);
  return {
    /** The service that translates, and the longest text that it takes; undefined when none is connected. */
    translator,

    /** Throws what `Translator` throws, and `rate_limited` for MyMemory. */
    translate: (text: string, to: string): Promise<Translation> =>
      translator === undefined
        ? notSetUp()
        : unlessBusy(async () => {
            if (isMyMemory) {
              await limiter.take(limits.myMemory, translator.label);
            }
            return translator.translate(text, to);
          }),
  };
}

/** The beginning of the host of a Wikipedia. */
const toWiki = (language: Language) => language.toLowerCase().split('-')[0] ?? fallback;

/** How long a question waits for those before it. */
const turnMs = 10_000;
/** How often it is looked whether another process has ended its call. */
const lookEveryMs = 50;

/** The returned function waits until no other call of this server is under way, in any process. Throws `service_slow`. */
function createTurns(limiter: Pick<Limiter, 'tryHold'>) {
  const inTurn = createKeyedSemaphore(1);
  const key = 'wikimedia';

  async function hold(signal: AbortSignal) {
    for (;;) {
      const letGo = await limiter.tryHold(limits.wikimedia, key);
      if (letGo !== undefined) {
        return letGo;
      }
      await sleep(lookEveryMs, undefined, { signal, ref: false });
    }
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(turnMs);
    const release = await inTurn.acquire(key, signal).catch(throwSlow);
    try {
      const letGo = await hold(signal).catch((error: unknown) =>
        signal.aborted ? throwSlow() : Promise.reject(error),
      );
      try {
        return await work();
      } finally {
        await letGo();
      }
    } finally {
      release();
    }
  };
}

function throwSlow(): never {
  throw new AppError('service_slow');
}

function createWikis(
  { env: { wikimedia: settings }, clock, serviceTimeoutMs }: Needed,
  limiter: Limiter,
) {
  const wikimedia =
    settings === undefined
      ? undefined
      : connectWikimedia({ ...settings, timeoutMs: serviceTimeoutMs });
  const takeTurn = createTurns(limiter);
  const unlessBusy = createRateLimitGuard('Wikimedia', clock);
  const rules = { max: maxCached, lifetimeMs: cachedMs.pages, clock };
  const searches = createMemoryCache<readonly WikiHit[]>(rules);
  const words = createMemoryCache<readonly WordMeaning[]>(rules);

  /** Wikimedia asks for one request after the other: https://www.mediawiki.org/wiki/API:Etiquette */
  function oneByOne<T>(
    work: (connected: ReturnType<typeof connectWikimedia>) => Promise<T>,
  ): Promise<T> {
    return wikimedia === undefined ? notSetUp() : takeTurn(() => unlessBusy(() => work(wikimedia)));
  }

  function searchIn(wiki: string, query: string): Promise<readonly WikiHit[]> {
    return searches.get(`${wiki} ${query.toLowerCase()}`, () =>
      oneByOne((connected) => connected.search(wiki, query, maxHits)),
    );
  }

  /** In the Wikipedia of the language; in the English one where that has no page. */
  async function search(query: string, language: Language) {
    const asked = query.slice(0, maxQueryLength).toWellFormed().trim();
    const wiki = toWiki(language);
    const hits = asked === '' ? [] : await searchIn(wiki, asked);
    return hits.length > 0 || wiki === fallback || asked === ''
      ? { wiki, hits }
      : { wiki: fallback, hits: await searchIn(fallback, asked) };
  }

  return {
    /** Pages whose titles begin with the query. Throws what `connectWikimedia` throws. */
    searchPages: async (query: string, language: Language): Promise<readonly WikiHit[]> =>
      (await search(query, language)).hits,

    /** Throws `nothing_found`, and what `connectWikimedia` throws. */
    readPage: async (query: string, language: Language): Promise<FoundPage> => {
      const { wiki, hits } = await search(query, language);
      const [hit, ...others] = hits;
      const summary = hit && (await oneByOne((connected) => connected.summarize(wiki, hit.key)));
      if (hit === undefined || summary === undefined) {
        throw new AppError('nothing_found');
      }
      return { ...summary, hit, others };
    },

    /** As it is written, or else in small letters. Throws `nothing_found`, and what `connectWikimedia` throws. */
    define: async (
      word: string,
    ): Promise<{ readonly found: string; readonly meanings: readonly WordMeaning[] }> => {
      const asked = word.slice(0, maxQueryLength).toWellFormed().trim();
      for (const spelling of new Set([asked, asked.toLowerCase()])) {
        const meanings =
          spelling === ''
            ? []
            : await words.get(spelling, () => oneByOne((connected) => connected.define(spelling)));
        if (meanings.length > 0) {
          return { found: spelling, meanings };
        }
      }
      throw new AppError('nothing_found');
    },
  };
}

function createWeather(
  { env: { weather: settings }, clock, serviceTimeoutMs }: Needed,
  limiter: Limiter,
) {
  const readWeather =
    settings === undefined
      ? undefined
      : connectOpenMeteo({ ...settings, timeoutMs: serviceTimeoutMs });
  const unlessBusy = createRateLimitGuard('Open-Meteo', clock);
  const rules = { max: maxCached, lifetimeMs: cachedMs.weather, clock };
  const cache = createMemoryCache<Weather>(rules);
  const counts = [limits.weatherMinute, limits.weatherDay].map((limit) => ({
    limit,
    key: 'open-meteo',
  }));
  return {
    /** Throws `nothing_found`, `rate_limited`, and what `connectOpenMeteo` throws. */
    readWeather: (place: string, language: Language): Promise<Weather> => {
      const asked = place.slice(0, maxQueryLength).toWellFormed().trim();
      const wiki = toWiki(language);
      return readWeather === undefined
        ? notSetUp()
        : cache.get(`${wiki} ${asked.toLowerCase()}`, async () => {
            await limiter.takeAll(counts);
            const found = await unlessBusy(() => readWeather(asked, wiki));
            if (found === undefined) {
              throw new AppError('nothing_found');
            }
            return found;
          });
    },
  };
}
