/** Titles and descriptions of what the bot finds where it is written to by its name; at most 256 characters. */

export const inlineTexts = {
  'inline-anime': {
    title: 'Anime in any chat',
    description: 'Finds an anime at AniList and sends it to any chat.',
  },
  'inline-manga': {
    title: 'Manga in any chat',
    description: 'Finds a manga at AniList and sends it to any chat.',
  },
  'inline-character': {
    title: 'Characters in any chat',
    description: 'Finds a character of anime and manga at AniList and sends it to any chat.',
  },
  'inline-wiki': {
    title: 'Wikipedia in any chat',
    description: 'Finds a page of Wikipedia and sends its beginning to any chat.',
  },
  'inline-calc': {
    title: 'Calculator',
    description: 'Calculates what you type in any chat, and sends the result there.',
  },
  'inline-nowplaying': {
    title: 'What you hear, in any chat',
    description: 'Sends the song that you hear on Spotify to any chat.',
  },
  'inline-note': {
    title: 'Notes in any chat',
    description: 'Sends a note of a group that you manage in Nori to any chat.',
  },
  'inline-picture': {
    title: 'Your pictures in any chat',
    description: 'Finds the pictures that you have saved in Nori, and sends one to any chat.',
  },
  'inline-whisper': {
    title: 'Whisper',
    description:
      'A message in any chat that one person alone can read, at most 200 characters long. It is gone after seven days.',
  },
} as const;
