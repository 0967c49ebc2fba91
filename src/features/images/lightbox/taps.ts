/** Two taps or clicks on the picture zoom. */
import { type Point } from './zoom.ts';
import { type Zoomable } from './zoomable.ts';

const doubleTapMs = 300;
const doubleTapPx = 40;

/** Returns what to call with each tap: where, in pixels from the middle of the stage, and when, in ms. */
export function createTaps(zoom: Zoomable): (point: Point, at: number) => void {
  let last: { readonly point: Point; readonly at: number } | undefined;

  return (point, at) => {
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
