/** Titles and descriptions of the commands about anime; a description has at most 256 characters. */

export const animeTexts = {
  anime: { title: 'Anime', description: 'Finds an anime: what it is about, episodes, score.' },
  manga: { title: 'Manga', description: 'Finds a manga: what it is about, chapters, score.' },
  character: { title: 'Character', description: 'Finds a character of an anime or manga.' },
  staff: { title: 'Staff', description: 'Finds those who make anime, and their best known works.' },
  studio: { title: 'Studio', description: 'Finds a studio and its best known anime.' },
  airing: {
    title: 'Next episode',
    description: 'Says when the next episode of an anime airs, and reminds you of it.',
  },
  schedule: {
    title: 'Schedule',
    description: 'Lists the episodes that air in the next 24 hours.',
  },
  season: {
    title: 'Season',
    description: 'Lists the most popular anime of this season, or of another one.',
  },
  topanime: { title: 'Best anime', description: 'Lists the ten best rated anime.' },
  recommend: {
    title: 'Recommendations',
    description: 'Lists what people who like an anime like, too.',
  },
  waifu: { title: 'Waifu', description: 'Shows one of the best liked heroines by chance.' },
  watchlist: {
    title: 'Watchlist',
    description: 'Shows what you are watching at AniList, and notes what you have watched.',
  },
  sfw: {
    title: 'Picture',
    description: 'Sends a picture of an anime character that is safe for all ages.',
  },
} as const;
