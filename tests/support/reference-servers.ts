/** Stand-ins for the servers at which the bot looks things up. Their limits and errors are worded as those of the real ones. */
import * as v from 'valibot';

import { type Answer, type RecordedCall } from './stand-in-server.ts';
import { startStandIn } from './stand-in.ts';

const libreLanguages = new Set(['en', 'de', 'fr', 'it', 'pt', 'ar']);

const libreCall = v.object({
  q: v.pipe(v.string(), v.nonEmpty()),
  source: v.string(),
  target: v.string(),
  format: v.picklist(['text', 'html']),
  api_key: v.optional(v.string()),
});

/** It finds every text to be French. With `apiKey` it needs that one. */
export function startLibreTranslate({ charLimit = 5000, apiKey = '' } = {}) {
  return startStandIn(({ method, path, body }): Answer => {
    if (method !== 'POST' || path !== '/translate') {
      return { status: 404, body: { error: 'Not found' } };
    }
    const parsed = v.safeParse(libreCall, body);
    if (!parsed.success) {
      return { status: 400, body: { error: 'Invalid request: missing q parameter' } };
    }
    const { q, target, api_key: key = '' } = parsed.output;
    if (key !== apiKey) {
      return { status: 403, body: { error: 'Invalid API key' } };
    }
    const size = Array.from(q).length;
    if (size > charLimit) {
      const error = `Invalid request: request (${size}) exceeds text limit (${charLimit})`;
      return { status: 400, body: { error } };
    }
    if (!libreLanguages.has(target)) {
      return { status: 400, body: { error: `${target} is not supported` } };
    }
    return {
      body: {
        detectedLanguage: { confidence: 90, language: 'fr' },
        translatedText: `${target}: ${q}`,
      },
    };
  });
}

const quotaWarning =
  'MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY. NEXT AVAILABLE IN  12 HOURS 58 MINUTES 57 SECONDS VISIT HTTPS://MYMEMORY.TRANSLATED.NET/DOC/USAGELIMITS.PHP TO TRANSLATE MORE';

/** Its own status is a number for translations and a text for errors, and that of HTTP is 200 for most of both. */
export function startMyMemory({ quota = 100 } = {}) {
  let used = 0;
  const refusal = (text: string): Answer => ({
    body: {
      responseData: { translatedText: text },
      quotaFinished: false,
      responseDetails: text,
      responseStatus: '403',
      matches: '',
    },
  });
  return startStandIn(({ method, path }): Answer => {
    const url = new URL(path, 'http://stand-in');
    const text = url.searchParams.get('q') ?? '';
    const [from, to = ''] = (url.searchParams.get('langpair') ?? '').split('|');
    if (method !== 'GET' || url.pathname !== '/get') {
      return { status: 404, body: '404 page not found' };
    }
    if (text === '') {
      return refusal('NO QUERY SPECIFIED. EXAMPLE REQUEST: GET?Q=HELLO&LANGPAIR=EN|IT');
    }
    if (Buffer.byteLength(text) > 500) {
      return refusal('QUERY LENGTH LIMIT EXCEEDED. MAX ALLOWED QUERY : 500 CHARS');
    }
    if (from !== 'Autodetect' || !/^(?:en|de|fr|it|pt-br)$/i.test(to)) {
      return refusal(
        `'${to.toUpperCase()}' IS AN INVALID TARGET LANGUAGE . EXAMPLE: LANGPAIR=EN|IT USING 2 LETTER ISO OR RFC3066 LIKE ZH-CN. ALMOST ALL LANGUAGES SUPPORTED BUT SOME MAY HAVE NO CONTENT`,
      );
    }
    if (to === 'fr') {
      return refusal('PLEASE SELECT TWO DISTINCT LANGUAGES');
    }
    used += 1;
    if (used > quota) {
      const body = {
        responseData: { translatedText: quotaWarning },
        quotaFinished: true,
        responseDetails: quotaWarning,
        responseStatus: 429,
        matches: '',
      };
      return { status: 429, body };
    }
    return {
      body: {
        responseData: {
          translatedText: `${to}: ${text} &amp; more`,
          match: 0.99,
          detectedLanguage: 'fr',
        },
        quotaFinished: false,
        responseDetails: '',
        responseStatus: 200,
        matches: [],
      },
    };
  });
}

export const contact = 'owner@example.org';

type WikiPage = {
  readonly title: string;
  readonly description?: string;
  readonly extract?: string;
  readonly type?: 'standard' | 'disambiguation';
};

type Wikis = {
  /** Pages by language. */
  readonly pages?: Readonly<Record<string, readonly WikiPage[]>>;
  /** The answers of Wiktionary by their word. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** Words that lead to others. */
  readonly redirects?: Readonly<Record<string, string>>;
};

const notFound: Answer = {
  status: 404,
  body: {
    httpCode: 404,
    httpReason: 'Not Found',
    messageTranslations: { en: 'The specified title does not exist' },
  },
};

/**
 * Refuses those who do not say how they are reached. Names of pages are to have underscores for spaces, else it leads to
 * the right ones (https://github.com/wikimedia/restbase/blob/master/v1/summary.yaml).
 */
export async function startWikimedia({ pages = {}, words = {}, redirects = {} }: Wikis = {}) {
  function answer({ path, headers }: RecordedCall): Answer {
    if (!headers['user-agent']?.includes(`(${contact})`)) {
      return {
        status: 403,
        headers: { 'Content-Type': 'text/plain' },
        body: 'Please set a user-agent and respect our robot policy https://w.wiki/4wJS',
      };
    }
    const { pathname, searchParams } = new URL(path, 'http://stand-in');
    const [, host = '', ...rest] = pathname.split('/');
    const called = rest.join('/');
    const listed = pages[host.replace('.wikipedia.org', '')] ?? [];
    if (host.endsWith('.wikipedia.org') && called === 'w/rest.php/v1/search/title') {
      return search(listed, searchParams);
    }
    return readPage({ host, called }, listed);
  }

  function readPage(
    { host, called }: { readonly host: string; readonly called: string },
    listed: readonly WikiPage[],
  ): Answer {
    const [, kind = '', name = ''] =
      /^api\/rest_v1\/page\/(summary|definition)\/([^/]+)$/.exec(called) ?? [];
    const key = decodeURIComponent(name);
    const target = key.includes(' ') ? key.replaceAll(' ', '_') : redirects[key];
    if (target !== undefined) {
      const status = key.includes(' ') ? 301 : 302;
      return { status, headers: { Location: encodeURIComponent(target) }, body: '' };
    }
    if (kind === 'summary') {
      const page = listed.find(({ title }) => title.replaceAll(' ', '_') === key);
      return page === undefined ? notFound : { body: { type: 'standard', extract: '', ...page } };
    }
    // Only the English Wiktionary has this.
    const isDefined = host === 'en.wiktionary.org' && kind === 'definition';
    return isDefined && Object.hasOwn(words, key) ? { body: words[key] } : notFound;
  }

  const standIn = await startStandIn(answer);
  return { ...standIn, root: `${standIn.url}/{host}` };
}

function search(pages: readonly WikiPage[], query: URLSearchParams): Answer {
  const text = query.get('q') ?? '';
  const limit = Number(query.get('limit'));
  if (text === '' || !(limit >= 1 && limit <= 100)) {
    return { status: 400, body: { httpCode: 400, httpReason: 'Bad Request' } };
  }
  const found = pages.filter(({ title }) => title.toLowerCase().startsWith(text.toLowerCase()));
  return {
    body: {
      pages: found.slice(0, limit).map(({ title, description }, id) => ({
        id,
        key: title.replaceAll(' ', '_'),
        title,
        excerpt: title,
        matched_title: null,
        description: description ?? null,
        thumbnail: {
          mimetype: 'image/jpeg',
          width: 60,
          height: 60,
          url: `//upload.wikimedia.org/${id}.jpg`,
        },
      })),
    },
  };
}

const kyoto = {
  id: 1_857_910,
  name: 'Kyoto',
  admin1: 'Kyoto',
  country: 'Japan',
  country_code: 'JP',
  latitude: 35.02107,
  longitude: 135.75385,
};

const currentFields = 'temperature_2m,apparent_temperature,weather_code,wind_speed_10m';

/** It knows Kyoto. */
export async function startOpenMeteo() {
  const standIn = await startStandIn(({ path }): Answer => {
    const { pathname, searchParams: query } = new URL(path, 'http://stand-in');
    if (pathname === '/geocoding-api.open-meteo.com/v1/search') {
      const name = query.get('name') ?? '';
      // Nothing found has no results at all.
      return {
        body: name.toLowerCase() === 'kyoto' ? { results: [kyoto] } : { generationtime_ms: 0.5 },
      };
    }
    if (pathname !== '/api.open-meteo.com/v1/forecast') {
      return { status: 404, body: { error: true, reason: 'Not Found' } };
    }
    const days = Number(query.get('forecast_days'));
    if (query.get('latitude') !== String(kyoto.latitude) || query.get('timezone') === null) {
      const reason = 'Timezone is required for daily data.';
      return { status: 400, body: { error: true, reason } };
    }
    if (query.get('current') !== currentFields) {
      const reason = `Cannot initialize SurfacePressureAndHeightVariable from invalid String value`;
      return { status: 400, body: { error: true, reason } };
    }
    return {
      body: {
        latitude: 35,
        longitude: 135.75,
        current: {
          time: '2026-11-21T21:00',
          temperature_2m: 11.6,
          apparent_temperature: -0.4,
          weather_code: 3,
          wind_speed_10m: 7.9,
        },
        daily: {
          time: ['2026-11-21', '2026-11-22', '2026-11-23'].slice(0, days),
          weather_code: [61, 0, null].slice(0, days),
          temperature_2m_max: [14.5, 16, 12.2].slice(0, days),
          temperature_2m_min: [6.4, 5, null].slice(0, days),
        },
      },
    };
  });
  return { ...standIn, root: `${standIn.url}/{host}` };
}
