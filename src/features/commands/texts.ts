/** The texts of the features page. */
import { type Category } from '#contract/commands/index';
import { brand } from '#lib/brand';

const categories = {
  group: 'Group Management',
  animeSFW: 'Anime (SFW)',
  animeNSFW: 'Anime (NSFW)',
  misc: 'Misc Tools',
  inline: 'Inline',
} as const satisfies Record<Category, string>;

export const texts = {
  heading: `${brand.name} Features`,
  lead: 'Everything the bot understands, and how to say it.',
  categoriesLabel: 'Categories',
  categories,
  search: 'Search features...',
  clearSearch: 'Clear the search',
  results: 'Search results',
  found: (count: number) =>
    `${count} ${count === 1 ? 'feature' : 'features'} found in all categories`,
  nothingFound: (term: string) => `No features found matching "${term}"`,
  nothingHere: 'No features available in this category',
  adultHidden: 'Adult features were left out of the search.',
  includeAdult: 'Include them',
  howToUse: 'How to use:',
  tryIt: 'Try in Telegram',
  noBot: 'No bot is linked yet.',
  /** For the operator alone. */
  setBot: (variable: string) =>
    `No bot is linked yet: give the server a BOT_TOKEN, or build ${brand.name} with ${variable}.`,
  dashboard: 'Open the dashboard',
} as const;
