/**
 * Touch, mouse and wheel on the lightbox: taps, swipes, pinches. They move elements directly, because
 * rendering sixty times a second through React stutters on phones.
 */
import { pageDirection } from '#ui/direction';

import { animateTo, createZoom, type Point, type Zoom } from './zoom.ts';

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
