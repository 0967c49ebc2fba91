/**
 * Examples: the answers of the public API while no source is connected. They have the right shape, and
 * are marked as examples. Pictures are sketches of landscapes, suitable for all ages.
 */
import { createHash } from 'node:crypto';

import { type PublicEndpointId } from '#contract/playground/endpoints';
import { type Random } from '#server/lib/random';

import { type PublicFiles } from './public-files.ts';

export type PublicRequest = {
  readonly values: Readonly<Record<string, string>>;
  /** The origin that the client uses for this server. */
  readonly origin: string;
};

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

export function createExamples({
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
