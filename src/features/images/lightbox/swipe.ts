/** The row of pictures under a finger: sideways to a neighbour, down to close. */
import { glide } from './glide.ts';
import { type Point } from './zoom.ts';

export type Viewer = {
  /** Where the gestures are made; also the picture's frame. */
  readonly stage: HTMLElement;
  /** Holds the shown picture and its neighbours, and moves sideways. */
  readonly track: HTMLElement;
  /** The element of the shown picture. */
  readonly shown: () => HTMLElement | undefined;
  readonly hasNeighbour: (step: Step) => boolean;
  readonly onStep: (step: Step) => void;
  readonly onClose: () => void;
  readonly onZoom: (isZoomed: boolean) => void;
  /** How far the picture is dragged down, 0 to 1. */
  readonly onDrag: (share: number) => void;
};

/** To the picture before, or after. */
export type Step = -1 | 1;

export type Swipe = {
  readonly isGliding: () => boolean;
  readonly sideways: (moved: Point) => void;
  readonly down: (moved: Point) => void;
  /** The finger lets go after `ms` milliseconds. */
  readonly endSideways: (moved: Point, ms: number) => void;
  readonly endDown: (moved: Point, ms: number) => void;
  /** Slides to a neighbour, if there is one. */
  readonly step: (step: Step) => void;
  /** Back to where everything was, at once. */
  readonly reset: () => void;
  readonly stop: () => void;
};

/** How much of the stage must be swiped, or how fast (px/ms), to change the picture. */
const swipeShare = 0.25;
const swipeSpeed = 0.4;
const closePx = 110;
const closeSpeed = 0.8;
/** Beyond the first and the last picture the finger pulls against a spring. */
const resistance = 3;

export function createSwipe(viewer: Viewer): Swipe {
  const { stage, track } = viewer;
  let isGliding = false;
  let isStopped = false;

  async function step(by: Step): Promise<void> {
    if (isGliding || !viewer.hasNeighbour(by)) {
      return;
    }
    isGliding = true;
    await glide(track, `translateX(${-by * 100}%)`);
    isGliding = false;
    if (!isStopped) {
      viewer.onStep(by);
    }
  }

  return {
    isGliding: () => isGliding,
    sideways({ x }) {
      const isFree = viewer.hasNeighbour(x > 0 ? -1 : 1);
      track.style.transform = `translateX(${isFree ? x : x / resistance}px)`;
    },
    down({ x, y }) {
      const below = Math.max(0, y);
      const shown = viewer.shown();
      if (shown) {
        shown.style.transform = `translate(${x}px, ${below}px)`;
      }
      viewer.onDrag(Math.min(1, below / stage.clientHeight));
    },
    endSideways({ x }, ms) {
      const by = x > 0 ? -1 : 1;
      const isEnough =
        Math.abs(x) > stage.clientWidth * swipeShare || Math.abs(x) / ms > swipeSpeed;
      void (isEnough && viewer.hasNeighbour(by) ? step(by) : glide(track, 'none'));
    },
    endDown({ y }, ms) {
      if (y > closePx || y / ms > closeSpeed) {
        viewer.onClose();
        return;
      }
      viewer.onDrag(0);
      const shown = viewer.shown();
      void (shown && glide(shown, 'none'));
    },
    step: (by) => void step(by),
    reset() {
      track.style.transform = 'none';
      viewer.onDrag(0);
    },
    stop() {
      isStopped = true;
    },
  };
}
