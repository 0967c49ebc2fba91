/** The box that holds the lines: all of them, or of a great many only those in sight. */
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';

import { texts } from './texts.ts';

import styles from './json-viewer.module.css';

export type BoxHandle = {
  /** Brings a line into sight, by its place among those that are not folded. */
  readonly scrollTo: (place: number) => void;
};

type LinesProps = {
  readonly ref: Ref<BoxHandle>;
  readonly count: number;
  readonly draw: (place: number) => ReactNode;
};

export function AllLines({ ref, count, draw }: LinesProps) {
  const box = useRef<HTMLElement>(null);

  useImperativeHandle(ref, () => ({
    scrollTo: (place) => box.current?.children[place]?.scrollIntoView({ block: 'nearest' }),
  }));

  return (
    <section
      ref={box}
      className={styles.all}
      aria-label={texts.body}
      // A box that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {Array.from({ length: count }, (_line, place) => draw(place))}
    </section>
  );
}

/** Lines above and below what is in sight. */
const spare = 12;
/** Browsers cut off what is taller; on a screen with three pixels to one this is what is left. */
const tallest = 6_000_000;
/** In rem, as in the style sheet. */
const lineRem = 1.5;

/** A box of their full height scrolls, in which only the lines in sight are drawn. */
export function LinesInSight({ ref, count, draw }: LinesProps) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const linePx = lineRem * rootPx();
  const seenPx = window.innerHeight;
  const full = count * linePx;
  const height = Math.min(full, tallest);
  // Where the box is not as tall as its lines, a step in it is a longer one among them.
  const stretch = height === full ? 1 : (full - seenPx) / (height - seenPx);
  const first = Math.max(0, Math.floor((top * stretch) / linePx) - spare);
  const last = Math.min(count, first + Math.ceil(seenPx / linePx) + 2 * spare);

  useImperativeHandle(ref, () => ({
    scrollTo: (place) => {
      const middle = place * linePx - (box.current?.clientHeight ?? 0) / 2;
      box.current?.scrollTo({ top: Math.max(0, middle) / stretch });
    },
  }));

  return (
    <section
      ref={box}
      className={styles.window}
      aria-label={texts.body}
      // As above.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <div style={{ blockSize: height }}>
        <div
          className={styles.seen}
          style={{ transform: `translateY(${top - (top * stretch - first * linePx)}px)` }}
        >
          {Array.from({ length: Math.max(0, last - first) }, (_line, index) => draw(first + index))}
        </div>
      </div>
    </section>
  );
}

function rootPx(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.isFinite(size) && size > 0 ? size : 16;
}
