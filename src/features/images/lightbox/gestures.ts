/**
 * Touch, mouse and wheel on the lightbox: taps, swipes, pinches. They move elements directly, because
 * rendering sixty times a second through React stutters on phones.
 */
import { pageDirection } from '#ui/direction';

/** To the previous picture, or to the next one. */
export type Step = -1 | 1;

type Viewer = {
  /** Receives the gestures; also the frame of the picture. */
  readonly stage: HTMLElement;
  /** Holds the shown picture and its neighbours, and moves sideways. */
  readonly track: HTMLElement;
  /** The element of the shown picture. */
  readonly getPicture: () => HTMLElement | undefined;
  readonly hasNeighbour: (step: Step) => boolean;
  readonly onStep: (step: Step) => void;
  readonly onClose: () => void;
  readonly onZoom: (isZoomed: boolean) => void;
  /** How far the picture is dragged down, from 0 to 1. */
  readonly onDrag: (share: number) => void;
};

export type Gestures = {
  /** Slides to a neighbour, if there is one. */
  readonly step: (step: Step) => void;
  readonly zoom: Zoom;
  /** Call when another picture is shown: it starts unzoomed and centred. */
  readonly setPicture: (id: string | undefined) => void;
  readonly stop: () => void;
};

export function createGestures(viewer: Viewer): Gestures {
  const { stage } = viewer;
  const zoom = createZoom(stage, viewer.getPicture, viewer.onZoom);
  const swipe = createSwipe(viewer);
  const drag = createDrag(zoom, swipe);
  const isDoubleTap = createDoubleTap();
  const pointers = new Map<number, Point>();
  let shownId: string | undefined;

  function onDown(event: PointerEvent): void {
    if (event.button === 0 && !swipe.isSliding() && pointers.size < 2) {
      stage.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, fromMiddle(stage, event));
      drag.start([...pointers.values()]);
    }
  }

  function onMove(event: PointerEvent): void {
    if (pointers.has(event.pointerId)) {
      pointers.set(event.pointerId, fromMiddle(stage, event));
      drag.move([...pointers.values()]);
    }
  }

  function onUp(event: PointerEvent): void {
    if (!pointers.delete(event.pointerId)) {
      return;
    }
    const point = fromMiddle(stage, event);
    if (pointers.size > 0) {
      drag.start([...pointers.values()]);
    } else if (event.type === 'pointercancel') {
      drag.end(undefined);
    } else {
      drag.end(point);
      if (drag.isTap() && zoom.isOnPicture(point) && isDoubleTap(point, event.timeStamp)) {
        zoom.toggle(point);
      }
    }
  }

  /** Closes on click and not on pointer up: otherwise the click would press what is behind the lightbox. */
  function onClick(event: MouseEvent): void {
    if (drag.isTap() && !zoom.isOnPicture(fromMiddle(stage, event))) {
      viewer.onClose();
    }
  }

  function onWheel(event: WheelEvent): void {
    // Otherwise a pinch on a trackpad would zoom the whole page.
    event.preventDefault();
    zoom.by(wheelFactor(event), fromMiddle(stage, event));
  }

  const listeners = new AbortController();
  const { signal } = listeners;
  stage.addEventListener('pointerdown', onDown, { signal });
  stage.addEventListener('pointermove', onMove, { signal });
  stage.addEventListener('pointerup', onUp, { signal });
  stage.addEventListener('pointercancel', onUp, { signal });
  stage.addEventListener('click', onClick, { signal });
  stage.addEventListener('wheel', onWheel, { signal, passive: false });

  return {
    step: swipe.step,
    zoom,
    setPicture(id) {
      if (id !== shownId) {
        shownId = id;
        swipe.reset();
        zoom.reset();
      }
    },
    stop() {
      listeners.abort();
      swipe.stop();
    },
  };
}

function fromMiddle(stage: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

const wheelLinePx = 16;

function wheelFactor({ deltaY, deltaMode, ctrlKey }: WheelEvent): number {
  const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * wheelLinePx : deltaY;
  // A pinch on a trackpad is reported as a wheel with Ctrl, in much smaller steps.
  return Math.exp(-pixels * (ctrlKey ? 0.01 : 0.002));
}

const doubleTapMs = 300;
const doubleTapPx = 40;

/** Returns whether a tap at a point and a time in ms is the second one of a double tap. */
function createDoubleTap(): (point: Point, at: number) => boolean {
  let last: { readonly point: Point; readonly at: number } | undefined;

  return (point, at) => {
    const isSecond =
      last !== undefined &&
      at - last.at < doubleTapMs &&
      Math.hypot(point.x - last.point.x, point.y - last.point.y) < doubleTapPx;
    last = isSecond ? undefined : { point, at };
    return isSecond;
  };
}

type DragKind = 'tap' | 'sideways' | 'down' | 'pan' | 'pinch' | 'none';

/** A pointer that moves less is a tap. */
const tapPx = 8;

/** Decides what a drag means, from the first pointer down to the last one up. */
function createDrag(zoom: Zoom, swipe: Swipe) {
  let kind: DragKind = 'none';
  let start = { point: { x: 0, y: 0 }, at: 0 };

  const distanceTo = ({ x, y }: Point): Point => ({ x: x - start.point.x, y: y - start.point.y });

  return {
    /** A pointer was added or removed. `points`: in the order in which they came. */
    start([first = start.point, second]: readonly Point[]) {
      if (second !== undefined) {
        // A second finger ends the swipe of the first one.
        swipe.reset();
        kind = 'pinch';
      } else {
        kind = kind === 'pinch' ? 'pan' : 'tap';
      }
      start = { point: first, at: performance.now() };
      zoom.startDrag(first, second);
    },
    move([first = start.point, second]: readonly Point[]) {
      const distance = distanceTo(first);
      if (kind === 'tap') {
        kind = readKind(distance, zoom.isZoomed());
      }
      if (kind === 'pinch' || kind === 'pan') {
        zoom.drag(first, second);
      } else if (kind === 'sideways' || kind === 'down') {
        swipe[kind](distance);
      }
    },
    /** The last pointer is up; `last` is undefined when the browser has cancelled it. */
    end(last: Point = start.point) {
      const distance = distanceTo(last);
      const ms = Math.max(1, performance.now() - start.at);
      if (kind === 'sideways') {
        swipe.endSideways(distance, ms);
      } else if (kind === 'down') {
        swipe.endDown(distance, ms);
      } else if (kind === 'pinch' || kind === 'pan') {
        zoom.settle();
      }
    },
    isTap: () => kind === 'tap',
  };
}

function readKind({ x, y }: Point, isZoomed: boolean): DragKind {
  if (Math.hypot(x, y) < tapPx) {
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

type Swipe = ReturnType<typeof createSwipe>;

/** The share of the stage or the speed (px/ms) of a swipe that changes the picture. */
const swipeShare = 0.25;
const swipeSpeed = 0.4;
const closePx = 110;
const closeSpeed = 0.8;
/** A swipe beyond the first or last picture moves this many times less. */
const resistance = 3;

/** The neighbour that a swipe by `x` px uncovers: to the right it is the one on the left. */
function stepTowards(x: number): Step {
  return x * pageDirection() > 0 ? -1 : 1;
}

/** Moves the pictures with a pointer: sideways to a neighbour, down to close. */
function createSwipe(viewer: Viewer) {
  const { stage, track } = viewer;
  let isSliding = false;
  let isStopped = false;

  async function step(by: Step): Promise<void> {
    if (isSliding || !viewer.hasNeighbour(by)) {
      return;
    }
    isSliding = true;
    await animateTo(track, `translateX(${-by * pageDirection() * 100}%)`);
    isSliding = false;
    if (!isStopped) {
      viewer.onStep(by);
    }
  }

  return {
    isSliding: () => isSliding,
    sideways({ x }: Point) {
      const isFree = viewer.hasNeighbour(stepTowards(x));
      // physical: it follows the finger.
      track.style.transform = `translateX(${isFree ? x : x / resistance}px)`;
    },
    down({ x, y }: Point) {
      const below = Math.max(0, y);
      const picture = viewer.getPicture();
      if (picture) {
        // physical: as above.
        picture.style.transform = `translate(${x}px, ${below}px)`;
      }
      viewer.onDrag(Math.min(1, below / stage.clientHeight));
    },
    endSideways({ x }: Point, ms: number) {
      const by = stepTowards(x);
      const isEnough =
        Math.abs(x) > stage.clientWidth * swipeShare || Math.abs(x) / ms > swipeSpeed;
      void (isEnough && viewer.hasNeighbour(by) ? step(by) : animateTo(track, 'none'));
    },
    endDown({ y }: Point, ms: number) {
      if (y > closePx || y / ms > closeSpeed) {
        viewer.onClose();
        return;
      }
      viewer.onDrag(0);
      const picture = viewer.getPicture();
      void (picture && animateTo(picture, 'none'));
    },
    step: (by: Step) => void step(by),
    reset() {
      track.style.transform = 'none';
      viewer.onDrag(0);
    },
    stop() {
      isStopped = true;
    },
  };
}

type Point = { readonly x: number; readonly y: number };
type Size = { readonly width: number; readonly height: number };
/** How large the picture is, and how far its middle is from the middle of the stage. */
type View = Point & { readonly scale: number };

type Zoom = {
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

function createZoom(
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
      const factor =
        distanceBetween(first, second) / Math.max(1, distanceBetween(start.first, start.second));
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

function distanceBetween(one: Point, other: Point): number {
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
async function animateTo(element: HTMLElement, transform: string): Promise<void> {
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
