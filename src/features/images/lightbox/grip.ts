/** What fingers on a picture mean, from their first touch until the last one is gone. */
import { type Swipe } from './swipe.ts';
import { type Point } from './zoom.ts';
import { type Zoomable } from './zoomable.ts';

type Mode = 'tap' | 'sideways' | 'down' | 'pan' | 'pinch' | 'none';

/** Fingers in the order in which they came, as points of the stage. */
type Fingers = readonly Point[];

export type Grip = {
  /** There is a finger more, or one less. */
  readonly begin: (fingers: Fingers) => void;
  readonly move: (fingers: Fingers) => void;
  /** The last finger leaves, at this point; undefined when the browser takes it away. */
  readonly end: (last: Point | undefined) => void;
  /** Whether it has been no movement at all. */
  readonly isTap: () => boolean;
};

/** A finger that moves less has not moved. */
const slackPx = 8;

export function createGrip(zoom: Zoomable, swipe: Swipe): Grip {
  let mode: Mode = 'none';
  let start = { point: { x: 0, y: 0 }, at: 0 };

  const movedTo = ({ x, y }: Point): Point => ({ x: x - start.point.x, y: y - start.point.y });

  return {
    begin([first = start.point, second]) {
      const isPinch = second !== undefined;
      if (isPinch) {
        // What one finger has begun, two do not go on with.
        swipe.reset();
      }
      const remains = mode === 'pinch' ? 'pan' : 'tap';
      mode = isPinch ? 'pinch' : remains;
      start = { point: first, at: performance.now() };
      zoom.hold(first, second);
    },
    move([first = start.point, second]) {
      const moved = movedTo(first);
      if (mode === 'tap') {
        mode = meaningOf(moved, zoom.isZoomed());
      }
      if (mode === 'pinch' || mode === 'pan') {
        zoom.drag(first, second);
      } else if (mode === 'sideways' || mode === 'down') {
        swipe[mode](moved);
      }
    },
    end(last = start.point) {
      const moved = movedTo(last);
      const ms = Math.max(1, performance.now() - start.at);
      if (mode === 'sideways') {
        swipe.endSideways(moved, ms);
      } else if (mode === 'down') {
        swipe.endDown(moved, ms);
      } else if (mode === 'pinch' || mode === 'pan') {
        zoom.settle();
      }
    },
    isTap: () => mode === 'tap',
  };
}

/** What one finger means that has moved this far. */
function meaningOf({ x, y }: Point, isZoomed: boolean): Mode {
  if (Math.hypot(x, y) < slackPx) {
    return 'tap';
  }
  if (isZoomed) {
    return 'pan';
  }
  if (Math.abs(x) > Math.abs(y)) {
    return 'sideways';
  }
  return y > 0 ? 'down' : 'none';
}
