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
  unsaved: 'Kept for a day only: there is no account in Nori with room for it.',

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
