/** The shown picture as something to zoom and to drag. */
import { glide } from './glide.ts';
import {
  fittedSize,
  type Point,
  settledView,
  type Size,
  type View,
  wholePicture,
  zoomedView,
} from './zoom.ts';

export type Zoomable = {
  readonly isZoomed: () => boolean;
  /** Whether a point of the stage, in pixels from its middle, is on the picture. */
  readonly isOnPicture: (point: Point) => boolean;
  /** Zooms by a factor, around a point; the middle when there is none. */
  readonly by: (factor: number, around?: Point) => void;
  /** All of the picture, or a closer look at a point. */
  readonly toggle: (around?: Point) => void;
  readonly pan: (distance: Point) => void;
  /** One or two fingers take hold of the picture, and drag it from there. */
  readonly hold: (first: Point, second: Point | undefined) => void;
  readonly drag: (first: Point, second: Point | undefined) => void;
  /** Glides to where the picture may stay. */
  readonly settle: () => void;
  readonly reset: () => void;
};

const closerLook = 2.5;
/** Two fingers may make it this small; it comes back when they let go. */
const smallestScale = 0.7;
const center: Point = { x: 0, y: 0 };

export function createZoomable(
  stage: HTMLElement,
  shown: () => HTMLElement | undefined,
  onZoom: (isZoomed: boolean) => void,
): Zoomable {
  let view: View = wholePicture;
  let held = { view, first: center, second: center };

  const stageSize = (): Size => ({ width: stage.clientWidth, height: stage.clientHeight });
  const fitted = (): Size => {
    const image = shown()?.querySelector('img');
    const stageBox = stageSize();
    return image?.naturalWidth
      ? fittedSize({ width: image.naturalWidth, height: image.naturalHeight }, stageBox)
      : stageBox;
  };

  function show(next: View, isGliding = false): void {
    const wasZoomed = view.scale > 1;
    view = next;
    const element = shown();
    if (element) {
      const transform =
        view === wholePicture ? 'none' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
      if (isGliding) {
        void glide(element, transform);
      } else {
        element.style.transform = transform;
      }
    }
    if (wasZoomed !== view.scale > 1) {
      onZoom(!wasZoomed);
    }
  }

  const settled = (next: View) => settledView(next, fitted(), stageSize());

  return {
    isZoomed: () => view.scale > 1,
    isOnPicture({ x, y }) {
      const { width, height } = fitted();
      return (
        Math.abs(x - view.x) <= (width * view.scale) / 2 &&
        Math.abs(y - view.y) <= (height * view.scale) / 2
      );
    },
    by: (factor, around = center) =>
      show(settled(zoomedView(view, { scale: view.scale * factor, from: around }))),
    toggle: (around = center) =>
      show(
        view.scale > 1
          ? wholePicture
          : settled(zoomedView(view, { scale: closerLook, from: around })),
        true,
      ),
    pan: ({ x, y }) => show(settled({ ...view, x: view.x + x, y: view.y + y }), true),
    hold: (first, second = first) => {
      held = { view, first, second };
    },
    drag(first, second) {
      if (!second) {
        const moved = { x: first.x - held.first.x, y: first.y - held.first.y };
        show(settled({ ...held.view, x: held.view.x + moved.x, y: held.view.y + moved.y }));
        return;
      }
      const apart = Math.max(1, distance(held.first, held.second));
      const scale = held.view.scale * (distance(first, second) / apart);
      show(
        zoomedView(held.view, {
          scale: Math.max(smallestScale, scale),
          from: between(held.first, held.second),
          to: between(first, second),
        }),
      );
    },
    settle: () => show(settled(view), true),
    reset: () => show(wholePicture),
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function between(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
