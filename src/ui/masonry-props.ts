/** What a masonry is given, and what can be asked of it. */
import { type ReactNode, type Ref } from 'react';

import { type ItemSize } from './lanes.tsx';
import { type MasonryCard } from './masonry-cell.tsx';
import { type MasonrySnapshot } from './masonry-place.ts';

export type MasonryHandle = {
  /** Shows an item, wherever it is; with `focus` its card also gets the focus. */
  readonly scrollToItem: (id: string, options?: { readonly focus?: boolean }) => void;
  /** Where the person is; undefined while nothing of the gallery shows. */
  readonly snapshot: () => MasonrySnapshot | undefined;
  /** Goes back there: at once, or when the item has been loaded, unless the person scrolls first. */
  readonly restore: (snapshot: MasonrySnapshot) => void;
};

export type MasonryProps<Item> = {
  /** Names the list. */
  readonly label: string;
  /**
   * In the order in which they are read. Unchanged items are to be the same objects as before. What is seen
   * stays where it is when they change: another list (another search, another order) wants another `key`.
   */
  readonly items: readonly Item[];
  /** Tells items apart, for as long as they exist. */
  readonly getKey: (item: Item) => string;
  /** Known before anything is drawn, and dependent on nothing but the item. */
  readonly getSize: (item: Item) => ItemSize;
  /** What a card is called when the focus comes to it. */
  readonly getName: (item: Item) => string;
  /**
   * Draws a card, which fills its place (100 % both ways). Its controls get `card.tabIndex`.
   * A card is drawn again when this function is another one: give the same one while nothing changed.
   */
  readonly render: (item: Item, card: MasonryCard) => ReactNode;
  readonly columns: number;
  /** Between cards, in px. */
  readonly gap?: number;
  /** How many items there are altogether, those not loaded included. Unknown when absent. */
  readonly total?: number | undefined;
  /** Items that stay mounted wherever they are, such as the one whose menu or picture is open. */
  readonly keep?: readonly string[];
  /** Shimmering places after the last item, while more is loading. */
  readonly placeholders?: number;
  /** Below everything, as the list's last row: "loading", "that is all", or a failure with its button. */
  readonly foot?: ReactNode;
  /** Gives the gallery a scroll box of its own, at most so many px high. Otherwise the page scrolls. */
  readonly maxHeight?: number;
  /** So many px before its end the gallery asks for more. */
  readonly endMargin?: number;
  /** Asks for more, once for each number of items. Absent while loading, after a failure, and at the end. */
  readonly onNearEnd?: (() => void) | undefined;
  /** What Enter does on a card that has the focus. */
  readonly onOpen?: (item: Item) => void;
  readonly ref?: Ref<MasonryHandle>;
};
