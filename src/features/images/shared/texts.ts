/** The texts of the parts that the providers share. */

/** About pictures and where they are kept. */
export const pictureTexts = {
  further: {
    heading: 'From this picture',
    strength: 'Strength of the variation (%)',
    vary: 'Make a variation',
    enlarge: 'Enlarge',
    repaint: 'Repaint a part',
  },

  interrupted: 'Interrupted',
  silent: 'The server does not answer.',
  /** While a picture is made. */
  queue: {
    before: (count: number) =>
      count === 1 ? 'One picture is before yours.' : `${count} pictures are before yours.`,
    expected: (wait: string) => `It will take about ${wait}.`,
  },
  unanswered: 'The server does not answer. Still trying...',
  stop: 'Stop',
  notMade: (reason: string) => `An image could not be made: ${reason}`,
  /** For screen readers. */
  ready: (count: number) => (count === 1 ? 'The image is ready.' : 'The images are ready.'),
  loading: 'Loading the image',
  notLoaded: 'Failed to load image',
  enlarge: (alt: string) => `Enlarge: ${alt}`,
  download: 'Download',
  notDownloaded: 'The image could not be downloaded.',
  noRoom: 'This device has no room left for more pictures. Download it, or delete older ones.',
  notLasting: 'This browser does not let Nori keep pictures. Download what you want to keep.',
  madeRoom: (count: number) =>
    count === 1
      ? 'The device was full: the oldest picture made room and is kept as a small copy.'
      : `The device was full: the ${count} oldest pictures made room and are kept as small copies.`,
  notRestored: 'Your account no longer has this picture, so it could not be restored there.',
  notDeleted: 'The picture could not be deleted. It is back in your history.',
  staysHere: (reason: string) => `${reason} The picture stays on this device.`,
  historyFull: 'This device has no room left for your history. It lasts until you close the page.',
} as const;

/** Sending and sharing pictures. */
export const sharingTexts = {
  send: 'Send to my chat',
  sendFile: 'Send to my chat as a file',
  menu: 'Share',
  toChat: 'Share to a chat',
  story: 'Post as a story',
  toApp: 'Share to another app',
  copyLink: 'Copy link',
  copied: 'Link copied. It works for at least a day.',
  notCopied: 'The link could not be copied.',
  sent: 'Sent. Look in your chat with the bot.',
  pending: 'Telegram does not answer. The bot will send the picture later.',
  notSent: 'The picture could not be sent.',
  prepared: 'The picture can be shared now.',
  notShared: 'The picture could not be shared. Try again.',
  openBot: 'Open the bot',
  tell: 'Tell me when it is ready',
  willTell: 'The bot will tell you when it is ready.',
  notTold: 'The bot could not be asked to tell you.',
} as const;

/** Why a provider has made no picture. The server's reason may follow in a line of its own. */
export const failureTexts = {
  httpError: (status: number) => `HTTP error! status: ${status}`,
  startFailed: (message: string) => `Failed to start generation: ${message}`,
  failed: 'Generation failed.',
  failedWith: (status: number) => `Generation failed with status: ${status}`,
  notGenerated: 'Failed to generate image',
  unknown: 'An error occurred during generation.',
} as const;

/** A picture of the user's own that others are made from. */
export const sourceTexts = {
  choose: 'Start from a picture',
  other: 'Another picture',
  remove: 'Remove the picture',
  chosen: 'The picture that it starts from',
  hint: 'It is sent to the server and to the service that makes pictures, and deleted from the server after a day.',
  notSent: 'The picture could not be sent.',
  tooLarge: 'The file is larger than 20 MB. Use a smaller one.',
} as const;

/** Painting over the part of a picture that is made anew. */
export const inpaintTexts = {
  title: 'Repaint a part',
  hint: 'Paint over what should change.',
  canvas: 'The picture. The arrow keys move the brush, Space paints.',
  brush: 'Size of the brush (%)',
  clear: 'Clear',
  prompt: 'What the picture should show',
  strength: 'Strength of the change (%)',
  start: 'Repaint',
  cancel: 'Cancel',
  notSent: 'The marked part could not be sent.',
} as const;

/** In the forms. */
export const formTexts = {
  prompt: 'Prompt',
  promptExample: 'A lighthouse on a cliff at dawn, soft light',
  enhance: 'Enhance',
  enhancing: 'Enhancing...',
  enhanced: 'Prompt enhanced.',
  offline: 'Rewritten offline, without AI.',
  enhanceFailed: 'Failed to enhance prompt',
  undo: 'Undo',
  seedExample: 'Random if empty',
  randomSeed: 'Random seed',
  ratio: 'Aspect Ratio',
  pixels: (width: number, height: number) => `${width} × ${height} pixels`,
  scrollBack: 'Earlier aspect ratios',
  scrollOn: 'More aspect ratios',
  /** `count` says how many there are. */
  tooLong: (limit: number, count: string) => `At most ${limit} characters: ${count}`,
} as const;

/** About the recipe inside of a picture's file. */
export const recipeTexts = {
  read: 'Read a picture’s recipe',
  hint: 'Choose a picture, or paste or drop one here. It stays on this device.',
  drop: 'Drop the picture to read its recipe.',
  found: 'Recipe found',
  remix: 'Remix',
  ignore: 'Ignore',
  model: 'Model',
  size: 'Size',
  otherModel: 'Another program made it, so choose a model like this one.',
  none: 'No recipe in this picture. Messengers and many sites remove it: use the original file.',
  tooLarge: 'The file is larger than 30 MB. Use a smaller one.',
  /** Of a recipe that the bot has read. */
  expired: 'This recipe has expired. Send the picture to the bot again.',
  keep: 'Keep the recipe in files that I download',
} as const;

export const sketchTexts = {
  title: 'Pictures are drawn offline, without AI.',
  text: 'No image provider is connected to this server yet.',
  /** For operators: the names of environment variables. */
  setUp: (variable: string) => `To connect one, set ${variable}.`,
  setUpEither: (variable: string, other: string) => `To connect one, set ${variable} or ${other}.`,
} as const;
