/** Taps and clicks: two on the picture zoom, one beside it closes. */
import { type Point } from './zoom.ts';
import { type Zoomable } from './zoomable.ts';

const doubleTapMs = 300;
const doubleTapPx = 40;

/** Returns what to call with each tap, in pixels from the middle of the stage. */
export function createTaps(zoom: Zoomable, close: () => void): (point: Point) => void {
  let last: { readonly point: Point; readonly at: number } | undefined;

  return (point) => {
    if (!zoom.isOnPicture(point)) {
      close();
      return;
    }
    const at = performance.now();
    const isSecond =
      last !== undefined &&
      at - last.at < doubleTapMs &&
      Math.hypot(point.x - last.point.x, point.y - last.point.y) < doubleTapPx;
    last = isSecond ? undefined : { point, at };
    if (isSecond) {
      zoom.toggle(point);
    }
  };
}
