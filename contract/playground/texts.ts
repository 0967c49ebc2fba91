/** What users read of the public API: in the playground, and in its document. */

export const playgroundTexts = {
  categories: {
    anime: 'Anime',
    downloaders: 'Downloaders',
    speech: 'Text to speech',
    animeSpeech: 'Anime text to speech',
    otherSpeech: 'Other text to speech',
  },

  sfw: {
    name: 'Anime picture (SFW)',
    description: 'A picture of an anime character that is safe for all ages.',
  },
  nsfw: {
    name: 'Anime picture (NSFW)',
    description: 'A picture of an anime character for adults.',
  },
  pixiv: { description: 'Pictures of an anime character by artists of Pixiv.' },
  kemono: { description: 'Pictures of an anime character from Kemono, for adults.' },
  pictures: {
    character: {
      description: 'The character to search for.',
      placeholder: 'Enter a character name',
    },
    examples: {
      first: {
        name: 'The default character',
        description: 'A picture of the character that is used when no name is given.',
      },
      other: { name: 'Another character', description: 'A picture of another character.' },
    },
  },

  hanime: {
    description: 'One page of a list of animated films for adults.',
    page: { description: 'Which page of the list, from 1.' },
    examples: {
      first: { name: 'First page', description: 'The start of the list.' },
      next: { name: 'Next page', description: 'The second page of the list.' },
    },
  },

  characters: {
    name: 'Character',
    description: 'Characters with this name, with a picture and a description.',
    character: {
      description: 'The name to search for. Without one, the favourites of AniList.',
      placeholder: 'Enter a character name',
    },
    examples: {
      family: { name: 'A detective', description: 'A character by the family name.' },
      whole: { name: 'A full name', description: 'A character by the whole name.' },
    },
  },
  titles: {
    name: 'Anime',
    description: 'Anime with this title: year, episodes, score, genres and cover.',
    query: {
      description: 'The title to search for, in any language.',
      placeholder: 'Enter an anime title',
    },
    examples: {
      classic: { name: 'A classic', description: 'A series by its title.' },
      japanese: { name: 'In Japanese', description: 'A film by its Japanese title.' },
    },
  },
  waifu: {
    name: 'Waifu',
    description: 'The character that matches a name best.',
    waifu: { description: 'The name to search for.', placeholder: 'Enter a character name' },
    examples: {
      first: {
        name: 'The default',
        description: 'The character that is used when no name is given.',
      },
      other: { name: 'Another one', description: 'Another character.' },
    },
  },

  /** Of a social network, by its name. */
  download: {
    description: (network: string) => `The pictures and films behind a link to ${network}.`,
    url: (network: string) => `The link to a post on ${network}.`,
    example: {
      name: 'A post',
      description: (network: string) => `A link to ${network}.`,
    },
  },

  speech: {
    names: {
      plain: 'Synthesize speech',
      anime: 'Synthesize anime speech',
      other: 'Synthesize other speech',
    },
    description: 'Speaks a text with one of the voices of this collection.',
    category: { description: 'The group of voices.', placeholder: 'Select a category' },
    character: { description: 'The voice of the group.', placeholder: 'Select a character' },
    text: { description: 'The text to speak.', placeholder: 'Enter the text to speak' },
    language: { description: 'The language of the text.' },
    examples: {
      en: { name: 'English', description: 'The initial sentence.' },
      ja: { name: 'Japanese', description: 'A greeting in Japanese.' },
      zh: { name: 'Chinese', description: 'A greeting in Chinese.' },
      ko: { name: 'Korean', description: 'A greeting in Korean.' },
    },
    categories: {
      name: (collection: string) => `${collection}: categories`,
      description: 'The groups of voices in this collection.',
    },
    characters: {
      name: (collection: string) => `${collection}: characters`,
      description: 'The voices of one group.',
      category: { description: 'A group of voices, as the categories call lists them.' },
      example: { description: 'The voices of this group.' },
    },
  },
} as const;

/** What is wrong with the value of a parameter. */
export const mistakeTexts = {
  missing: (parameter: string) => `${parameter} is required`,
  tooLong: (parameter: string, max: number) =>
    `${parameter} may have at most ${max} ${max === 1 ? 'character' : 'characters'}`,
  notWhole: (parameter: string) => `${parameter} must be a whole number from 1`,
  unknown: (parameter: string, options: string) => `${parameter} must be one of ${options}`,
  noLink: (parameter: string) => `${parameter} must be a link that begins with https://`,
  otherSite: (parameter: string, site: string) => `${parameter} must be a link to ${site}`,
} as const;
