/** What is said about pictures and where they are kept. */
export const pictureTexts = {
  interrupted: 'Interrupted',
  notMade: (reason: string) => `An image could not be made: ${reason}`,
  /** Said to those who do not see it arrive. */
  ready: (count: number) => (count > 1 ? 'The images are ready.' : 'The image is ready.'),
  /** Of a picture on the page. */
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
  notDeleted: 'The picture could not be deleted. It is back in your history.',
  /** For the console alone. */
  historyFailed: 'The history could not be loaded',
  historyFull: 'This device has no room left for your history. It lasts until you close the page.',
  /** What the two calls that tell names answer when they fail; nobody is shown it. */
  modelCacheFailed: 'Failed to update model cache',
  generationsFailed: 'Failed to update generations',
  httpError: (status: number) => `HTTP error! status: ${status}`,
  startFailed: (message: string) => `Failed to start generation: ${message}`,
} as const;
