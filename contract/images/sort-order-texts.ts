/** How the sort orders of models are called. */
import { type SortOrder } from './sort-orders.ts';

export const sortOrderTexts = {
  trending: 'Trending',
  newest: 'Latest',
  'most-liked': 'Most Liked',
  'most-used': 'Most Used',
} as const satisfies Record<SortOrder, string>;
