/** AniList: searches for anime and characters. */
import { animeAnswer, charactersAnswer, waifuAnswer } from './answers.ts';
import { type PublicEndpoint } from './public-endpoint.ts';
import { playgroundTexts as texts } from './texts.ts';

const defaultWaifu = 'Mikasa Ackerman';

const shared = { method: 'GET', category: 'AniList', is18plus: false } as const;

export const anilistEndpoints = [
  {
    ...shared,
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
    ...shared,
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
    ...shared,
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
