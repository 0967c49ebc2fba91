/** AniList: searches for anime and characters. */
import { animeAnswer, charactersAnswer, waifuAnswer } from './answers.ts';
import { type PublicEndpoint } from './public-endpoint.ts';

const defaultWaifu = 'Mikasa Ackerman';

const shared = { method: 'GET', category: 'AniList', is18plus: false } as const;

export const anilistEndpoints = [
  {
    ...shared,
    id: 'anilist-character',
    name: 'Character',
    path: '/anilist/character',
    description: 'Characters with this name, with a picture and a description.',
    parameters: [
      {
        name: 'character',
        type: 'text',
        required: false,
        description: 'The name to search for. Without one, the favourites of AniList.',
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
        description: 'The title to search for, in any language.',
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
    description: 'The character that matches a name best.',
    parameters: [
      {
        name: 'waifu',
        type: 'text',
        required: false,
        description: 'The name to search for.',
        placeholder: 'Enter a character name',
        defaultValue: defaultWaifu,
        maxLength: 100,
      },
    ],
    examples: [
      {
        name: 'The default',
        description: 'The character that is used when no name is given.',
        parameters: { waifu: defaultWaifu },
      },
      { name: 'Another one', description: 'Another character.', parameters: { waifu: 'Holo' } },
    ],
    answer: waifuAnswer,
  },
] as const satisfies readonly PublicEndpoint[];
