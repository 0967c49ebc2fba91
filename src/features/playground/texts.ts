/** Texts of the playground. */
import { formatCount } from '#lib/format';

export const texts = {
  /** As in `index.ts`. */
  title: 'API',
  heading: 'API Playground',
  lead: 'Every public endpoint of the bot: fill in the form, run it, see the answer.',
  search: 'Search endpoints...',
  clearSearch: 'Clear the search',
  endpoints: 'Endpoints',
  found: (count: number) => `${count} ${count === 1 ? 'endpoint' : 'endpoints'} found`,
  nothingFound: (term: string) => `No endpoints found matching "${term}"`,
  adult: '18+',
  adultHint: 'For adults only',
  back: 'All endpoints',
  backToForm: 'Back to the form',
  shortcuts: 'searches, Ctrl or ⌘ with Enter runs, and Esc cancels.',

  copyLink: 'Copy link',
  parameters: 'Parameters',
  noParameters: 'This endpoint needs nothing.',
  required: 'Fields with * are required.',
  choose: 'No choice',
  loadingOptions: 'Loading...',
  /** When the options of a select could not be read. */
  optionsFailed: {
    categories: 'Failed to fetch TTS categories',
    characters: 'Failed to fetch TTS characters',
  },
  retry: 'Try again',
  examples: 'Examples',
  load: 'Load',
  loadExample: (name: string) => `Load: ${name}`,
  reset: 'Reset',

  requestUrl: 'Request URL',
  copyUrl: 'Copy the URL',
  execute: 'Execute Request',
  executing: 'Executing...',
  cancel: 'Cancel',
  showAnswer: 'Show the answer',
  cancelled: 'Cancelled. Nothing was answered.',

  response: 'Response',
  preview: 'Preview',
  headers: 'Headers',
  results: 'Result',
  empty: 'The answer will be here.',
  error: 'Error',
  copyError: 'Copy the error',
  timedOut: 'Request timed out. Please try again.',
  failed: 'Request failed',
  failedHint: 'No answer came: the server cannot be reached, or does not let this page read it.',
  status: (status: number) => (status < 400 ? `Success ${status}` : `Error ${status}`),
  ms: (ms: number) => `${formatCount(ms)} ms`,
  size: (bytes: number) => {
    if (bytes < 1000) {
      return `${bytes} B`;
    }
    return bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
  },
  notJson: 'The answer is no JSON. It is shown as it came.',
  noBody: 'The answer has no text.',
  copyResponse: 'Copy',
  download: 'Download',
  downloadHint: 'Telegram fetches the file anew: what it holds may differ from this answer.',
  notSaved: 'The file could not be saved here. Copy the answer instead.',
  headersNote: 'Browsers show only the headers that the server lets a page read.',

  image: (name: string) => `Answer of ${name}`,
  imageFailed: 'The image could not be loaded.',
  audioFailed: 'The audio could not be loaded.',
  open: 'Open it by itself',
  reveal: 'Show the image',

  body: 'Body of the answer',
  find: 'Find in the answer',
  clearFind: 'Clear',
  hits: (index: number, count: number, isMore: boolean) =>
    count === 0
      ? 'Nothing found'
      : `${formatCount(index + 1)} of ${formatCount(count)}${isMore ? '+' : ''}`,
  previousHit: 'Previous find',
  nextHit: 'Next find',
  foldAll: 'Fold all',
  unfoldAll: 'Unfold all',
  fold: (line: number) => `Fold line ${formatCount(line)}`,
  unfold: (line: number) => `Unfold line ${formatCount(line)}`,
  moreCharacters: (count: number) => `… and ${formatCount(count)} characters more`,
  lines: (count: number) => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`,

  snippets: 'Code',
  languagesLabel: 'Language',
  languages: { curl: 'curl', fetch: 'fetch', axios: 'axios', python: 'Python' },
  copyCode: 'Copy the code',

  history: 'Recent calls',
  historyLead: 'The last 50, on this device only. A press fills the form and runs nothing.',
  noHistory: 'What you run is listed here.',
  clearHistory: 'Clear',
  noAnswer: 'No answer',
} as const;
