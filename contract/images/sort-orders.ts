/** The sort orders of models, and their values on the wire. */
export const sortOrders = [
  { value: 'trending', feed: 'trending', orderBy: '-markInfo.likedCount' },
  { value: 'newest', feed: 'latest', orderBy: '-createdAt' },
  { value: 'most-liked', feed: 'default', orderBy: '-markInfo.likedCount' },
  { value: 'most-used', feed: 'default', orderBy: '-markInfo.refCount' },
] as const;

export type SortOrder = (typeof sortOrders)[number]['value'];
export const defaultSortOrder = 'trending' satisfies SortOrder;
