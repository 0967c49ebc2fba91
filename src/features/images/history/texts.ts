/** The texts of the history, its dialogs and the lightbox. */
export const historyTexts = {
  heading: 'History',
  refresh: 'Refresh',
  list: 'Your images',
  loading: 'Loading history...',
  empty: 'No generations yet. Start creating!',
  onlyHere: 'Only on this device.',
  leftHere: 'This is what this device has kept.',
  logInAgainGain: 'to sync it with your account.',
  logIn: 'Log in',
  takenIntoForm: 'Everything of this image is in the form again.',
  logInGain: 'to keep new images in your account, too.',

  madeBy: (engine = '') =>
    engine === 'sketch' ? 'The sketch engine, offline and without AI' : engine,
  keptIn: (isOnServer: boolean) => (isOnServer ? 'In your account' : 'Only on this device'),
  /** Of a time in epoch milliseconds; empty for 0, which is an unknown time. */
  moment: (ms: number) =>
    ms === 0 ? '' : new Date(ms).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),

  card: {
    name: (state: string, prompt: string) => `${state}: ${shortened(prompt)}`,
    image: 'Image',
    enlarge: (prompt: string) => `Enlarge: ${shortened(prompt)}`,
    alt: (prompt: string) => shortened(prompt),
    all: (count: number) => `All ${count} images`,
    download: 'Download',
    info: 'Info',
    delete: 'Delete',
    pending: 'In progress',
    failed: 'This image could not be made.',
    missing: 'This image is no longer on this device.',
    inAccount: 'This image is in your account. Log in to see it.',
    retry: 'Try again',
    makeAgain: 'Generate again',
    reuse: 'Use again',
    remove: 'Remove from history',
    removed: 'Removed from your history.',
  },

  details: {
    title: 'Image details',
    modelId: 'Model ID',
    modelName: 'Model Name',
    prompt: 'Prompt',
    negativePrompt: 'Negative Prompt',
    seed: 'Seed',
    ratio: 'Aspect Ratio',
    loras: 'LoRAs',
    lora: (name: string, percentage: number) => `${name}: ${percentage} %`,
    adult: 'NSFW',
    yes: 'Yes',
    created: 'Created',
    style: 'Style',
    engine: 'Made by',
    kept: 'Kept',
    copy: (what: string) => `Copy ${what}`,
    close: 'Close',
    reuse: 'Use again',
  },

  all: {
    title: 'All Images',
    name: (number: number) => `Image ${number}`,
  },

  delete: {
    title: 'Delete Image',
    question: 'Are you sure you want to delete this image?',
    cancel: 'Cancel',
    confirm: 'Delete',
    done: 'Image deleted.',
    undo: 'Undo',
  },

  viewer: {
    label: 'Image viewer',
    model: (name: string) => `Model: ${name}`,
    position: (position: number, count: number) => `${position} of ${count}`,
    close: 'Close',
    previous: 'Previous image',
    next: 'Next image',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    loading: 'Loading the image',
    failed: 'Failed to load image',
  },
} as const;

const maxNameLength = 120;

function shortened(text: string): string {
  return text.length > maxNameLength ? `${text.slice(0, maxNameLength - 1)}…` : text;
}
