/**
 * The public API. Each endpoint is answered by AniList, a speech server or another server, as the
 * operator has configured it, otherwise by examples. The rest of the server imports this module only from here.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';

import { pictureAnswer } from '#contract/playground/answers';
import { type PublicEndpointId } from '#contract/playground/endpoints';
import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type Random } from '#server/lib/random';
import { connectAniListLookup } from '#server/upstream/public-api/public-upstream';
import { connectPublicUpstream } from '#server/upstream/public-api/public-upstream';
import { type AniListQuota } from '#services/lookups';

import { createPublicFiles, type PublicFiles } from './public-files.ts';
import { createSpeech, createSpeechAnswers } from './speech.ts';

type PublicRequest = {
  readonly values: Readonly<Record<string, string>>;
  /** The origin that the client uses for this server. */
  readonly origin: string;
};

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

/**
 * Examples: the answers while no source is connected. They have the right shape, and are marked as examples. Pictures are
 * sketches of landscapes, suitable for all ages.
 */
type MakeExample = (request: PublicRequest) => Record<string, unknown>;

const notes = {
  picture:
    'An example: this server is connected to no source of pictures. A landscape was painted for it, without AI.',
  list: 'An example: this server is connected to no list of films. Titles and covers are made up.',
  lookup: 'An example: this server does not ask AniList. What it says is made up.',
  download:
    'An example: this server is connected to no downloader, and has not opened the link. The picture is made up.',
} as const;

const shapes = {
  portrait: { width: 512, height: 640 },
  landscape: { width: 640, height: 400 },
} as const;

/** Prompts of the pictures. */
const scenes = [
  'a quiet sea at dusk',
  'mountains in the morning mist',
  'a lighthouse by the sea',
  'a forest in autumn',
  'a city at night',
  'cherry trees by a river',
] as const;

const filmsPerPage = 12;
const filmPages = 9;
const imagesPerAnswer = 3;

/** All but the speech endpoints. */
type ExampleId = Exclude<
  PublicEndpointId,
  `${string}-synthesize` | `${string}-categories` | `${string}-characters`
>;

const mark = (note: keyof typeof notes) => ({
  is_demo: true,
  note: notes[note],
  source: 'offline',
});

/** Returns a link to a picture, the same for the same seed. */
type GetPicture = (origin: string, seed: string, shape?: keyof typeof shapes) => string;

function createExamples({
  files,
  random,
}: {
  readonly files: PublicFiles;
  readonly random: Random;
}) {
  const picture: GetPicture = (origin, seed, shape = 'portrait') => {
    const number = createHash('sha256').update(seed).digest().readUInt16BE(0);
    const words = scenes[number % scenes.length] ?? scenes[0];
    return files.link(origin, { kind: 'picture', words, seed, ...shapes[shape] });
  };

  const randomPicture = (origin: string) => picture(origin, random.digits(12));

  const onePicture: MakeExample = ({ values: { character = '' }, origin }) => ({
    result: randomPicture(origin),
    character,
    ...mark('picture'),
  });

  const manyPictures: MakeExample = ({ values: { character = '' }, origin }) => ({
    images: Array.from({ length: imagesPerAnswer }, () => ({
      stream_url: randomPicture(origin),
      title: 'Example picture',
    })),
    character,
    ...mark('picture'),
  });

  const download: MakeExample = ({ values: { url = '' }, origin }) => ({
    url,
    title: 'Example post',
    media: [{ type: 'image', stream_url: picture(origin, `post ${url}`, 'landscape') }],
    ...mark('download'),
  });

  return {
    'anime-sfw': onePicture,
    'anime-nsfw': onePicture,
    'anime-pixiv': manyPictures,
    'anime-kemono': manyPictures,
    hanime: films(picture),
    ...lookups(picture),
    douyin: download,
    tk: download,
    fb: download,
    insta: download,
    x: download,
    pin: download,
    threads: download,
  } satisfies Record<ExampleId, MakeExample>;
}

function films(picture: GetPicture): MakeExample {
  return ({ values: { page: asked = '1' }, origin }) => {
    const page = Number(asked);
    const count = page > filmPages ? 0 : filmsPerPage;
    return {
      page,
      pages: filmPages,
      videos: Array.from({ length: count }, (_, index) => {
        const number = (page - 1) * filmsPerPage + index + 1;
        const cover = picture(origin, `film ${number}`, 'landscape');
        return { title: `Example film ${number}`, cover };
      }),
      ...mark('list'),
    };
  };
}

function lookups(picture: GetPicture) {
  const toCharacter = (name: string, origin: string) => ({
    name,
    description: 'An example. Nothing is known about this character here.',
    image: picture(origin, `character ${name.toLowerCase()}`),
  });

  return {
    'anilist-character': ({ values: { character = '' }, origin }) => ({
      characters: [toCharacter(character || 'Example character', origin)],
      ...mark('lookup'),
    }),
    'anilist-waifu': ({ values: { waifu = '' }, origin }) => ({
      waifu: toCharacter(waifu, origin),
      ...mark('lookup'),
    }),
    'anilist-anime': ({ values: { query = '' }, origin }) => ({
      anime: [
        {
          title: query,
          description: 'An example. Nothing is known about this anime here.',
          cover: picture(origin, `anime ${query.toLowerCase()}`),
        },
      ],
      ...mark('lookup'),
    }),
  } as const satisfies Record<string, MakeExample>;
}
