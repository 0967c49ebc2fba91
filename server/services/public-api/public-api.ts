/** Who answers each endpoint of the public API: AniList, the configured server, or an offline example. */
import { type PublicEndpointId } from '#contract/playground/endpoints';
import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { createMemoryCache } from '#server/lib/memory-cache';
import { createRestraint } from '#server/upstream/connections/oauth';
import { connectAniListLookup } from '#server/upstream/public-api/anilist-lookup';
import { connectPublicUpstream } from '#server/upstream/public-api/public-upstream';

import { createOfflineSpeech } from './offline-speech.ts';
import { createOfflineAnswers, type OfflineQuestion } from './offline.ts';
import { createPublicFiles, type PublicFiles } from './public-files.ts';

type Answered = {
  readonly answer: Record<string, unknown>;
  /** Seconds that anybody may keep the answer. */
  readonly maxAgeS: number;
};

export type PublicApi = {
  readonly files: PublicFiles;
  /** Throws what `PublicUpstream` does, and `nothing_found`. `values` have been checked. */
  readonly answer: (endpoint: PublicEndpoint, question: OfflineQuestion) => Promise<Answered>;
};

const minuteMs = 60_000;
/** AniList may be asked thirty times a minute: what it said is good for a while. */
const lookupLifetimeMs = 15 * minuteMs;
const lookupMaxAgeS = 300;
const keptLookups = 500;

type Answer = Record<string, unknown>;
type Make = (question: OfflineQuestion) => Answer | Promise<Answer>;
type Lookup = (question: OfflineQuestion) => Promise<Record<string, unknown>>;

export function createPublicApi(
  deps: Pick<Dependencies, 'env' | 'clock' | 'random' | 'serviceTimeoutMs'>,
): PublicApi {
  const { aniListRoot, upstream: root } = deps.env.publicApi;
  const files = createPublicFiles(deps);
  const offline = new Map<string, Make>(
    Object.entries({
      ...createOfflineAnswers({ files, random: deps.random }),
      ...createOfflineSpeech(files),
    } satisfies Record<PublicEndpointId, unknown>),
  );
  const upstream =
    root === undefined ? undefined : connectPublicUpstream(root, deps.serviceTimeoutMs);
  const lookups =
    aniListRoot === undefined ? new Map<string, Lookup>() : createLookups(deps, aniListRoot);

  return {
    files,
    answer: async (endpoint, question) => {
      const lookUp = lookups.get(endpoint.id);
      if (lookUp) {
        return { answer: await lookUp(question), maxAgeS: lookupMaxAgeS };
      }
      // Lists of voices hardly ever change; everything else may be another thing at every call.
      const maxAgeS = endpoint.isSupporting ? lookupMaxAgeS : 0;
      if (upstream) {
        return { answer: await upstream.answer(endpoint, question.values), maxAgeS };
      }
      const make = offline.get(endpoint.id);
      if (!make) {
        throw new AppError('service_not_set_up');
      }
      return { answer: await make(question), maxAgeS };
    },
  };
}

function createLookups(
  { clock, serviceTimeoutMs: timeoutMs }: Pick<Dependencies, 'clock' | 'serviceTimeoutMs'>,
  apiRoot: string,
): ReadonlyMap<string, Lookup> {
  const aniList = connectAniListLookup({ apiRoot, timeoutMs });
  const unlessBusy = createRestraint('AniList', clock);
  const kept = createMemoryCache<Record<string, unknown>>({
    max: keptLookups,
    lifetimeMs: lookupLifetimeMs,
    clock,
  });
  const source = 'anilist';
  return new Map<string, Lookup>([
    [
      'anilist-character',
      ({ values: { character = '' } }) =>
        kept.get(`character ${character}`, async () => ({
          characters: await unlessBusy(() => aniList.characters(character)),
          source,
        })),
    ],
    [
      'anilist-anime',
      ({ values: { query = '' } }) =>
        kept.get(`anime ${query}`, async () => ({
          anime: await unlessBusy(() => aniList.anime(query)),
          source,
        })),
    ],
    [
      'anilist-waifu',
      ({ values: { waifu = '' } }) =>
        kept.get(`waifu ${waifu}`, async () => {
          const [best] = await unlessBusy(() => aniList.characters(waifu));
          if (!best) {
            throw new AppError('nothing_found');
          }
          return { waifu: best, source };
        }),
    ],
  ]);
}
