/** Anime: pictures of characters, and lists of films for adults. */
import { pictureAnswer, videosAnswer } from './answers.ts';
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
