/**
 * Fingers, mouse and wheel on the image viewer. They move elements directly, as drawing sixty times
 * a second through React would stutter on phones.
 */
import { createGrip } from './grip.ts';
import { createSwipe, type Step, type Viewer } from './swipe.ts';
import { createTaps } from './taps.ts';
import { type Point } from './zoom.ts';
import { createZoomable, type Zoomable } from './zoomable.ts';

export type Gestures = {
  /** Slides to a neighbour, if there is one. */
  readonly step: (step: Step) => void;
  readonly zoom: Zoomable;
  /** The picture with this id is shown now: it begins whole and in its place. */
  readonly beginWith: (id: string | undefined) => void;
  readonly stop: () => void;
};

export function followGestures(viewer: Viewer): Gestures {
  const { stage } = viewer;
  const zoom = createZoomable(stage, viewer.shown, viewer.onZoom);
  const swipe = createSwipe(viewer);
  const grip = createGrip(zoom, swipe);
  const tap = createTaps(zoom);
  const fingers = new Map<number, Point>();
  let shownId: string | undefined;

  function down(event: PointerEvent): void {
    if (event.button === 0 && !swipe.isGliding() && fingers.size < 2) {
      stage.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, middle(stage, event));
      grip.begin([...fingers.values()]);
    }
  }

  function move(event: PointerEvent): void {
    if (fingers.has(event.pointerId)) {
      fingers.set(event.pointerId, middle(stage, event));
      grip.move([...fingers.values()]);
    }
  }

  function up(event: PointerEvent): void {
    if (!fingers.delete(event.pointerId)) {
      return;
    }
    const point = middle(stage, event);
    if (fingers.size > 0) {
      grip.begin([...fingers.values()]);
    } else if (event.type === 'pointercancel') {
      grip.end(undefined);
    } else {
      grip.end(point);
      if (grip.isTap() && zoom.isOnPicture(point)) {
        tap(point, event.timeStamp);
      }
    }
  }

  /** Not when the finger leaves: what lies behind the closed viewer would be pressed by the same finger. */
  function click(event: MouseEvent): void {
    if (grip.isTap() && !zoom.isOnPicture(middle(stage, event))) {
      viewer.onClose();
    }
  }

  function turnWheel(event: WheelEvent): void {
    // Otherwise a pinch on a trackpad would zoom the whole page.
    event.preventDefault();
    zoom.by(wheelFactor(event), middle(stage, event));
  }

  const listening = new AbortController();
  const { signal } = listening;
  stage.addEventListener('pointerdown', down, { signal });
  stage.addEventListener('pointermove', move, { signal });
  stage.addEventListener('pointerup', up, { signal });
  stage.addEventListener('pointercancel', up, { signal });
  stage.addEventListener('click', click, { signal });
  stage.addEventListener('wheel', turnWheel, { signal, passive: false });

  return {
    step: swipe.step,
    zoom,
    beginWith(id) {
      if (id !== shownId) {
        shownId = id;
        swipe.reset();
        zoom.reset();
      }
    },
    stop() {
      listening.abort();
      swipe.stop();
    },
  };
}

/** Where something happened, in pixels from the middle of the stage. */
function middle(stage: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

const wheelLinePx = 16;

function wheelFactor({ deltaY, deltaMode, ctrlKey }: WheelEvent): number {
  const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * wheelLinePx : deltaY;
  // A pinch on a trackpad comes as a wheel with Ctrl, in much smaller steps.
  return Math.exp(-pixels * (ctrlKey ? 0.01 : 0.002));
}
