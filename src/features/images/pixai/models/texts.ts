/** The texts of the model browser. */
import { formatCount } from '#lib/format';

export const modelTexts = {
  search: 'Search models...',
  clearSearch: 'Clear search',
  sort: 'Sort by',
  bestMatch: 'Best match',
  loading: 'Loading models...',
  loadingMore: 'Loading more models...',
  nothingFound: (query: string) => `No models found matching "${query}"`,
  nothingFoundNews: 'No models found',
  nothingFoundHint: 'Try adjusting your search terms',
  noneLoaded: 'The models could not be loaded',
  unreachableHint: 'Check your connection, then try again.',
  refusedHint: 'The server answered without a list of models. Try again in a moment.',
  none: 'There are no models here',
  noneHint: 'The server lists none. You can paste the ID of a model in the generator.',
  moreFailed: 'More models could not be loaded.',
  searchFailed:
    'Search is not available right now. These are matches among the models loaded here.',
  tryAgain: 'Try again',
  end: 'That is all of them',
  list: 'Models',
  copyId: (id: string) => `Copy model ID ${id}`,
  loaded: (count: number) => `${count} ${count === 1 ? 'model' : 'models'} loaded`,

  card: {
    unknown: 'Unknown Model',
    coverFailed: 'Failed to load image',
    flip: (name: string) => `Details of ${name}`,
    flipBack: (name: string) => `Picture of ${name}`,
    use: 'Use model',
    useModel: (name: string) => `Use model ${name}`,
    tick: (name: string) => `Select ${name}`,
    adult: '18+',
    reveal: 'Show pictures for adults',
    triggerWords: 'Trigger words',
    likes: (count: number) => `${formatCount(count)} likes`,
    uses: (count: number) => `${formatCount(count)} uses`,
    added: (name: string) => `${name} is in your generator now.`,
    openGenerator: 'Open it',
    noRoom: (max: number) => `A picture can have at most ${max} LoRAs.`,
  },

  selection: {
    label: 'Selected LoRAs',
    count: (count: number) => `${count} LoRA(s) selected`,
    clear: 'Clear Selection',
    generate: 'Generate with Selected LoRAs',
  },
} as const;
