/** Look-ups of anime and their characters. */
import { animeAnswer, charactersAnswer, waifuAnswer } from './answers.ts';
import { type PublicEndpoint } from './public-endpoint.ts';

/** Who is looked up when nobody is named. */
const usualWaifu = 'Mikasa Ackerman';

const shared = { method: 'GET', category: 'AniList', is18plus: false } as const;

export const anilistEndpoints = [
  {
    ...shared,
    id: 'anilist-character',
    name: 'Character',
    path: '/anilist/character',
    description: 'Characters with this name, with a picture and what is told about them.',
    parameters: [
      {
        name: 'character',
        type: 'text',
        required: false,
        description: 'The name to look for. Without one, the favourites of AniList.',
        placeholder: 'Enter a character name',
        maxLength: 100,
      },
    ],
    examples: [
      {
        name: 'A detective',
        description: 'A character by the family name.',
        parameters: { character: 'Edogawa' },
      },
      {
        name: 'A full name',
        description: 'A character by the whole name.',
        parameters: { character: 'Spike Spiegel' },
      },
    ],
    answer: charactersAnswer,
  },
  {
    ...shared,
    id: 'anilist-anime',
    name: 'Anime',
    path: '/anilist/anime',
    description: 'Anime with this title: year, episodes, score, genres and cover.',
    parameters: [
      {
        name: 'query',
        type: 'text',
        required: true,
        description: 'The title to look for, in any language.',
        placeholder: 'Enter an anime title',
        maxLength: 100,
      },
    ],
    examples: [
      {
        name: 'A classic',
        description: 'A series by its title.',
        parameters: { query: 'Cowboy Bebop' },
      },
      {
        name: 'In Japanese',
        description: 'A film by its Japanese title.',
        parameters: { query: 'となりのトトロ' },
      },
    ],
    answer: animeAnswer,
  },
  {
    ...shared,
    id: 'anilist-waifu',
    name: 'Waifu',
    path: '/anilist/waifu',
    description: 'The one character that fits a name best.',
    parameters: [
      {
        name: 'waifu',
        type: 'text',
        required: false,
        description: 'The name to look for.',
        placeholder: 'Enter a character name',
        defaultValue: usualWaifu,
        maxLength: 100,
      },
    ],
    examples: [
      {
        name: 'The usual one',
        description: 'Who is looked up when nobody is named.',
        parameters: { waifu: usualWaifu },
      },
      { name: 'Another one', description: 'Somebody else.', parameters: { waifu: 'Holo' } },
    ],
    answer: waifuAnswer,
  },
] as const satisfies readonly PublicEndpoint[];
