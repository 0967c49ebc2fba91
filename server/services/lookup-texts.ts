/** What the bot says about anime, manga and music that it looks up. `title` is the name of one of them. */

export const lookupTexts = {
  /** `example` is a command as it is typed. */
  usage: (example: string) => `What are you looking for? For example: ${example}`,
  none: (query: string) => `AniList knows nothing by the name “${query}”.`,
  choose: (query: string) => `Which “${query}” do you mean?`,
  over: 'AniList does not have this any more.',
  source: (name: string) => `Source: ${name}`,

  formats: {
    TV: 'TV series',
    TV_SHORT: 'short TV series',
    MOVIE: 'film',
    SPECIAL: 'special',
    OVA: 'OVA',
    ONA: 'web series',
    MUSIC: 'music video',
    MANGA: 'manga',
    NOVEL: 'novel',
    ONE_SHOT: 'one-shot',
  },
  statuses: {
    FINISHED: 'finished',
    RELEASING: 'still running',
    NOT_YET_RELEASED: 'not out yet',
    CANCELLED: 'cancelled',
    HIATUS: 'paused',
  },
  seasons: {
    WINTER: (year: string) => `winter ${year}`,
    SPRING: (year: string) => `spring ${year}`,
    SUMMER: (year: string) => `summer ${year}`,
    FALL: (year: string) => `autumn ${year}`,
  },
  episodes: (count: number) => `${count} ${count === 1 ? 'episode' : 'episodes'}`,
  chapters: (count: number) => `${count} ${count === 1 ? 'chapter' : 'chapters'}`,
  volumes: (count: number) => `${count} ${count === 1 ? 'volume' : 'volumes'}`,
  score: (score: number) => `${score} of 100`,
  genres: (genres: string) => `Genres: ${genres}`,
  works: (titles: string) => `Best known for: ${titles}`,
  liked: (count: number) => `Liked by ${count} ${count === 1 ? 'user' : 'users'} of AniList`,

  airs: (episode: number, wait: string, day: string, time: string) =>
    `Episode ${episode} airs in ${wait}: ${day}, ${time} UTC.`,
  noNext: (title: string) => `No further episode of ${title} is announced.`,
  remindMe: 'Remind me',
  willRemind: (title: string, episode: number) =>
    `I will write to you when episode ${episode} of ${title} airs.`,
  startFirst: 'I may not write to you yet. Open my private chat, press Start, and try again.',
  reminder: (title: string, episode: number) => `Episode ${episode} of ${title} airs now.`,

  schedule: 'In the next 24 hours, in UTC:',
  airing: (time: string, title: string, episode: number) => `${time} ${title}, episode ${episode}`,
  season: (season: string) => `Most popular in ${season}:`,
  top: 'Best rated:',
  recommended: (title: string) => `Those who like ${title} also like:`,
  noneRecommended: (title: string) => `No one has recommended anything to those who like ${title}.`,

  watching: 'You are watching:',
  watchingNothing: 'You are watching nothing at the moment.',
  progress: (title: string, progress: number) => `${title}: ${progress}`,
  progressWithTotal: (title: string, progress: number, episodes: number) =>
    `${title}: ${progress} of ${episodes}`,
  more: (count: number) => `And ${count} more at AniList.`,
  completed: (title: string) => `You have watched all of ${title}.`,
  atMost: (title: string, episodes: number) =>
    `${title} has ${episodes} ${episodes === 1 ? 'episode' : 'episodes'}.`,
  notYours: 'This is the list of another user.',

  nothingPlaying: 'Nothing is playing.',
  listen: 'Open in Spotify',
  picture: 'Open the picture',
} as const;
