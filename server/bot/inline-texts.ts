/** What the bot says where it is written to by its name in any chat. */

export const inlineBotTexts = {
  /** Above the results, or instead of them; leads to the private chat with the bot. At most 64 characters. */
  buttons: {
    howTo: 'What you can write here',
    nothingFound: 'Nothing found',
    notNow: 'No answer right now. Try again.',
    tooMany: 'Too many questions. Try again later.',
    goOn: 'Go on typing',
    linkSpotify: 'Link Spotify',
    nothingPlays: 'Nothing is playing',
    noNotes: 'You manage no group with notes in Nori',
    noPictures: 'You have no saved pictures in Nori',
    notUnderstood: 'I cannot calculate that',
    divisionByZero: 'Nothing can be divided by zero',
    tooLarge: 'The result is too large',
    noNumber: 'That has no result',
    tooLong: (characters: number) => `At most ${characters} characters`,
    whisperTo: 'Write @name or an ID, then the whisper',
  },
  /** Under the description of a keyword. */
  tryIt: 'Try it',
  /** `name` is @name, or what someone is called. */
  whisper: {
    title: (name: string) => `Whisper to ${name}`,
    message: (name: string) => `A whisper for ${name}. Only they and the writer can read it.`,
    read: 'Read',
    notYours: (name: string) => `This whisper is for ${name}.`,
    gone: 'This whisper is gone.',
  },
  /** `usage` has a line for each keyword. */
  help: (usage: string) => `In any chat you can write:\n\n${usage}`,
  /** Added to the list of commands. `keywords` have commas between. */
  inHelp: (bot: string, keywords: string) =>
    `In any chat, write ${bot} and one of these: ${keywords}.`,
} as const;
