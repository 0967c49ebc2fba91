/**
 * The public API. Each endpoint is answered by AniList, a speech server or another server, as the
 * operator has configured it, otherwise by examples. The rest of the server imports this module only from here.
 */
import * as v from 'valibot';

import { pictureAnswer } from '#contract/playground/answers';
import { type PublicEndpointId } from '#contract/playground/endpoints';
import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { createMemoryCache } from '#server/lib/memory-cache';
import { connectAniListLookup } from '#server/upstream/public-api/public-upstream';
import { connectPublicUpstream } from '#server/upstream/public-api/public-upstream';
import { type AniListQuota } from '#services/lookups';

import { createExamples, type PublicRequest } from './examples.ts';
import { createPublicFiles } from './public-files.ts';
import { createSpeech, createSpeechAnswers } from './speech.ts';

type PublicAnswer = {
  readonly answer: Record<string, unknown>;
  /** Seconds for which clients may cache the answer. */
  readonly maxAgeS: number;
};

type Answer = Record<string, unknown>;
type MakeAnswer = (request: PublicRequest) => Answer | Promise<Answer>;

const minuteMs = 60_000;
/** AniList allows thirty requests a minute, so answers are kept for a while. */
const lookupLifetimeMs = 15 * minuteMs;
const lookupMaxAgeS = 300;
const maxCachedLookups = 500;

export function createPublicApi(
  deps: Pick<Dependencies, 'env' | 'clock' | 'random' | 'serviceTimeoutMs'>,
  { aniListQuota }: { readonly aniListQuota: AniListQuota },
) {
  const { aniListRoot, upstream: root } = deps.env.publicApi;
  const speech = createSpeech(deps);
  const files = createPublicFiles(deps, { speech });
  const speechAnswers = createSpeechAnswers({ speech, getLink: files.link });
  const upstream =
    root === undefined ? undefined : connectPublicUpstream(root, deps.serviceTimeoutMs);
  /** Configured for single endpoints, so they come before the other server. */
  const services = new Map<string, MakeAnswer>([
    ...(aniListRoot === undefined
      ? []
      : createLookups(deps, { apiRoot: aniListRoot, aniListQuota })),
    ...(deps.env.speech.server === undefined ? [] : Object.entries(speechAnswers)),
  ]);
  const examples = new Map<string, MakeAnswer>(
    Object.entries({
      ...createExamples({ files, random: deps.random }),
      ...speechAnswers,
    } satisfies Record<PublicEndpointId, MakeAnswer>),
  );

  return {
    publicApi: {
      files,

      /**
       * One picture of a character from the connected server, and which site it is from. Throws what the server throws;
       * undefined where none is connected, as then no example is wanted.
       */
      async findPicture(
        endpoint: PublicEndpoint,
        character: string,
      ): Promise<{ readonly url: string; readonly source: string } | undefined> {
        const answer = await upstream?.answer(endpoint, { character });
        const parsed = v.safeParse(pictureAnswer, answer);
        if (!parsed.success) {
          return undefined;
        }
        const { result, images = [] } = parsed.output;
        const urls = [
          ...(result === undefined ? [] : [result]),
          ...images.map(({ stream_url }) => stream_url),
        ];
        const url = urls[Number(deps.random.digits(6)) % urls.length];
        return url === undefined ? undefined : { url, source: new URL(url).hostname };
      },

      /** Throws what the services and `PublicUpstream` throw. `values` must be valid. */
      async answer(endpoint: PublicEndpoint, request: PublicRequest): Promise<PublicAnswer> {
        const { id, isSupporting, category } = endpoint;
        const service = services.get(id);
        const isLookup = service !== undefined && category === 'AniList';
        // Lists of voices rarely change. Other answers may differ each time.
        const maxAgeS = isLookup || isSupporting ? lookupMaxAgeS : 0;
        if (service === undefined && upstream) {
          return { answer: await upstream.answer(endpoint, request.values), maxAgeS };
        }
        const makeAnswer = service ?? examples.get(id);
        if (!makeAnswer) {
          throw new AppError('service_not_set_up');
        }
        return { answer: await makeAnswer(request), maxAgeS };
      },
    },
  };
}

function createLookups(
  { clock, serviceTimeoutMs: timeoutMs }: Pick<Dependencies, 'clock' | 'serviceTimeoutMs'>,
  { apiRoot, aniListQuota }: { readonly apiRoot: string; readonly aniListQuota: AniListQuota },
): readonly (readonly [PublicEndpointId, MakeAnswer])[] {
  const aniList = connectAniListLookup({ apiRoot, timeoutMs });
  const cache = createMemoryCache<Answer>({
    max: maxCachedLookups,
    getSize: () => 1,
    lifetimeMs: lookupLifetimeMs,
    clock,
  });
  const source = 'anilist';
  return [
    [
      'anilist-character',
      ({ values: { character = '' } }) =>
        cache.get(`character ${character}`, async () => ({
          characters: await aniListQuota(() => aniList.characters(character)),
          source,
        })),
    ],
    [
      'anilist-anime',
      ({ values: { query = '' } }) =>
        cache.get(`anime ${query}`, async () => ({
          anime: await aniListQuota(() => aniList.anime(query)),
          source,
        })),
    ],
    [
      'anilist-waifu',
      ({ values: { waifu = '' } }) =>
        cache.get(`waifu ${waifu}`, async () => {
          const [best] = await aniListQuota(() => aniList.characters(waifu));
          if (!best) {
            throw new AppError('nothing_found');
          }
          return { waifu: best, source };
        }),
    ],
  ];
}

export { openApiDocument } from './openapi.ts';
export { createPublicFiles } from './public-files.ts';
