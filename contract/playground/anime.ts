/** Anime: pictures of characters, and lists of films for adults. */
import { pictureAnswer, videosAnswer } from './answers.ts';
import { type Parameter, type PublicEndpoint } from './public-endpoint.ts';

const defaultCharacter = 'Hatsune Miku';

const character: Parameter = {
  name: 'character',
  type: 'text',
  required: false,
  description: 'The character to search for.',
  placeholder: 'Enter a character name',
  defaultValue: defaultCharacter,
  maxLength: 100,
};

const pictureExamples = [
  {
    name: 'The default character',
    description: 'A picture of the character that is used when no name is given.',
    parameters: { character: defaultCharacter },
  },
  {
    name: 'Another character',
    description: 'A picture of another character.',
    parameters: { character: 'Totoro' },
  },
];

const shared = {
  method: 'GET',
  category: 'Anime',
  parameters: [character],
  examples: pictureExamples,
  preview: 'image',
  answer: pictureAnswer,
} as const;

export const animeEndpoints = [
  {
    ...shared,
    id: 'anime-sfw',
    name: 'Anime picture (SFW)',
    path: '/anime/sfw',
    description: 'A picture of an anime character that is safe for all ages.',
    is18plus: false,
  },
  {
    ...shared,
    id: 'anime-nsfw',
    name: 'Anime picture (NSFW)',
    path: '/anime/nsfw',
    description: 'A picture of an anime character for adults.',
    is18plus: true,
  },
  {
    ...shared,
    id: 'anime-pixiv',
    name: 'Pixiv',
    path: '/anime/pixiv',
    description: 'Pictures of an anime character by artists of Pixiv.',
    is18plus: false,
  },
  {
    ...shared,
    id: 'anime-kemono',
    name: 'Kemono',
    path: '/anime/kemono',
    description: 'Pictures of an anime character from Kemono, for adults.',
    is18plus: true,
  },
] as const satisfies readonly PublicEndpoint[];

export const hanimeEndpoints = [
  {
    id: 'hanime',
    name: 'Hanime',
    method: 'GET',
    path: '/hanime',
    description: 'One page of a list of animated films for adults.',
    category: 'Hanime',
    parameters: [
      {
        name: 'page',
        type: 'number',
        required: true,
        description: 'Which page of the list, from 1.',
        placeholder: '1',
        maxLength: 4,
      },
    ],
    examples: [
      { name: 'First page', description: 'The start of the list.', parameters: { page: '1' } },
      { name: 'Next page', description: 'The second page of the list.', parameters: { page: '2' } },
    ],
    is18plus: true,
    answer: videosAnswer,
  },
] as const satisfies readonly PublicEndpoint[];
