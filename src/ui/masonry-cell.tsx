/** One place in a masonry: it stands where the layout says, and takes the focus for its card. */
import { memo, type ReactNode, useState } from 'react';

import styles from './masonry.module.css';

/** What a card is told about its place. */
export type MasonryCard = {
  /** Position in the list, counted from 0. */
  readonly index: number;
  /** In px, of the whole card. */
  readonly width: number;
  readonly height: number;
  /**
   * For each control of the card: Tab goes from a card into its own controls and then out of the
   * gallery, not through the controls of every other card.
   */
  readonly tabIndex: 0 | -1;
};

type MasonryCellProps = MasonryCard & {
  readonly item: unknown;
  readonly name: string;
  readonly setSize: number;
  readonly left: number;
  readonly top: number;
  readonly isSeen: boolean;
  /** Written as a method, which TypeScript lets take any item: `memo` forgets of which type they are. */
  render(item: unknown, card: MasonryCard): ReactNode;
};

/** Not drawn again while the gallery scrolls: at 6,000 px/s that would be each card in each frame. */
export const MasonryCell = memo(Cell);

function Cell(props: MasonryCellProps) {
  const { name, setSize, left, top, isSeen, index, width, height, tabIndex } = props;
  // The class goes when the card has been seen; React must not put it back.
  const [className] = useState(isSeen ? styles.cell : `${styles.cell} ${styles.waiting}`);
  return (
    // A list item that can be focused: what the arrow keys move between, and where Tab comes in.
    <li
      className={className}
      style={{ width, height, transform: `translate(${left}px, ${top}px)` }}
      data-index={index}
      tabIndex={tabIndex}
      aria-label={name}
      aria-posinset={index + 1}
      aria-setsize={setSize}
    >
      {props.render(props.item, { index, width, height, tabIndex })}
    </li>
  );
}
