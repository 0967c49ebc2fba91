/** Anime: pictures of characters, lists of films for adults, and searches of AniList. */
import {
  animeAnswer,
  charactersAnswer,
  pictureAnswer,
  videosAnswer,
  waifuAnswer,
} from './answers.ts';
import { type Parameter, type PublicEndpoint } from './public-endpoint.ts';
import { playgroundTexts as texts } from './texts.ts';

const defaultCharacter = 'Hatsune Miku';

const character: Parameter = {
  name: 'character',
  type: 'text',
  required: false,
  ...texts.pictures.character,
  defaultValue: defaultCharacter,
  maxLength: 100,
};

const pictureExamples = [
  {
    ...texts.pictures.examples.first,
    parameters: { character: defaultCharacter },
  },
  {
    ...texts.pictures.examples.other,
    parameters: { character: 'Totoro' },
  },
];

const shared = {
  method: 'GET',
  category: texts.categories.anime,
  parameters: [character],
  examples: pictureExamples,
  preview: 'image',
  answer: pictureAnswer,
} as const;

export const animeEndpoints = [
  {
    ...shared,
    ...texts.sfw,
    id: 'anime-sfw',
    path: '/anime/sfw',
    is18plus: false,
  },
  {
    ...shared,
    ...texts.nsfw,
    id: 'anime-nsfw',
    path: '/anime/nsfw',
    is18plus: true,
  },
  {
    ...shared,
    id: 'anime-pixiv',
    name: 'Pixiv',
    path: '/anime/pixiv',
    description: texts.pixiv.description,
    is18plus: false,
  },
  {
    ...shared,
    id: 'anime-kemono',
    name: 'Kemono',
    path: '/anime/kemono',
    description: texts.kemono.description,
    is18plus: true,
  },
] as const satisfies readonly PublicEndpoint[];

export const hanimeEndpoints = [
  {
    id: 'hanime',
    name: 'Hanime',
    method: 'GET',
    path: '/hanime',
    description: texts.hanime.description,
    category: 'Hanime',
    parameters: [
      {
        name: 'page',
        type: 'number',
        required: true,
        description: texts.hanime.page.description,
        placeholder: '1',
        maxLength: 4,
      },
    ],
    examples: [
      { ...texts.hanime.examples.first, parameters: { page: '1' } },
      { ...texts.hanime.examples.next, parameters: { page: '2' } },
    ],
    is18plus: true,
    answer: videosAnswer,
  },
] as const satisfies readonly PublicEndpoint[];

const defaultWaifu = 'Mikasa Ackerman';

const anilistShared = { method: 'GET', category: 'AniList', is18plus: false } as const;

export const anilistEndpoints = [
  {
    ...anilistShared,
    id: 'anilist-character',
    name: texts.characters.name,
    path: '/anilist/character',
    description: texts.characters.description,
    parameters: [
      {
        name: 'character',
        type: 'text',
        required: false,
        ...texts.characters.character,
        maxLength: 100,
      },
    ],
    examples: [
      {
        ...texts.characters.examples.family,
        parameters: { character: 'Edogawa' },
      },
      {
        ...texts.characters.examples.whole,
        parameters: { character: 'Spike Spiegel' },
      },
    ],
    answer: charactersAnswer,
  },
  {
    ...anilistShared,
    id: 'anilist-anime',
    name: texts.titles.name,
    path: '/anilist/anime',
    description: texts.titles.description,
    parameters: [
      {
        name: 'query',
        type: 'text',
        required: true,
        ...texts.titles.query,
        maxLength: 100,
      },
    ],
    examples: [
      {
        ...texts.titles.examples.classic,
        parameters: { query: 'Cowboy Bebop' },
      },
      {
        ...texts.titles.examples.japanese,
        parameters: { query: 'となりのトトロ' },
      },
    ],
    answer: animeAnswer,
  },
  {
    ...anilistShared,
    id: 'anilist-waifu',
    name: texts.waifu.name,
    path: '/anilist/waifu',
    description: texts.waifu.description,
    parameters: [
      {
        name: 'waifu',
        type: 'text',
        required: false,
        ...texts.waifu.waifu,
        defaultValue: defaultWaifu,
        maxLength: 100,
      },
    ],
    examples: [
      {
        ...texts.waifu.examples.first,
        parameters: { waifu: defaultWaifu },
      },
      { ...texts.waifu.examples.other, parameters: { waifu: 'Holo' } },
    ],
    answer: waifuAnswer,
  },
] as const satisfies readonly PublicEndpoint[];
