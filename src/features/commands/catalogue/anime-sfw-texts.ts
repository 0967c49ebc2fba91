/** Titles and descriptions of the anime commands for everyone. */

export const animeSfwTexts = {
  anime: {
    title: 'Anime',
    description:
      'Looks a series up on AniList: score, episodes, genres, studio and what it is about.',
  },
  manga: {
    title: 'Manga',
    description: 'Looks a manga or light novel up on AniList.',
  },
  character: {
    title: 'Character',
    description: 'Shows a character with a portrait, other names, and the series they are in.',
  },
  staff: {
    title: 'Staff',
    description: 'Finds a director, author, animator or voice actor and their best-known work.',
  },
  studio: {
    title: 'Studio',
    description: 'Lists what an animation studio has made, the most popular first.',
  },
  airing: {
    title: 'Airing',
    description: 'Tells when the next episode of a series is on, in your own time zone.',
  },
  schedule: {
    title: 'Schedule',
    description: 'Lists what is on air today, or on another day of the week.',
  },
  season: {
    title: 'Season',
    description: 'Shows the series of this season, or of any other, by popularity.',
  },
  topanime: {
    title: 'Top anime',
    description: 'Lists the best-rated series of all time, or of one genre.',
  },
  recommend: {
    title: 'Recommend',
    description: 'Suggests what to watch next after a series you liked.',
  },
  watchlist: {
    title: 'Watch list',
    description:
      'Shows your AniList progress once your account is linked, and marks an episode as seen.',
  },
  sfw: {
    title: 'Anime picture',
    description: 'Sends a picture of a character you name, suitable for any group.',
  },
  pixiv: {
    title: 'Pixiv',
    description: 'Sends artwork of a character from Pixiv, with the artist’s name and the source.',
  },
  waifu: {
    title: 'Waifu',
    description: 'Draws a character of the day for you; it stays yours until midnight.',
  },
  sauce: {
    title: 'Find the source',
    description: 'Finds out which series and episode a screenshot comes from.',
  },
  animequote: {
    title: 'Quote',
    description: 'Sends a line from an anime, with who said it and where.',
  },
  react: {
    title: 'Reactions',
    description: 'Answers with a short animation: a hug, a pat, a wave and more.',
  },
} as const;
