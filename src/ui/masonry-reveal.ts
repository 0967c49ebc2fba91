/** Cards fade in when they are seen for the first time. No observer: the layout knows where they are. */
import { type Lanes } from './lanes.tsx';
import { type Sight } from './masonry-view.ts';

import styles from './masonry.module.css';

/** Seconds between two cards that appear together, of which the ninth and later do not wait longer. */
const stagger = 0.08;
const staggered = 8;
/** A card counts as seen when so much of it is within the margin, in px, around what shows. */
const threshold = 0.1;
const margin = 50;
/** Faster than this, in px/ms, cards stand there at once: a fade would leave the screen empty. */
const fling = 2.5;
/** After so long without scrolling, in ms, it has come to rest. */
const restMs = 100;

export type Reveal = {
  readonly isSeen: (id: string) => boolean;
  readonly reveal: (page: {
    readonly list: HTMLElement;
    readonly lanes: Lanes;
    readonly sight: Sight;
    readonly idAt: (index: number) => string | undefined;
  }) => void;
};

export function createReveal(): Reveal {
  const seen = new Set<string>();
  let last = { top: 0, time: 0, isFlung: false };

  return {
    isSeen: (id) => seen.has(id),
    reveal({ list, lanes, sight, idAt }) {
      const time = performance.now();
      const elapsed = time - last.time;
      if (sight.top !== last.top || elapsed > restMs) {
        last = { top: sight.top, time, isFlung: Math.abs(sight.top - last.top) > fling * elapsed };
      }
      let order = 0;
      for (const cell of list.querySelectorAll<HTMLElement>(`.${styles['waiting']}`)) {
        const index = Number(cell.dataset['index']);
        if (isShown(lanes, index, sight)) {
          seen.add(idAt(index) ?? '');
          cell.classList.remove(styles['waiting'] ?? '');
          if (!last.isFlung) {
            cell.style.animationDelay = `${Math.min(order, staggered) * stagger}s`;
            cell.classList.add(styles['arriving'] ?? '');
          }
          order += 1;
        }
      }
    },
  };
}

function isShown(lanes: Lanes, index: number, { top, height }: Sight): boolean {
  const start = lanes.tops[index] ?? 0;
  const tall = lanes.heights[index] ?? 0;
  const within = Math.min(start + tall, top + height + margin) - Math.max(start, top - margin);
  return within >= threshold * tall;
}
