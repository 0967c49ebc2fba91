/** Pages of the built-in models: sorted, searched, and continued where the last one ended. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { catalogue, type CatalogueModel } from './catalogue.ts';

export type PageWish = {
  readonly first: number;
  /** Where the last page ended. */
  readonly after?: string | null | undefined;
  readonly feed?: string | undefined;
  readonly orderBy?: string | undefined;
  /** Only for searches. */
  readonly keyword?: string | undefined;
};

export type ModelPage = {
  readonly models: readonly { readonly model: CatalogueModel; readonly cursor: string }[];
  readonly hasNextPage: boolean;
};

const orders = {
  trending: (model: CatalogueModel) => model.trend,
  newest: (model: CatalogueModel) => model.createdAt,
  liked: (model: CatalogueModel) => model.likedCount,
  used: (model: CatalogueModel) => model.refCount,
} as const;
type Order = keyof typeof orders;

/** Sorted once; equal ones by their ids, so that pages never overlap. */
const sorted = Object.fromEntries(
  Object.entries(orders).map(([order, rank]) => [
    order,
    catalogue.toSorted((a, b) => rank(b) - rank(a) || Number(a.id) - Number(b.id)),
  ]),
);

/** The feeds and orders that the model service knows, too. */
function orderOf({ feed, orderBy }: PageWish): Order {
  if (feed === 'latest' || orderBy === '-createdAt') {
    return 'newest';
  }
  if (orderBy === '-markInfo.refCount') {
    return 'used';
  }
  return feed === 'trending' || feed === undefined ? 'trending' : 'liked';
}

/** The best matches first: an ID, then the beginning of a name, then anywhere. */
function search(keyword: string): readonly CatalogueModel[] {
  const wanted = keyword.trim().toLowerCase();
  const rankOf = ({ id, versionId, title, tags, triggerWords }: CatalogueModel) => {
    const name = title.toLowerCase();
    if (id === wanted || versionId === wanted) {
      return 4;
    }
    if (name.startsWith(wanted)) {
      return 3;
    }
    const isNamed = name.includes(wanted);
    return isNamed ? 2 : Number([...tags, ...triggerWords].some((word) => word.includes(wanted)));
  };
  return catalogue
    .map((model) => ({ model, rank: rankOf(model) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || b.model.likedCount - a.model.likedCount)
    .map(({ model }) => model);
}

const cursorText = v.pipe(v.string(), v.regex(/^\d{10,20}$/));

/** The model after which to go on. Throws `invalid_cursor`. */
function readCursor(cursor: string): string {
  const parsed = v.safeParse(cursorText, Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!parsed.success) {
    throw new AppError('invalid_cursor');
  }
  return parsed.output;
}

/** Throws `invalid_cursor`. */
export function readPage(wish: PageWish): ModelPage {
  const found =
    wish.keyword === undefined ? (sorted[orderOf(wish)] ?? catalogue) : search(wish.keyword);
  let start = 0;
  if (wish.after !== undefined && wish.after !== null) {
    const last = readCursor(wish.after);
    start = found.findIndex(({ id }) => id === last) + 1;
    if (start === 0) {
      throw new AppError('invalid_cursor');
    }
  }
  const models = found.slice(start, start + wish.first);
  return {
    models: models.map((model) => ({
      model,
      cursor: Buffer.from(model.id).toString('base64url'),
    })),
    hasNextPage: start + models.length < found.length,
  };
}
