/** What the bot says of pictures that it makes or sends. */

export const pictureMessageTexts = {
  /** While it is made. `prompt` may be cut. */
  waiting: (prompt: string) => `In the queue: ${prompt}`,
  painting: (prompt: string) => `Painting: ${prompt}`,
  /** What becomes the picture a moment later. */
  ready: (prompt: string) => `Ready: ${prompt}`,
  stopped: 'Stopped.',
  failed: (reason: string) => `No picture came of it. ${reason}`,
  gone: 'This picture is not there any more.',
  noRight: 'The picture is ready, but I may not send pictures here.',
  notShown: 'Telegram does not take this picture.',

  /** Below a picture. */
  seed: (seed: string) => `seed ${seed}`,
  /** The engine that needs no service. */
  sketch: 'a sketch, made offline and without AI',
  /** Of a picture that is in no history. */
  unsaved: 'In no history: there is no account in Nori with room for it.',

  howToImagine:
    'What shall I paint? For example: /imagine a fox in the snow --ar 16:9 --no text --seed 5. Or reply to a message with /imagine.',
  howToEnhance:
    'Which prompt shall I make better? For example: /enhance a fox in the snow. Or reply to a message with /enhance.',
  /** `name` is what was typed. */
  unknownOption: (name: string) => `I do not know ${name}. There are --ar, --no and --seed.`,
  /** `names` are ratios with commas between. */
  unknownRatio: (names: string) => `There are these aspect ratios: ${names}.`,
  asYourself: 'Pictures belong to a person. Write under your own name.',
  stillAtIt: 'I am still at your last picture here.',
  begun: 'I have begun.',
  notYours: 'Only who asked for the picture, or an administrator, can stop it.',
  notMade: 'It is not being made any more.',
  better: (engine: string) => `A better prompt, by ${engine}:`,
  betterByRules: 'A better prompt, by rules and offline:',
  promptOver: 'This prompt is older than a day. Write /enhance once more.',
  fileInPrivate: 'The file is in our private chat.',
  startFirst: 'I could not send you the file. Press Start in our private chat, then try again.',
  pictureLink: 'The picture opens in Nori. Only who made it has it there.',
  remixLink: 'The recipe of the picture opens in Nori.',

  /** Buttons. */
  buttons: {
    again: 'Again',
    remix: 'Remix',
    file: 'File',
    open: 'Open in Nori',
    share: 'Share',
    cancel: 'Cancel',
    makeIt: 'Make it',
  },
} as const;
