/** Zooming and moving the shown picture. Points are in pixels from the middle of the stage. */

export type Point = { readonly x: number; readonly y: number };
type Size = { readonly width: number; readonly height: number };
/** How large the picture is, and how far its middle is from the middle of the stage. */
type View = Point & { readonly scale: number };

export type Zoom = {
  readonly isZoomed: () => boolean;
  readonly isOnPicture: (point: Point) => boolean;
  /** Zooms by a factor around a point, by default the middle. */
  readonly by: (factor: number, around?: Point) => void;
  /** Shows the whole picture, or zooms in on a point. */
  readonly toggle: (around?: Point) => void;
  readonly pan: (distance: Point) => void;
  /** One or two fingers start to drag the picture. */
  readonly startDrag: (first: Point, second: Point | undefined) => void;
  readonly drag: (first: Point, second: Point | undefined) => void;
  /** Animates the picture back within its limits. */
  readonly settle: () => void;
  readonly reset: () => void;
};

const center: Point = { x: 0, y: 0 };
const wholePicture: View = { ...center, scale: 1 };
const toggleScale = 2.5;
const maxScale = 6;
/** Two fingers can make the picture this small; it grows back when they are lifted. */
const minScale = 0.7;

export function createZoom(
  stage: HTMLElement,
  getPicture: () => HTMLElement | undefined,
  onZoom: (isZoomed: boolean) => void,
): Zoom {
  let view: View = wholePicture;
  let dragStart = { view, first: center, second: center };

  const stageSize = (): Size => ({ width: stage.clientWidth, height: stage.clientHeight });
  const pictureSize = (): Size => fittedSize(getPicture()?.querySelector('img'), stageSize());
  const limited = (next: View) => limitView(next, pictureSize(), stageSize());

  function show(next: View, isAnimated = false): void {
    const wasZoomed = view.scale > 1;
    view = next;
    const element = getPicture();
    if (element) {
      const transform =
        // physical: it follows the fingers.
        view === wholePicture ? 'none' : `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
      if (isAnimated) {
        void animateTo(element, transform);
      } else {
        element.style.transform = transform;
      }
    }
    if (wasZoomed !== view.scale > 1) {
      onZoom(!wasZoomed);
    }
  }

  return {
    isZoomed: () => view.scale > 1,
    isOnPicture({ x, y }) {
      const { width, height } = pictureSize();
      return (
        Math.abs(x - view.x) <= (width * view.scale) / 2 &&
        Math.abs(y - view.y) <= (height * view.scale) / 2
      );
    },
    by: (factor, around = center) =>
      show(limited(zoomView(view, { scale: view.scale * factor, from: around }))),
    toggle: (around = center) =>
      show(
        view.scale > 1
          ? wholePicture
          : limited(zoomView(view, { scale: toggleScale, from: around })),
        true,
      ),
    pan: ({ x, y }) => show(limited({ ...view, x: view.x + x, y: view.y + y }), true),
    startDrag: (first, second = first) => {
      dragStart = { view, first, second };
    },
    drag(first, second) {
      const start = dragStart;
      if (!second) {
        const x = start.view.x + first.x - start.first.x;
        const y = start.view.y + first.y - start.first.y;
        show(limited({ ...start.view, x, y }));
        return;
      }
      const factor = distance(first, second) / Math.max(1, distance(start.first, start.second));
      show(
        zoomView(start.view, {
          scale: Math.max(minScale, start.view.scale * factor),
          from: midpoint(start.first, start.second),
          to: midpoint(first, second),
        }),
      );
    },
    settle: () => show(limited(view), true),
    reset: () => show(wholePicture),
  };
}

/** The size of the picture when all of it is shown; that of the stage while the picture has not loaded. */
function fittedSize(image: HTMLImageElement | null | undefined, stage: Size): Size {
  const { naturalWidth: width = 0, naturalHeight: height = 0 } = image ?? {};
  const factor = Math.min(stage.width / width, stage.height / height);
  return Number.isFinite(factor) && factor > 0
    ? { width: width * factor, height: height * factor }
    : stage;
}

/** The nearest view that leaves no empty stripe at an edge. */
function limitView(view: View, picture: Size, stage: Size): View {
  if (view.scale <= 1) {
    return wholePicture;
  }
  const scale = Math.min(view.scale, maxScale);
  return {
    scale,
    x: clamp(view.x, (picture.width * scale - stage.width) / 2),
    y: clamp(view.y, (picture.height * scale - stage.height) / 2),
  };
}

function clamp(value: number, limit: number): number {
  const max = Math.max(0, limit);
  return Math.min(max, Math.max(-max, value));
}

/** Zooms so that what is at `from` moves to `to`. */
function zoomView(
  view: View,
  { scale, from, to = from }: { readonly scale: number; readonly from: Point; readonly to?: Point },
): View {
  const factor = scale / view.scale;
  return {
    scale,
    x: to.x - (from.x - view.x) * factor,
    y: to.y - (from.y - view.y) * factor,
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function midpoint(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

const animationMs = 220;
const easing = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

/**
 * Animates an element to a transform; sets it at once when the user prefers reduced motion. Resolves when
 * the animation has ended or another one has replaced it.
 */
export async function animateTo(element: HTMLElement, transform: string): Promise<void> {
  const from = element.style.transform || 'none';
  element.style.transform = transform;
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isReduced || from === transform || typeof element.animate !== 'function') {
    return;
  }
  const animation = element.animate([{ transform: from }, { transform }], {
    duration: animationMs,
    easing,
  });
  // Rejects when the element is removed; then there is nothing to wait for.
  await animation.finished.catch(() => undefined);
}
