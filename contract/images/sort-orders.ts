/** The sort orders of models, and their values on the wire. */
export const sortOrders = [
  { value: 'trending', label: 'Trending', feed: 'trending', orderBy: '-markInfo.likedCount' },
  { value: 'newest', label: 'Latest', feed: 'latest', orderBy: '-createdAt' },
  { value: 'most-liked', label: 'Most Liked', feed: 'default', orderBy: '-markInfo.likedCount' },
  { value: 'most-used', label: 'Most Used', feed: 'default', orderBy: '-markInfo.refCount' },
] as const;

export type SortOrder = (typeof sortOrders)[number]['value'];
export const defaultSortOrder = 'trending' satisfies SortOrder;
